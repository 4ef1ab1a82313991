#include "render/json.hpp"

#include <cmath>
#include <string>

#include "base/utf8.hpp"
#include "render/number.hpp"
#include "render/text.hpp"

namespace darrow::render {

void JsonWriter::new_line() {
  sink_.put('\n');
  sink_.fill(2 * levels_.size());
}

// What stands between the text so far and the next key or value.
void JsonWriter::separate() {
  if (after_key_ || levels_.empty()) {
    after_key_ = false;
    return;
  }
  auto& level = levels_.back();
  bool first = level.empty;
  level.empty = false;
  if (!first) sink_.put(',');
  if (level.layout == Layout::lines) new_line();
  else if (!first) sink_.put(' ');
}

void JsonWriter::begin(char bracket, Layout layout) {
  separate();
  if (!levels_.empty() && levels_.back().layout == Layout::inline_) layout = Layout::inline_;
  levels_.push_back({layout});
  sink_.put(bracket);
}

void JsonWriter::end(char bracket) {
  auto level = levels_.back();
  levels_.pop_back();
  if (level.layout == Layout::lines && !level.empty) new_line();
  sink_.put(bracket);
}

void JsonWriter::quoted(std::string_view text) {
  std::string valid = escape_utf8(text);
  sink_.put('"');
  for (text = valid; !text.empty();) {
    auto c = first_character(text);
    if (c.value == '"' || c.value == '\\') {
      sink_.put('\\');
      sink_.put(text[0]);
    } else if (c.value == '\n') {
      sink_.put("\\n");
    } else if (c.value == '\t') {
      sink_.put("\\t");
    } else if (c.value < 0x10000 && is_control(c.value)) {
      sink_.put("\\u");
      for (int shift = 12; shift >= 0; shift -= 4) sink_.put("0123456789abcdef"[(c.value >> shift) & 15]);
    } else {
      sink_.put(text.substr(0, c.bytes));
    }
    text.remove_prefix(c.bytes);
  }
  sink_.put('"');
}

void JsonWriter::key(std::string_view name) {
  separate();
  quoted(name);
  sink_.put(": ");
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) { separate(), quoted(text); }
void JsonWriter::value(std::int64_t number) { separate(), sink_.put(NumberText(number)); }
void JsonWriter::value(std::uint64_t number) { separate(), sink_.put(NumberText(number)); }
void JsonWriter::value(bool flag) { separate(), sink_.put(flag ? "true" : "false"); }
void JsonWriter::null() { separate(), sink_.put("null"); }
void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  sink_.put(NumberText(number));
}

}  // namespace darrow::render

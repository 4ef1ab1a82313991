/// JSON, written as it comes.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "render/sink.hpp"

namespace darrow::render {

/// Writes one JSON document. Strings are valid UTF-8 whatever they were (other bytes stand as the text \xNN), numbers
/// are as short as they can be without loss, NaN and infinities are null.
/// REQUIRES: calls in the order of the grammar; key() before each value in an object.
class JsonWriter {
 public:
  explicit JsonWriter(Sink& sink) : sink_(sink) {}

  /// How the elements of a container are laid out.
  enum class Layout : std::uint8_t {
    lines,    ///< one a line, indented
    inline_,  ///< all on one line, with everything in them
  };
  void begin_object(Layout layout = Layout::lines) { begin('{', layout); }
  void end_object() { end('}'); }
  void begin_array(Layout layout = Layout::lines) { begin('[', layout); }
  void end_array() { end(']'); }

  void key(std::string_view name);
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(double number);
  void value(bool flag);
  void value(std::int64_t number);
  void value(std::uint64_t number);
  template <std::integral T>
  void value(T number) {
    if constexpr (std::signed_integral<T>) value(static_cast<std::int64_t>(number));
    else value(static_cast<std::uint64_t>(number));
  }
  template <typename T>
  void value(const std::optional<T>& maybe) {
    if (maybe) value(*maybe);
    else null();
  }
  void null();

  /// key() and value() in one.
  template <typename T>
  void member(std::string_view name, const T& v) {
    key(name);
    value(v);
  }
  /// Ends the document with a line break.
  void finish() { sink_.put('\n'); }

 private:
  struct Level {
    Layout layout;
    bool empty = true;
  };
  void begin(char bracket, Layout layout);
  void end(char bracket);
  void separate();
  void new_line();
  void quoted(std::string_view text);

  Sink& sink_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace darrow::render

/// CSV as RFC 4180 quotes it, with bare line feeds.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "render/number.hpp"
#include "render/sink.hpp"

namespace darrow::render {

/// Writes rows of cells. Text is valid UTF-8 (other bytes stand as \xNN). A null is an empty cell, an empty text is "".
class CsvWriter {
 public:
  /// `for_terminal`: controls in text are shown (see printable()) instead of kept.
  explicit CsvWriter(Sink& sink, bool for_terminal = false) : sink_(sink), for_terminal_(for_terminal) {}

  void header(std::initializer_list<std::string_view> names) {
    for (auto name : names) cell(name);
    end_row();
  }
  void cell(std::string_view text);
  void cell(const char* text) { cell(std::string_view(text)); }
  void cell(bool flag) { bare(flag ? "true" : "false"); }
  /// NaN and infinities are empty.
  void cell(double number);
  template <std::integral T>
  void cell(T number) {
    bare(NumberText(number));
  }
  template <typename T>
  void cell(const std::optional<T>& maybe) {
    if (maybe) cell(*maybe);
    else null();
  }
  void null() { bare({}); }
  void end_row() {
    sink_.put('\n');
    first_ = true;
  }

 private:
  void bare(std::string_view text) {
    if (!first_) sink_.put(',');
    first_ = false;
    sink_.put(text);
  }

  Sink& sink_;
  bool for_terminal_;
  bool first_ = true;
};

}  // namespace darrow::render

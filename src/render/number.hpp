/// Numbers as machines read them.
#pragma once

#include <array>
#include <charconv>
#include <string_view>

namespace darrow::render {

/// A number as text: integers in full, doubles in the shortest form that reads back as the same double.
class NumberText {
 public:
  template <typename T>
  explicit NumberText(T number) {
    end_ = std::to_chars(text_.data(), text_.data() + text_.size(), number).ptr;
  }
  operator std::string_view() const { return {text_.data(), static_cast<std::size_t>(end_ - text_.data())}; }

 private:
  std::array<char, 32> text_;
  char* end_;
};

}  // namespace darrow::render

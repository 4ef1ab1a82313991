#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace darrow::util_text {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

bool has_controls(std::string_view text) { return std::any_of(text.begin(), text.end(), is_control); }

std::string escape_controls(std::string_view text) {
  std::string escaped;
  for (char c : text)
    if (is_control(c)) escaped += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else escaped += c;
  return escaped;
}

}  // namespace darrow::util_text

/// Numbers as printf writes them, faster: every digit is the same.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace darrow::util_text {

/// The most that a number takes: %f of the largest double has 309 digits, a sign, a point and 6 more.
inline constexpr std::size_t longest_number = 320;

/// Writes an integer in decimal; returns the end. REQUIRES: longest_number bytes at `to`.
template <typename Integer>
char* put_integer(char* to, Integer value) {
  if (value >= 0 && value < 10) {  // most counters are 0 or 1
    *to = static_cast<char>('0' + value);
    return to + 1;
  }
  return std::to_chars(to, to + longest_number, value).ptr;
}

/// Writes `value` as printf's "%.6f" or "%.4f" does, infinities and the sign of a NaN included; returns the end.
/// REQUIRES: longest_number bytes at `to`.
char* put_fixed6(char* to, double value);
char* put_fixed4(char* to, double value);

/// Writes text between `to` and the end that `put` returns at the right of a field of `width`, as "%*s" does; returns the end.
template <typename Put>
char* put_right(char* to, std::size_t width, Put put) {
  char text[longest_number];
  auto size = static_cast<std::size_t>(put(text) - text);
  if (size < width) {
    std::memset(to, ' ', width - size);
    to += width - size;
  }
  std::memcpy(to, text, size);
  return to + size;
}

}  // namespace darrow::util_text

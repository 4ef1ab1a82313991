/// Rows of bits: validity and booleans.
#pragma once

#include <cstdint>

#include "base/growing_bytes.hpp"

namespace darrow {

/// Makes room for bits up to `bits`; new bytes are 0.
inline void extend_bits(GrowingBytes& bytes, std::int64_t bits) {
  auto needed = static_cast<std::size_t>((bits + 7) / 8);
  if (needed > bytes.size()) bytes.extend(needed - bytes.size());
}

/// Sets bits begin up to end. REQUIRES: there is room.
inline void set_bits(std::byte* bytes, std::int64_t begin, std::int64_t end) {
  for (; begin < end && (begin & 7); ++begin) bytes[begin >> 3] |= std::byte{1} << (begin & 7);
  if (std::int64_t whole = (end - begin) >> 3; whole > 0) {
    std::memset(bytes + (begin >> 3), 0xff, static_cast<std::size_t>(whole));
    begin += whole << 3;
  }
  for (; begin < end; ++begin) bytes[begin >> 3] |= std::byte{1} << (begin & 7);
}

inline bool bit_of(const std::byte* bytes, std::int64_t bit) {
  return ((std::to_integer<unsigned>(bytes[bit >> 3]) >> (bit & 7)) & 1u) != 0;
}

/// Sets at `to`, whose bits are 0, those of `from` that are set; bits begin up to end. Returns how many were not. REQUIRES: there is room.
inline std::int64_t copy_bits(std::byte* bytes, std::int64_t to, const std::byte* from, std::int64_t begin,
                              std::int64_t end) {
  std::int64_t unset = 0;
  if (((to ^ begin) & 7) == 0 && (to & 7) == 0)
    for (; end - begin >= 8; begin += 8, to += 8) {
      bytes[to >> 3] = from[begin >> 3];
      unset += 8 - __builtin_popcount(std::to_integer<unsigned>(from[begin >> 3]));
    }
  for (; begin < end; ++begin, ++to)
    if (bit_of(from, begin)) bytes[to >> 3] |= std::byte{1} << (to & 7);
    else ++unset;
  return unset;
}

}  // namespace darrow

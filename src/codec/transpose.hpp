/// The hot loop: numbers of packed records become columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace darrow {

/// One column to fill: a number of `width` (4 or 8) bytes at `offset` of each record.
struct Gather {
  std::size_t offset;
  std::byte* out;
  std::uint8_t width;
  bool all_zero = false;  ///< set by transpose(): all values are 0; nothing was written then
};

/// Fills each gather's `rows` values from records that lie `stride` bytes apart.
/// `zeroed`: the columns hold zeros already.
void transpose(const std::byte* records, std::size_t rows, std::size_t stride, bool swap, bool zeroed,
               std::span<Gather> gathers);

/// The same for records that start at the given offsets.
void transpose(const std::byte* region, std::span<const std::uint64_t> starts, bool swap, bool zeroed,
               std::span<Gather> gathers);

}  // namespace darrow

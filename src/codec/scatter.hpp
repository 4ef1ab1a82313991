/// The hot loop of writing: columns become numbers of packed records. The reverse of transpose.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace darrow {

/// One column to store: numbers of `width` (4 or 8) bytes that go to `offset` of each record.
struct Scatter {
  std::size_t offset;
  const std::byte* in;
  std::uint8_t width;
};

/// Stores each column's `rows` values into records that lie `stride` bytes apart.
void scatter(std::span<const Scatter> columns, std::byte* records, std::size_t rows, std::size_t stride, bool swap);

/// The same into records that start at the given offsets.
void scatter(std::span<const Scatter> columns, std::byte* region, std::span<const std::uint64_t> starts, bool swap);

}  // namespace darrow

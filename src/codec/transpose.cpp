#include "codec/transpose.hpp"

#include <algorithm>

#include "base/byte_order.hpp"

namespace darrow {
namespace {

/// Rows that stay in the cache while all columns are filled from them.
constexpr std::size_t block_rows = 256;

template <typename T, bool Swap, typename At>
void fill(std::byte* out, std::size_t rows, At at) {
  auto* values = reinterpret_cast<T*>(out);
  for (std::size_t r = 0; r < rows; ++r) values[r] = load<T>(at(r), Swap);
}

template <bool Swap, typename At>
void fill_block(const Gather& g, std::size_t first, std::size_t rows, At at) {
  auto field_at = [&](std::size_t r) { return at(first + r) + g.offset; };
  if (g.width == 8) fill<std::uint64_t, Swap>(g.out + 8 * first, rows, field_at);
  else fill<std::uint32_t, Swap>(g.out + 4 * first, rows, field_at);
}

template <typename At>
void fill_all(std::size_t rows, bool swap, std::span<const Gather> gathers, At at) {
  for (std::size_t first = 0; first < rows; first += block_rows) {
    std::size_t n = std::min(block_rows, rows - first);
    for (const auto& g : gathers)
      if (swap) fill_block<true>(g, first, n, at);
      else fill_block<false>(g, first, n, at);
  }
}

}  // namespace

void transpose(const std::byte* records, std::size_t rows, std::size_t stride, bool swap,
               std::span<const Gather> gathers) {
  fill_all(rows, swap, gathers, [=](std::size_t r) { return records + r * stride; });
}

void transpose(const std::byte* region, std::span<const std::uint64_t> starts, bool swap,
               std::span<const Gather> gathers) {
  fill_all(starts.size(), swap, gathers, [=](std::size_t r) { return region + starts[r]; });
}

}  // namespace darrow

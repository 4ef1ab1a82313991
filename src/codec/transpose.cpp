#include "codec/transpose.hpp"

#include <algorithm>
#include <cstring>

#include "base/byte_order.hpp"

namespace darrow {
namespace {

/// Rows that stay in the cache while all columns are filled from them.
constexpr std::size_t block_rows = 256;

template <typename T, bool Swap, typename At>
void fill(std::byte* out, std::size_t rows, bool zeroed, At at) {
  if (!zeroed) {
    auto* values = reinterpret_cast<T*>(out);
    for (std::size_t r = 0; r < rows; ++r) values[r] = load<T>(at(r), Swap);
    return;
  }
  // Most counters are 0 in most records: pages that stay 0 are never touched and cost nothing.
  T values[block_rows], any = 0;
  for (std::size_t r = 0; r < rows; ++r) any |= values[r] = load<T>(at(r), Swap);
  if (any) std::memcpy(out, values, rows * sizeof(T));
}

template <bool Swap, typename At>
void fill_block(const Gather& g, std::size_t first, std::size_t rows, bool zeroed, At at) {
  auto field_at = [&](std::size_t r) { return at(first + r) + g.offset; };
  if (g.width == 8) fill<std::uint64_t, Swap>(g.out + 8 * first, rows, zeroed, field_at);
  else fill<std::uint32_t, Swap>(g.out + 4 * first, rows, zeroed, field_at);
}

template <typename At>
void fill_all(std::size_t rows, bool swap, bool zeroed, std::span<const Gather> gathers, At at) {
  for (std::size_t first = 0; first < rows; first += block_rows) {
    std::size_t n = std::min(block_rows, rows - first);
    for (const auto& g : gathers)
      if (swap) fill_block<true>(g, first, n, zeroed, at);
      else fill_block<false>(g, first, n, zeroed, at);
  }
}

}  // namespace

void transpose(const std::byte* records, std::size_t rows, std::size_t stride, bool swap, bool zeroed,
               std::span<const Gather> gathers) {
  fill_all(rows, swap, zeroed, gathers, [=](std::size_t r) { return records + r * stride; });
}

void transpose(const std::byte* region, std::span<const std::uint64_t> starts, bool swap, bool zeroed,
               std::span<const Gather> gathers) {
  fill_all(starts.size(), swap, zeroed, gathers, [=](std::size_t r) { return region + starts[r]; });
}

}  // namespace darrow

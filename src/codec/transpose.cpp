#include "codec/transpose.hpp"

#include <algorithm>
#include <cstring>

#include "base/byte_order.hpp"

namespace darrow {
namespace {

/// Rows that stay in the cache while all columns are filled from them.
constexpr std::size_t block_rows = 256;

/// Columns that are filled together: neighbours in a record, as many as fit a cache line.
constexpr std::size_t tile_columns = 8;

/// Writes a block of a column. Most counters are 0 in most records: while a column is all zeros, nothing is written, and
/// pages that hold zeros already are never touched.
template <typename T>
void store(Gather& g, const T* values, std::size_t first, std::size_t rows, T any, bool zeroed) {
  if (any && g.all_zero) {
    g.all_zero = false;
    if (!zeroed) std::memset(g.out, 0, first * sizeof(T));
  }
  if (any || (!zeroed && !g.all_zero)) std::memcpy(g.out + first * sizeof(T), values, rows * sizeof(T));
}

template <typename T, bool Swap, typename At>
void fill(Gather& g, std::size_t first, std::size_t rows, bool zeroed, At at) {
  T values[block_rows], any = 0;
  for (std::size_t r = 0; r < rows; ++r) any |= values[r] = load<T>(at(first + r) + g.offset, Swap);
  store(g, values, first, rows, any, zeroed);
}

/// The same for eight neighbours of 8 bytes: each record's line is looked at once.
template <bool Swap, typename At>
void fill_tile(Gather* g, std::size_t first, std::size_t rows, bool zeroed, At at) {
  std::uint64_t values[tile_columns][block_rows], any[tile_columns] = {};
  for (std::size_t r = 0; r < rows; ++r) {
    const std::byte* from = at(first + r) + g[0].offset;
    for (std::size_t c = 0; c < tile_columns; ++c) any[c] |= values[c][r] = load<std::uint64_t>(from + 8 * c, Swap);
  }
  for (std::size_t c = 0; c < tile_columns; ++c) store(g[c], values[c], first, rows, any[c], zeroed);
}

/// Whether a tile begins at that gather.
bool is_tile(std::span<const Gather> gathers) {
  if (gathers.size() < tile_columns) return false;
  for (std::size_t c = 0; c < tile_columns; ++c)
    if (gathers[c].width != 8 || gathers[c].offset != gathers[0].offset + 8 * c) return false;
  return true;
}

template <bool Swap, typename At>
void fill_block(std::span<Gather> gathers, std::size_t first, std::size_t rows, bool zeroed, At at) {
  while (!gathers.empty()) {
    if (is_tile(gathers)) {
      fill_tile<Swap>(gathers.data(), first, rows, zeroed, at);
      gathers = gathers.subspan(tile_columns);
      continue;
    }
    if (gathers[0].width == 8) fill<std::uint64_t, Swap>(gathers[0], first, rows, zeroed, at);
    else fill<std::uint32_t, Swap>(gathers[0], first, rows, zeroed, at);
    gathers = gathers.subspan(1);
  }
}

template <typename At>
void fill_all(std::size_t rows, bool swap, bool zeroed, std::span<Gather> gathers, At at) {
  for (auto& g : gathers) g.all_zero = true;
  for (std::size_t first = 0; first < rows; first += block_rows) {
    std::size_t n = std::min(block_rows, rows - first);
    if (swap) fill_block<true>(gathers, first, n, zeroed, at);
    else fill_block<false>(gathers, first, n, zeroed, at);
  }
}

}  // namespace

void transpose(const std::byte* records, std::size_t rows, std::size_t stride, bool swap, bool zeroed,
               std::span<Gather> gathers) {
  fill_all(rows, swap, zeroed, gathers, [=](std::size_t r) { return records + r * stride; });
}

void transpose(const std::byte* region, std::span<const std::uint64_t> starts, bool swap, bool zeroed,
               std::span<Gather> gathers) {
  fill_all(starts.size(), swap, zeroed, gathers, [=](std::size_t r) { return region + starts[r]; });
}

}  // namespace darrow

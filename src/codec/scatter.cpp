#include "codec/scatter.hpp"

#include <algorithm>
#include <cstring>

#include "base/byte_order.hpp"

namespace darrow {
namespace {

/// Rows that stay in the cache while all columns are stored into them.
constexpr std::size_t scattered_rows = 256;

/// Columns that are stored together: neighbours in a record, as many as fit a cache line.
constexpr std::size_t scattered_columns = 8;

template <typename T, bool Swap>
void store_one(const Scatter& c, std::size_t row, std::byte* record) {
  T value;
  std::memcpy(&value, c.in + row * sizeof(T), sizeof(T));
  if constexpr (Swap) value = byte_swap(value);
  std::memcpy(record + c.offset, &value, sizeof(T));
}

bool is_tile(std::span<const Scatter> columns) {
  if (columns.size() < scattered_columns) return false;
  for (std::size_t c = 0; c < scattered_columns; ++c)
    if (columns[c].width != 8 || columns[c].offset != columns[0].offset + 8 * c) return false;
  return true;
}

template <bool Swap, typename At>
void scatter_block(std::span<const Scatter> columns, std::size_t first, std::size_t end, At record_at) {
  while (!columns.empty()) {
    if (is_tile(columns)) {
      for (std::size_t r = first; r < end; ++r) {
        std::byte* record = record_at(r);
        for (std::size_t c = 0; c < scattered_columns; ++c) store_one<std::uint64_t, Swap>(columns[c], r, record);
      }
      columns = columns.subspan(scattered_columns);
      continue;
    }
    if (columns[0].width == 8)
      for (std::size_t r = first; r < end; ++r) store_one<std::uint64_t, Swap>(columns[0], r, record_at(r));
    else
      for (std::size_t r = first; r < end; ++r) store_one<std::uint32_t, Swap>(columns[0], r, record_at(r));
    columns = columns.subspan(1);
  }
}

template <typename At>
void scatter_all(std::span<const Scatter> columns, std::size_t rows, bool swap, At record_at) {
  for (std::size_t first = 0; first < rows; first += scattered_rows) {
    std::size_t end = std::min(first + scattered_rows, rows);
    if (swap) scatter_block<true>(columns, first, end, record_at);
    else scatter_block<false>(columns, first, end, record_at);
  }
}

}  // namespace

void scatter(std::span<const Scatter> columns, std::byte* records, std::size_t rows, std::size_t stride, bool swap) {
  scatter_all(columns, rows, swap, [=](std::size_t r) { return records + r * stride; });
}

void scatter(std::span<const Scatter> columns, std::byte* region, std::span<const std::uint64_t> starts, bool swap) {
  scatter_all(columns, starts.size(), swap, [=](std::size_t r) { return region + starts[r]; });
}

}  // namespace darrow

/// The rows that an accumulator is given at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "darrow/table.hpp"

namespace darrow {

/// Columns of one table by the position of their field in the module's table, and the group of each row.
struct Rows {
  std::size_t count = 0;
  const Column* id = nullptr;
  const Column* rank = nullptr;
  std::vector<const Column*> columns;     ///< null where the table lacks the field
  std::vector<const Column*> lists;       ///< the same for the module's repeats
  std::uint32_t only = 0;                 ///< the group of all rows if `groups` is empty
  std::span<const std::uint32_t> groups;  ///< of each row; empty: all rows are of group `only`
  bool has_shared = false;                ///< whether any record is of all ranks
  std::int64_t first = 0;                 ///< how many rows the accumulator has seen before these

  std::size_t group(std::size_t row) const { return groups.empty() ? only : groups[row]; }
  std::span<const std::uint64_t> ids() const { return id->values<std::uint64_t>(); }
  std::span<const std::int64_t> ranks() const { return rank->values<std::int64_t>(); }
};

/// REQUIRES: the table is of `module` and has the columns id and rank.
Rows rows_of(const Table& table, const Module& module, std::span<const std::uint32_t> groups, std::int64_t first);

/// Position of a counter in the module's table. REQUIRES: it is there (checked while compiling).
std::size_t position_of(const Module& module, std::string_view field);

/// Whether every row has the value 0 and belongs to group `only`: most counters of most records do.
inline bool all_zero_of_one_group(const Column& column, const Rows& rows) {
  return column.all_zero && column.null_count == 0 && rows.groups.empty() && rows.count;
}

/// Calls f(row, group, value) for each row whose value is there.
template <typename T, typename F>
void each_value(const Column& column, const Rows& rows, F f) {
  auto values = column.values<T>();
  bool all = column.null_count == 0;
  for (std::size_t r = 0; r < rows.count; ++r)
    if (all || column.valid(static_cast<std::int64_t>(r))) f(r, rows.group(r), values[r]);
}

}  // namespace darrow

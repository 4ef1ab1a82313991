/// Single values of rows, and what they tell of one rank.
#pragma once

#include <optional>
#include <vector>

#include "aggregate/exact_sum.hpp"
#include "aggregate/rows.hpp"

namespace darrow {

/// A value, or nothing if it is null or the column is not there.
template <typename T>
std::optional<T> value_at(const Column* column, std::size_t row) {
  if (!column || !column->valid(static_cast<std::int64_t>(row))) return {};
  return column->values<T>()[row];
}

/// A time, or nothing if it cannot be one.
inline std::optional<double> time_at(const Column* column, std::size_t row) {
  auto value = value_at<double>(column, row);
  return value && is_time(*value) ? value : std::nullopt;
}

/// A count, or nothing if it is negative.
inline std::optional<std::int64_t> count_at(const Column* column, std::size_t row) {
  auto value = value_at<std::int64_t>(column, row);
  return value && *value >= 0 ? value : std::nullopt;
}

/// The columns that tell what one rank did.
class RankColumns {
 public:
  explicit RankColumns(const Module& module) {
    for (Role role : {Role::read_time, Role::write_time, Role::meta_time, Role::bytes_read, Role::bytes_written})
      positions_.push_back(static_cast<std::size_t>(find_role(module.fields, role) - module.fields.data()));
  }
  /// Read, write and metadata time of a record of one rank; nothing if any of them is missing.
  std::optional<double> time(const Rows& rows, std::size_t row) const {
    auto read = time_at(rows.columns[positions_[0]], row), write = time_at(rows.columns[positions_[1]], row),
         meta = time_at(rows.columns[positions_[2]], row);
    return read && write && meta ? std::optional(*read + *write + *meta) : std::nullopt;
  }
  /// Bytes read and written by it.
  std::optional<std::int64_t> bytes(const Rows& rows, std::size_t row) const {
    auto read = count_at(rows.columns[positions_[3]], row), written = count_at(rows.columns[positions_[4]], row);
    std::int64_t sum;
    if (!read || !written || __builtin_add_overflow(*read, *written, &sum)) return {};
    return sum;
  }

 private:
  std::vector<std::size_t> positions_;
};

}  // namespace darrow

/// Filling the Outcome of an aggregation.
#pragma once

#include <type_traits>

#include "aggregate/reducer.hpp"
#include "base/memory.hpp"
#include "table/build.hpp"

namespace darrow {

/// The column of a field without its values.
template <typename T>
Column empty_column(const Field& field, std::size_t groups) {
  Column column;
  column.name = field.label();
  column.type = std::is_same_v<T, double>          ? ColumnType::f64
                : std::is_same_v<T, std::uint64_t> ? ColumnType::u64
                                                   : ColumnType::i64;
  column.length = static_cast<std::int64_t>(groups);
  column.field = &field;
  return column;
}

/// Sets the column of the field at `position` to 0 everywhere. REQUIRES: no group is empty.
template <typename T>
void set_zero(Outcome& outcome, std::size_t position, const Field& field, std::size_t groups) {
  Column column = empty_column<T>(field, groups);
  column.data = outcome.zeros;
  outcome.values[position] = std::move(column);
}

/// Sets the column of the field at `position`: value(g) an optional<T>, missing(g) a count.
template <typename T, typename Value, typename Missing>
void set(Outcome& outcome, std::size_t position, const Field& field, std::size_t groups, Value value, Missing missing) {
  Column column = empty_column<T>(field, groups);
  NewBuffer values(groups * sizeof(T));
  std::vector<std::int64_t> nulls, counts;
  for (std::size_t g = 0; g < groups; ++g) {
    std::optional<T> of_group = value(g);
    if (!of_group) nulls.push_back(static_cast<std::int64_t>(g));
    values.as<T>()[g] = of_group.value_or(T{});
    std::int64_t count = missing(g);
    if (count && counts.empty()) counts.resize(groups);
    if (count) counts[g] = count;
  }
  column.data = values.buffer();
  column.null_count = static_cast<std::int64_t>(nulls.size());
  column.validity = validity_without(column.length, nulls);
  outcome.values[position] = std::move(column);
  outcome.missing[position] = std::move(counts);
}

}  // namespace darrow

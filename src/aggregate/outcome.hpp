/// Filling the Outcome of an aggregation.
#pragma once

#include "aggregate/reducer.hpp"
#include "table/build.hpp"

namespace darrow {

/// Sets the column of the field at `position`: value(g) an optional<T>, missing(g) a count.
template <typename T, typename Value, typename Missing>
void set(Outcome& outcome, std::size_t position, const Field& field, std::size_t groups, Value value, Missing missing) {
  std::vector<std::optional<T>> values;
  std::vector<std::int64_t> counts;
  for (std::size_t g = 0; g < groups; ++g) {
    values.push_back(value(g));
    counts.push_back(missing(g));
  }
  Column column = value_column<T>(std::string(field.label()), values);
  column.field = &field;
  outcome.values[position] = std::move(column);
  outcome.missing[position] = std::move(counts);
}

}  // namespace darrow

#include "write/renumber.hpp"

#include <algorithm>

#include "base/memory.hpp"

namespace darrow {
namespace {

/// The fastest and the slowest rank.
bool names_a_rank(const Field& field) {
  return field.unit == rank_field.unit && (field.rule == Rule::fastest || field.rule == Rule::slowest);
}

/// The column with `value(row, old value)` in each row.
template <typename Value>
void replace(Column& column, Value value) {
  auto old = column.values<std::int64_t>();
  NewBuffer now(old.size_bytes());
  for (std::size_t row = 0; row < old.size(); ++row) now.as<std::int64_t>()[row] = value(row, old[row]);
  column.data = now.buffer();
  column.all_zero = false;
}

}  // namespace

void renumber_ranks(std::vector<Column>& columns, const std::function<std::int64_t(std::int64_t rank)>& number) {
  auto ranks = std::ranges::find(columns, &rank_field, &Column::field);
  const Column of_records = *ranks;
  auto own = of_records.values<std::int64_t>();
  for (auto& column : columns)
    if (column.field && names_a_rank(*column.field))
      replace(column,
              [&](std::size_t row, std::int64_t rank) { return own[row] == -1 && rank >= 0 ? number(rank) : rank; });
  replace(*ranks, [&](std::size_t, std::int64_t rank) { return number(rank); });
}

}  // namespace darrow

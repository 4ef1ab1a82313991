#include "darrow/aggregate.hpp"

#include <tuple>

#include "table/join.hpp"

namespace darrow {
namespace {

/// The keys, and beside them the first rows of those columns that have other names.
std::shared_ptr<const Table> with_keys(const Table& keys, const Table& values) {
  auto table = std::make_shared<Table>(values);
  table->rows = keys.rows;
  table->columns = keys.columns;
  for (const auto& column : values.columns) {
    if (keys.find(column.name)) continue;
    const Piece first[] = {{&column, 0, keys.rows}};
    table->columns.push_back(values.rows == keys.rows ? column : join(first));
    table->columns.back().name = column.name;
    table->columns.back().field = column.field;
  }
  return table;
}

}  // namespace

Aggregate aggregate(const Accumulator& records, const Grouping* grouping) {
  Aggregate result{nullptr, nullptr, records.problems()};
  if (!grouping) {
    std::tie(result.table, result.missing) = records.tables();
    return result;
  }
  auto groups = grouping->groups();
  const Accumulator* all = &records;
  std::optional<Accumulator> overlapping;
  if (!groups.rounds().empty()) {
    auto rounds = groups.rounds();
    for (auto& round : rounds) round.resize(static_cast<std::size_t>(records.groups()));
    all = &overlapping.emplace(records.regrouped(rounds));
  }
  auto [table, missing] = all->tables();
  Table keys = groups.keys();
  result.table = with_keys(keys, *table);
  result.missing = with_keys(keys, *missing);
  return result;
}

}  // namespace darrow

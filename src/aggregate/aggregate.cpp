#include "darrow/aggregate.hpp"

#include <tuple>

#include "aggregate/with_keys.hpp"

namespace darrow {
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

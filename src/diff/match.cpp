#include "diff/match.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace darrow::diffing {
namespace {

/// The rows of a table as they are gone through.
struct SortedRows {
  SortedRows(const Table* table, const IdOrder& order) {
    if (!table) return;
    rows.resize(static_cast<std::size_t>(table->rows));
    auto ids = table->find(id_field.name)->values<std::uint64_t>();
    auto ranks = table->find(rank_field.name)->values<std::int64_t>();
    for (std::size_t r = 0; r < rows.size(); ++r)
      rows[r] = {{order.at(ids[r]), ranks[r]}, static_cast<std::int64_t>(r)};
    std::ranges::sort(rows);
  }
  using Key = std::pair<std::size_t, std::int64_t>;
  std::vector<std::pair<Key, std::int64_t>> rows;
};

}  // namespace

void number_ids(const Table& table, IdOrder& order) {
  for (auto id : table.find(id_field.name)->values<std::uint64_t>()) order.try_emplace(id, order.size());
}

std::vector<RowPair> matched(const Table* a, const Table* b, const IdOrder& order) {
  const SortedRows left(a, order), right(b, order);
  std::vector<RowPair> pairs;
  std::size_t i = 0, j = 0;
  while (i < left.rows.size() || j < right.rows.size()) {
    const bool takes_a = j == right.rows.size() || (i < left.rows.size() && left.rows[i].first <= right.rows[j].first);
    const bool takes_b = i == left.rows.size() || (j < right.rows.size() && right.rows[j].first <= left.rows[i].first);
    pairs.push_back({takes_a ? left.rows[i++].second : -1, takes_b ? right.rows[j++].second : -1});
  }
  return pairs;
}

}  // namespace darrow::diffing

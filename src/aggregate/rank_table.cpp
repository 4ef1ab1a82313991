#include "aggregate/rank_table.hpp"

#include <numeric>

namespace darrow {

std::uint32_t RankTable::add(std::uint32_t group, std::int64_t rank) {
  pairs_.push_back({rank, group});
  for (auto& times : times_) times.resize(pairs_.size());
  return last_ = static_cast<std::uint32_t>(pairs_.size() - 1);
}

std::uint32_t RankTable::entry(std::uint32_t group, std::int64_t rank) {
  if (rank < 0) return rank == -1 ? all : nobody;
  if (last_ < pairs_.size() && pairs_[last_].rank == rank && pairs_[last_].group == group) return last_;
  if (group >= first_.size()) first_.resize(std::size_t{group} + 1);
  if (!first_[group]) return (first_[group] = add(group, rank) + 1) - 1;
  if (pairs_[first_[group] - 1].rank == rank) return last_ = first_[group] - 1;
  auto [at, is_new] = more_.insert(group, static_cast<std::uint64_t>(rank));
  if (is_new) more_entries_.push_back(add(group, rank));
  return last_ = more_entries_[at];
}

std::vector<std::uint32_t> RankTable::merge(const RankTable& other, std::span<const std::uint32_t> into) {
  std::vector<std::uint32_t> entries;
  entries.reserve(other.size());
  for (const auto& from : other.pairs_) entries.push_back(entry(into[from.group], from.rank));
  for (std::size_t k = 0; k < kinds; ++k) times_[k].merge(other.times_[k], entries);
  return entries;
}

void RankTable::write(StateWriter& state) const {
  state.put(static_cast<std::uint64_t>(size()));
  for (std::size_t i = 0; i < size(); ++i) {
    state.put(pairs_[i].group);
    state.put(pairs_[i].rank);
    for (const auto& times : times_) state.put(times.exact(i).words());
  }
}

void RankTable::read(StateReader& state, std::size_t groups) {
  auto count = state.get_count(12 + kinds * sizeof(TimeSum));
  for (std::size_t i = 0; i < count && state.ok(); ++i) {
    auto group = state.get<std::uint32_t>();
    auto rank = state.get<std::int64_t>();
    if (group >= groups || rank < 0 || entry(group, rank) != i) return state.fail();
    for (auto& times : times_) {
      TimeSum sum;
      sum.words() = state.get<std::array<std::uint64_t, 4>>();
      times.add(i, sum);
    }
  }
}

RanksByGroup::RanksByGroup(const RankTable& ranks, std::size_t groups) : entries_(ranks.size()), begins_(groups + 1) {
  for (std::size_t i = 0; i < ranks.size(); ++i) ++begins_[ranks.group(i) + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  auto next = begins_;
  for (std::size_t i = 0; i < ranks.size(); ++i) entries_[next[ranks.group(i)]++] = static_cast<std::uint32_t>(i);
}

}  // namespace darrow

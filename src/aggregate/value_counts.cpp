#include "aggregate/value_counts.hpp"

#include <algorithm>
#include <numeric>

namespace darrow {
std::size_t ValueCounts::hash_of(std::uint32_t group, std::span<const std::int64_t> value) const {
  std::size_t hash = hash_(group, static_cast<std::uint64_t>(value[0]));
  for (auto key : value.subspan(1)) hash = hash_(hash ^ static_cast<std::uint64_t>(key));
  return hash;
}

bool ValueCounts::is(std::size_t entry, std::uint32_t group, std::span<const std::int64_t> value) const {
  return groups_[entry] == group &&
         std::equal(value.begin(), value.end(), values_.begin() + static_cast<std::ptrdiff_t>(entry * keys_));
}

std::size_t ValueCounts::slot(std::uint32_t group, std::span<const std::int64_t> value) const {
  std::size_t mask = slots_.size() - 1, at = hash_of(group, value) & mask;
  while (slots_[at] && !is(slots_[at] - 1, group, value)) at = (at + 1) & mask;
  return at;
}

void ValueCounts::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 4, 0);
  for (std::size_t e = 0; e < size(); ++e) slots_[slot(groups_[e], value(e))] = static_cast<std::uint32_t>(e + 1);
}

std::size_t ValueCounts::add(std::uint32_t group, std::span<const std::int64_t> value, std::int64_t count,
                             std::size_t hint) {
  std::size_t entry = hint;
  if (hint >= size() || !is(hint, group, value)) {
    if (2 * size() >= slots_.size()) grow();
    std::size_t at = slot(group, value);
    if (slots_[at] == 0) {
      groups_.push_back(group);
      values_.insert(values_.end(), value.begin(), value.end());
      counts_.push_back(0);
      slots_[at] = static_cast<std::uint32_t>(size());
    }
    entry = slots_[at] - 1;
  }
  auto& sum = counts_[entry];
  if (sum == too_many || count == too_many || __builtin_add_overflow(sum, count, &sum)) sum = too_many;
  return entry;
}

void ValueCounts::merge(const ValueCounts& other, std::span<const std::uint32_t> into) {
  for (std::size_t e = 0; e < other.size(); ++e) add(into[other.groups_[e]], other.value(e), other.counts_[e]);
}

ValueCounts::Sorted ValueCounts::sorted(std::size_t groups) const {
  Sorted sorted;
  sorted.begins_.resize(groups + 1);
  for (auto group : groups_) ++sorted.begins_[group + 1];
  std::partial_sum(sorted.begins_.begin(), sorted.begins_.end(), sorted.begins_.begin());
  sorted.entries_.resize(size());
  auto next = sorted.begins_;
  for (std::size_t e = 0; e < size(); ++e) sorted.entries_[next[groups_[e]]++] = e;
  auto before = [&](std::size_t a, std::size_t b) {
    if (counts_[a] != counts_[b])  // as unsigned: what does not fit is the most
      return static_cast<std::uint64_t>(counts_[a]) > static_cast<std::uint64_t>(counts_[b]);
    return std::ranges::lexicographical_compare(value(b), value(a));
  };
  for (std::size_t g = 0; g < groups; ++g) {
    auto at = [&](std::size_t begin) { return sorted.entries_.begin() + static_cast<std::ptrdiff_t>(begin); };
    std::sort(at(sorted.begins_[g]), at(sorted.begins_[g + 1]), before);
    sorted.most_ = std::max(sorted.most_, sorted.begins_[g + 1] - sorted.begins_[g]);
  }
  return sorted;
}

void ValueCounts::write(StateWriter& state) const {
  state.put(static_cast<std::uint64_t>(size()));
  for (std::size_t e = 0; e < size(); ++e) {
    state.put(groups_[e]);
    for (auto key : value(e)) state.put(key);
    state.put(counts_[e]);
  }
}

void ValueCounts::read(StateReader& state, std::size_t groups) {
  auto entries = state.get_count(4 + 8 * keys_ + 8);
  std::vector<std::int64_t> value(keys_);
  for (std::size_t e = 0; e < entries && state.ok(); ++e) {
    auto group = state.get<std::uint32_t>();
    for (auto& key : value) key = state.get<std::int64_t>();
    auto count = state.get<std::int64_t>();
    if (group >= groups || value[0] <= 0 || (count <= 0 && count != too_many)) state.fail();
    else add(group, value, count);
  }
}

}  // namespace darrow

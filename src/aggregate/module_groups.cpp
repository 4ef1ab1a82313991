#include "aggregate/module_groups.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace darrow {
namespace {

std::vector<std::uint32_t> all_of(std::size_t groups) {
  std::vector<std::uint32_t> all(groups);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

/// Sorts the first `limit` by `before`, and leaves out the others.
template <typename Before>
void keep_first(std::vector<std::uint32_t>& numbers, std::size_t limit, Before before) {
  auto kept = std::min(limit, numbers.size());
  std::partial_sort(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(kept), numbers.end(), before);
  numbers.resize(kept);
}

}  // namespace

LogGroups::LogGroups(Grouping numbers, Activity activity, bool is_partial, bool is_damaged)
    : grouping(std::move(numbers)),
      groups(grouping.groups()),
      facts(std::move(activity), groups.size()),
      partial(is_partial),
      damaged(is_damaged) {}

void ModuleGroups::add(std::unique_ptr<LogGroups> log) {
  if (size() == 0) {
    only_ = std::move(log);
    return;
  }
  settle();
  add_settled(*log);
}

void ModuleGroups::merge(ModuleGroups&& other) {
  if (size() == 0) {
    *this = std::move(other);
    return;
  }
  if (other.only_) return add(std::move(other.only_));
  settle();
  auto into = keys_.number(other.keys_.rows());
  resize();
  facts_.merge(other.facts_, into, same_files_);
  rejected_ += other.rejected_;
  for (std::size_t g = 0; g < into.size(); ++g) {
    partial_[into[g]] |= other.partial_[g];
    damaged_[into[g]] |= other.damaged_[g];
  }
}

void ModuleGroups::settle() {
  if (only_) add_settled(*std::exchange(only_, nullptr));
}

void ModuleGroups::add_settled(const LogGroups& log) {
  auto into = keys_.number(log.groups.keys());
  resize();
  facts_.add(log.facts, into, same_files_);
  rejected_ += log.facts.rejected();
  for (auto g : into) {
    partial_[g] |= log.partial;
    damaged_[g] |= log.damaged;
  }
}

void ModuleGroups::resize() {
  facts_.resize(keys_.size());
  partial_.resize(keys_.size());
  damaged_.resize(keys_.size());
}

Table ModuleGroups::keys(std::span<const std::uint32_t> groups) const {
  return only_ ? only_->groups.keys(groups) : keys_.rows(groups);
}

Facts ModuleGroups::facts(std::uint32_t group, bool everywhere) const {
  Facts facts;
  set_inputs(group, all_roles(), everywhere, facts);
  return facts;
}

void ModuleGroups::set_inputs(std::uint32_t group, std::span<const Role> inputs, bool everywhere, Facts& facts) const {
  if (only_) only_->facts.set_inputs(group, inputs, facts);
  else facts_.set_inputs(group, inputs, everywhere, facts);
}

std::vector<std::uint32_t> ModuleGroups::largest(std::span<const std::int64_t> values, std::size_t limit) const {
  auto groups = all_of(size());
  if (limit == 0) return {};
  auto larger = [&](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; };
  if (limit < groups.size()) {
    // Only what may be among them needs its keys.
    auto last = groups.begin() + static_cast<std::ptrdiff_t>(limit - 1);
    std::nth_element(groups.begin(), last, groups.end(), larger);
    auto least = values[*last];
    std::erase_if(groups, [&](std::uint32_t g) { return values[g] < least; });
  }
  std::ranges::sort(groups);
  KeyTable told;
  if (only_) told.number(only_->groups.keys(groups));
  const KeyTable& keys = only_ ? told : keys_;
  std::vector<std::uint32_t> row(only_ ? size() : 0);  // of a group in `told`
  if (only_)
    for (std::size_t i = 0; i < groups.size(); ++i) row[groups[i]] = static_cast<std::uint32_t>(i);
  auto at = [&](std::uint32_t g) { return only_ ? row[g] : g; };
  keep_first(groups, limit, [&](std::uint32_t a, std::uint32_t b) {
    return values[a] != values[b] ? values[a] > values[b] : keys.compare(at(a), at(b)) < 0;
  });
  return groups;
}

std::vector<std::uint32_t> ModuleGroups::first_by(std::string_view key, std::size_t limit) const {
  auto groups = all_of(size());
  KeyTable told;
  if (only_) told.number(only_->groups.keys());
  const KeyTable& keys = only_ ? told : keys_;
  auto column = keys.column(key);
  keep_first(groups, limit, [&](std::uint32_t a, std::uint32_t b) {
    bool has_a = keys.has(a, column), has_b = keys.has(b, column);
    if (has_a != has_b) return has_a;
    int order = has_a ? keys.compare(a, b, column) : 0;
    return (order ? order : keys.compare(a, b)) < 0;
  });
  return groups;
}

}  // namespace darrow

#include "aggregate/groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace darrow {

std::size_t groups_for(std::span<const std::uint32_t> numbers) {
  return numbers.empty() ? 0 : std::size_t{*std::max_element(numbers.begin(), numbers.end())} + 1;
}

std::string too_many_groups(std::size_t groups) {
  return fmt::format("group {} given: the highest possible is {}", groups - 1, most_groups - 1);
}

std::optional<std::uint64_t> Groups::id(std::size_t group) const {
  return groups_[group].files == 1 ? std::optional(groups_[group].id) : std::nullopt;
}

std::optional<std::int64_t> Groups::rank(std::size_t group) const {
  return groups_[group].files == 1 ? std::optional(groups_[group].rank) : std::nullopt;
}

void Groups::Group::add(std::uint64_t of_id, std::int64_t of_rank) {
  if (files == 0) {
    files = 1;
    id = of_id;
    rank = of_rank;
    return;
  }
  if (id != of_id) files = 2;
  if (rank != of_rank) rank = -1;
}

void Groups::add(const Rows& rows) {
  auto ids = rows.ids();
  auto ranks = rows.ranks();
  for (std::size_t r = 0; r < rows.count; ++r) {
    auto& group = groups_[rows.group(r)];
    ++group.records;
    group.add(ids[r], ranks[r]);
  }
}

void Groups::merge(const Groups& other, std::span<const std::uint32_t> into) {
  for (std::size_t g = 0; g < other.size(); ++g) {
    const auto& from = other.groups_[g];
    if (from.files == 0) continue;
    auto& to = groups_[into[g]];
    to.records += from.records;
    to.add(from.id, from.rank);
    if (from.files > 1) to.files = 2;
  }
}

void Groups::write(StateWriter& state) const {
  for (const auto& group : groups_) state.put(group);
}

void Groups::read(StateReader& state) {
  for (auto& group : groups_) {
    group = state.get<Group>();
    if (group.records < 0 || group.records > most_records || group.files < 0 || group.files > 2 ||
        (group.records == 0) != (group.files == 0))
      state.fail();
  }
}

}  // namespace darrow

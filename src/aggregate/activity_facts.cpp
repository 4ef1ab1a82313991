// From what an Activity holds to Facts.
#include <algorithm>

#include "aggregate/activity_state.hpp"
#include "aggregate/file_categories.hpp"
#include "aggregate/job_facts.hpp"

namespace darrow {

namespace {

/// Facts that are counts, and others that are no times. `count`: the value of counts in the group.
template <typename Count>
Facts counts_of(const Activity::State& state, const ActivityGroup& group, Count count) {
  Facts facts;
  facts.records = group.records;
  if (state.nprocs >= 1) facts.nprocs = state.nprocs;
  auto total = [&](const KnownCounts& c) { return group.records ? count(c) : std::optional<std::int64_t>(0); };
  for (Role role : all_roles())
    if (group.known(role) && kind_of(role) == Kind::count)
      facts.counts[at(role)] = total(state.counts.by_role[at(role)]);
  for (std::size_t b = 0; b < size_buckets; ++b) {
    if (group.known(Role::size_read)) facts.read_sizes[b] = total(state.counts.read_sizes[b]);
    if (group.known(Role::size_write)) facts.write_sizes[b] = total(state.counts.write_sizes[b]);
  }
  facts.has_common_accesses = group.known(Role::access_size);
  return facts;
}

void add_common_accesses(const ValueCounts& common, std::vector<Facts>& all) {
  auto sorted = common.sorted(all.size());
  for (std::size_t g = 0; g < all.size(); ++g)
    for (auto entry : sorted[g]) all[g].common_accesses.emplace_back(common.value(entry)[0], common.count(entry));
}

/// All groups as one.
struct Joined {
  explicit Joined(const Activity::State& s) {
    const std::vector<std::uint32_t> first(s.groups.size(), 0);
    group.resize(1);
    for (const auto& g : s.groups) group[0].merge(g);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      rest[i].resize(1);
      rest[i].merge(s.rest[i], first);
    }
    rank_at = ranks.merge(s.ranks, first);
    common.merge(s.common, first);
  }
  std::vector<ActivityGroup> group;
  RestTimes rest;
  RankTable ranks;
  std::vector<std::uint32_t> rank_at;  ///< where each rank of the state is in `ranks`
  ValueCounts common{1};
};

}  // namespace

std::vector<Facts> Activity::facts(bool file_categories) const {
  const State& s = *state_;
  ProcessTimes times(s.groups, s.rest, s.ranks, s.nprocs);
  std::vector<Facts> all;
  all.reserve(s.groups.size());
  for (std::size_t g = 0; g < s.groups.size(); ++g) {
    all.push_back(counts_of(s, s.groups[g], [g](const KnownCounts& c) { return c.value(g); }));
    set_times(times.of(g), all.back());
    all.back().files[0].files = s.files_in(g);
  }
  if (file_categories && s.detail == Detail::files)
    add_file_categories(s.files, s.nprocs, {s.groups, s.ranks, {}}, all);
  add_common_accesses(s.common, all);
  return all;
}

std::size_t Activity::groups() const { return state_->groups.size(); }

Facts Activity::total() const {
  const State& s = *state_;
  if (s.groups.empty()) return {};
  if (s.groups.size() == 1) return std::move(facts()[0]);
  Joined joined(s);
  std::vector<Facts> one{counts_of(s, joined.group[0], [](const KnownCounts& c) { return c.total(); })};
  set_times(ProcessTimes(joined.group, joined.rest, joined.ranks, s.nprocs).of(0), one[0]);
  if (s.detail == Detail::files)
    add_file_categories(s.files, s.nprocs, {joined.group, joined.ranks, joined.rank_at}, one);
  add_common_accesses(joined.common, one);
  return std::move(one[0]);
}

}  // namespace darrow

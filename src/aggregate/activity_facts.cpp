// From what an Activity holds to Facts: the slowest rank, the longest times, file categories.
#include <algorithm>

#include "aggregate/activity_state.hpp"
#include "aggregate/file_categories.hpp"

namespace darrow {

namespace {

/// `count`: the value of counts in the group.
template <typename Count>
Facts sums_of(const Activity::State& state, const ActivitySums& group, Count count) {
  Facts facts;
  facts.records = group.records;
  if (state.nprocs >= 1) facts.nprocs = state.nprocs;
  auto known = [&](Role role) { return group.known(role); };
  auto total = [&](const ActivityCounts& c) { return group.records ? count(c) : std::optional<std::int64_t>(0); };
  for (std::size_t i = 1; i < role_count; ++i) {
    auto role = static_cast<Role>(i);
    if (known(role) && kind_of(role) == Kind::count) facts.counts[i] = total(state.counts[i]);
  }
  for (std::size_t b = 0; b < size_buckets; ++b) {
    if (known(Role::size_read)) facts.read_sizes[b] = total(state.read_sizes[b]);
    if (known(Role::size_write)) facts.write_sizes[b] = total(state.write_sizes[b]);
  }
  facts.has_common_accesses = known(Role::access_size);
  // Without read, write and metadata time of all modules there is no time of a rank.
  bool timed = known(Role::read_time) && known(Role::write_time) && known(Role::meta_time);
  if (!timed || !known(Role::slowest_time)) return facts;
  // No records of a kind: no time. Records of it without any time: nobody knows.
  const auto& slowest = group.times[time_at(Role::slowest_time)];
  bool nobody = group.records && !group.rank_records && !group.shared_records;
  if (!nobody && (slowest.terms || !group.shared_records)) facts.shared_time = slowest.sum.value();
  return facts;
}

/// Makes facts of each group, or of all groups as one.
class FactMaker {
 public:
  FactMaker(const Activity::State& state, bool as_one)
      : state_(state),
        as_one_(as_one && state.groups.size() > 1),
        last_(state.groups.size()),
        sums_(state.groups),
        ranks_(state.files.ranks()) {
    in_order_ = std::ranges::is_sorted(ranks_, {}, &FileTable::Rank::group);
    if (!as_one_) return;
    last_ = 1;
    merged_.resize(1);
    for (const auto& sums : state.groups) merged_[0].merge(sums);
    joined_ = state.files.ranks_as_one(rank_at_);
    sums_ = merged_;
    ranks_ = joined_;
  }
  std::vector<Facts> facts(bool file_categories) const;
  /// Those of some groups, without categories and common accesses.
  std::vector<Facts> part(std::size_t first, std::size_t last) {
    first_ = first;
    last_ = last;
    in_part_ = true;
    return facts(false);
  }

 private:
  /// The place of a group's facts, or `nowhere`.
  std::size_t group(std::uint32_t of) const {
    if (as_one_) return 0;
    return of >= first_ && of < last_ ? of - first_ : nowhere;
  }
  static constexpr std::size_t nowhere = SIZE_MAX;
  /// Those that may be of the groups.
  std::span<const FileTable::Rank> ranks_of_groups() const {
    auto of = &FileTable::Rank::group;
    if (!in_part_ || !in_order_) return ranks_;
    auto begin = std::ranges::lower_bound(ranks_, first_, {}, of),
         end = std::ranges::lower_bound(ranks_, last_, {}, of);
    return {begin, end};
  }
  void add_rank_times(std::vector<Facts>& all) const;
  void count_files(std::vector<Facts>& all) const;
  void add_common_accesses(std::vector<Facts>& all) const;

  const Activity::State& state_;
  bool as_one_;
  std::size_t first_ = 0, last_;  ///< which groups
  bool in_part_ = false;
  bool in_order_;  ///< whether ranks ascend by group
  std::vector<ActivitySums> merged_;
  std::vector<FileTable::Rank> joined_;
  std::vector<std::uint32_t> rank_at_;  ///< where each rank of the state is in `joined_`
  std::span<const ActivitySums> sums_;
  std::span<const FileTable::Rank> ranks_;
};

void FactMaker::add_rank_times(std::vector<Facts>& all) const {
  struct Slowest {
    TimeSum sums[3];
    TimeSum io, rw, longest[3];
    std::optional<std::int64_t> rank, rank_of[3];
    TimeSum meta;
  };
  auto later = [](const TimeSum& time, const TimeSum& than, std::int64_t rank, std::optional<std::int64_t> than_rank) {
    return !than_rank || time > than || (time == than && rank < *than_rank);
  };
  std::vector<Slowest> slowest(all.size());
  for (const auto& rank : ranks_of_groups()) {
    if (group(rank.group) == nowhere) continue;
    auto& s = slowest[group(rank.group)];
    TimeSum rw = rank.times[0];
    rw.add(rank.times[1]);
    TimeSum io = rw;
    io.add(rank.times[2]);
    if (later(io, s.io, rank.rank, s.rank)) {
      s.io = io;
      s.rw = rw;
      s.meta = rank.times[2];
      s.rank = rank.rank;
    }
    for (std::size_t k = 0; k < 3; ++k) s.sums[k].add(rank.times[k]);
    for (std::size_t k = 0; k < 3; ++k)
      if (later(rank.times[k], s.longest[k], rank.rank, s.rank_of[k])) {
        s.longest[k] = rank.times[k];
        s.rank_of[k] = rank.rank;
      }
  }
  for (std::size_t g = 0; g < all.size(); ++g) {
    Facts& facts = all[g];
    const auto& s = slowest[g];
    TimeSum all_io;
    auto total = [&](Role role, TimeSum sum) {
      const auto& rest = sums_[first_ + g].times[time_at(role)];
      sum.add(rest.sum);
      if (sums_[first_ + g].known(role) && (rest.terms || facts.records == 0)) facts.times[at(role)] = sum.value();
      if (role != Role::wait_time) all_io.add(sum);
    };
    for (std::size_t k = 0; k < 3; ++k) total(rank_times[k], s.sums[k]);
    total(Role::wait_time, {});
    const auto& group = sums_[first_ + g];
    bool has_roles = group.known(Role::read_time) && group.known(Role::write_time) && group.known(Role::meta_time) &&
                     group.known(Role::slowest_time);
    bool nobody = group.records && !group.rank_records && !group.shared_records;
    bool timed = has_roles && !nobody && (group.rank_times || !group.rank_records);
    if (timed) {
      facts.unique_time = s.io.value();
      facts.unique_rw_time = s.rw.value();
      facts.unique_meta_time = s.meta.value();
      if (s.io.value() > 0) facts.slowest_rank = s.rank;
    }
    const auto& shared = sums_[first_ + g].shared;
    // A record of all ranks hides who took how long, but of a single process there is nothing to hide.
    bool one_process = facts.nprocs == 1;
    auto set = [&](Facts::ProcessTime& time, const TimeSum& longest, std::optional<std::int64_t> rank,
                   std::optional<double> all, bool hidden) {
      if (!all || (hidden && !one_process)) return;
      time.longest = one_process ? *all : longest.value();
      if (*time.longest > 0) time.rank = one_process ? 0 : rank;
    };
    set(facts.read, s.longest[0], s.rank_of[0], facts.time(Role::read_time), shared[0]);
    set(facts.write, s.longest[1], s.rank_of[1], facts.time(Role::write_time), shared[1]);
    set(facts.meta, s.longest[2], s.rank_of[2], facts.time(Role::meta_time), shared[2]);
    bool any_time = facts.time(Role::read_time) || facts.time(Role::write_time) || facts.time(Role::meta_time);
    auto io = timed && any_time ? std::optional(all_io.value()) : std::nullopt;
    set(facts.io, s.io, s.rank, io, shared[0] || shared[1] || shared[2]);
  }
}

void FactMaker::add_common_accesses(std::vector<Facts>& all) const {
  ValueCounts joined(1);
  if (as_one_) joined.merge(state_.common, std::vector<std::uint32_t>(state_.groups.size(), 0));
  const ValueCounts& common = as_one_ ? joined : state_.common;
  auto sorted = common.sorted(all.size());
  for (std::size_t g = 0; g < all.size(); ++g)
    for (auto entry : sorted[g]) all[g].common_accesses.emplace_back(common.value(entry)[0], common.count(entry));
}

void FactMaker::count_files(std::vector<Facts>& all) const {
  for (std::size_t g = 0; g < all.size(); ++g) all[g].files[0].files = state_.files.files_in(first_ + g);
}

std::vector<Facts> FactMaker::facts(bool file_categories) const {
  std::vector<Facts> all;
  all.reserve(last_ - first_);
  for (std::size_t g = first_; g < last_; ++g)
    all.push_back(sums_of(state_, sums_[g], [&](const ActivityCounts& c) { return as_one_ ? c.total() : c.value(g); }));
  add_rank_times(all);
  if (file_categories) add_file_categories(state_.files, state_.nprocs, {sums_, ranks_, rank_at_}, all);
  else count_files(all);
  if (!in_part_) add_common_accesses(all);
  return all;
}

}  // namespace

std::vector<Facts> Activity::facts(bool file_categories) const {
  return FactMaker(*state_, false).facts(file_categories);
}

void Activity::each_group(const std::function<void(std::size_t, const Facts&)>& f) const {
  constexpr std::size_t at_once = 64;
  FactMaker maker(*state_, false);
  for (std::size_t first = 0, last = 0; first < groups(); first = last) {
    last = std::min(first + at_once, groups());
    auto facts = maker.part(first, last);
    for (std::size_t g = 0; g < facts.size(); ++g) f(first + g, facts[g]);
  }
}

std::size_t Activity::groups() const { return state_->groups.size(); }

Facts Activity::total() const {
  auto all = FactMaker(*state_, true).facts(true);
  return all.empty() ? Facts{} : std::move(all[0]);
}

}  // namespace darrow

#include "aggregate/process_times.hpp"

namespace darrow {
namespace {

constexpr std::size_t kinds = std::size(rank_times);
static_assert(kinds == RankTable::kinds && rank_times[0] == Role::read_time && rank_times[1] == Role::write_time &&
              rank_times[2] == Role::meta_time);

/// A time, and which rank took it.
struct OfRank {
  double time = 0;
  std::optional<std::int64_t> rank;
};

/// What there is to know of the ranks of a group, each number rounded once.
struct OfRanks {
  std::array<double, kinds> sums{};   ///< over all ranks and what is of no single rank
  double io_sum = 0;                  ///< of these
  std::array<OfRank, kinds> longest;  ///< of equally long ones the lowest rank's
  OfRank slowest;                     ///< the longest of all kinds together
  double slowest_rw = 0, slowest_meta = 0;
};

/// The same while it is added up.
struct Longest {
  TimeSum time;
  std::optional<std::int64_t> rank;
  bool is_beaten_by(const TimeSum& other, std::int64_t of_rank) const {
    return !rank || other > time || (other == time && of_rank < *rank);
  }
  OfRank rounded() const { return {time.value(), rank}; }
};

OfRanks of_ranks(std::span<const std::uint32_t> entries, const RankTable& ranks, const RestTimes& rest, std::size_t g) {
  std::array<TimeSum, kinds> sums;
  std::array<Longest, kinds> longest;
  Longest slowest;
  TimeSum slowest_rw, slowest_meta;
  for (auto entry : entries) {
    auto rank = ranks.rank(entry);
    std::array<TimeSum, kinds> times;
    TimeSum io;
    for (std::size_t k = 0; k < kinds; ++k) {
      times[k] = ranks.times(k).exact(entry);
      sums[k].add(times[k]);
      io.add(times[k]);
      if (longest[k].is_beaten_by(times[k], rank)) longest[k] = {times[k], rank};
    }
    if (!slowest.is_beaten_by(io, rank)) continue;
    slowest = {io, rank};
    slowest_rw = times[0];
    slowest_rw.add(times[1]);
    slowest_meta = times[2];
  }
  OfRanks result;
  TimeSum io_sum;
  for (std::size_t k = 0; k < kinds; ++k) {
    sums[k].add(rest[time_at(rank_times[k])].exact(g));
    io_sum.add(sums[k]);
    result.sums[k] = sums[k].value();
    result.longest[k] = longest[k].rounded();
  }
  result.io_sum = io_sum.value();
  result.slowest = slowest.rounded();
  result.slowest_rw = slowest_rw.value();
  result.slowest_meta = slowest_meta.value();
  return result;
}

/// The same for one rank with at most one time of each kind, and two kinds: sums of two numbers round as any others do. Most
/// files of most jobs are so.
std::optional<OfRanks> of_one_rank(std::uint32_t entry, const RankTable& ranks) {
  std::array<double, kinds> times;
  int spent = 0;
  for (std::size_t k = 0; k < kinds; ++k) {
    auto single = ranks.times(k).single(entry);
    if (!single) return {};
    times[k] = *single;
    spent += *single != 0;
  }
  if (spent == static_cast<int>(kinds)) return {};
  OfRanks result;
  auto rank = ranks.rank(entry);
  result.sums = times;
  result.io_sum = times[0] + times[1] + times[2];
  for (std::size_t k = 0; k < kinds; ++k) result.longest[k] = {times[k], rank};
  result.slowest = {result.io_sum, rank};
  result.slowest_rw = times[0] + times[1];
  result.slowest_meta = times[2];
  return result;
}

}  // namespace

GroupTimes ProcessTimes::of(std::size_t g) const {
  const ActivityGroup& group = groups_[g];
  auto entries = by_group_.of(g);
  std::optional<OfRanks> ranks;
  if (entries.size() == 1 && !group.shared_records) ranks = of_one_rank(entries[0], ranks_);
  if (!ranks) ranks = of_ranks(entries, ranks_, rest_, g);

  GroupTimes result;
  auto known = [&](Role role) { return group.known(role) && (group.has_time(role) || group.records == 0); };
  bool any_time = false;
  for (std::size_t k = 0; k < kinds; ++k) {
    if (!known(rank_times[k])) continue;
    result.sums[k] = ranks->sums[k];
    any_time = true;
  }
  if (known(Role::wait_time)) result.wait = rest_[time_at(Role::wait_time)].value(g);

  // Without read, write and metadata time of all modules there is no time of a rank.
  bool has_roles = group.known(Role::read_time) && group.known(Role::write_time) && group.known(Role::meta_time) &&
                   group.known(Role::slowest_time);
  // No records of a kind: no time. Records of it without any time: nobody knows.
  bool nobody = group.records && !group.rank_records && !group.shared_records;
  bool timed = has_roles && !nobody && (group.ranks_timed || !group.rank_records);
  if (has_roles && !nobody && (group.has_time(Role::slowest_time) || !group.shared_records))
    result.shared = rest_[time_at(Role::slowest_time)].value(g);
  if (timed) {
    result.unique = ranks->slowest.time;
    result.unique_rw = ranks->slowest_rw;
    result.unique_meta = ranks->slowest_meta;
    if (*result.unique > 0) result.slowest_rank = ranks->slowest.rank;
  }
  // A record of all ranks hides who took how long, but of a single process there is nothing to hide.
  bool one_process = nprocs_ == 1;
  auto set = [&](Facts::ProcessTime& time, const OfRank& of, std::optional<double> all, bool hidden) {
    if (!all || (hidden && !one_process)) return;
    time.longest = one_process ? *all : of.time;
    if (*time.longest > 0) time.rank = one_process ? 0 : of.rank;
  };
  for (std::size_t k = 0; k < kinds; ++k)
    set(result.longest[k], ranks->longest[k], result.sums[k], group.shared >> k & 1);
  auto io = timed && any_time ? std::optional(ranks->io_sum) : std::nullopt;
  set(result.longest_io, ranks->slowest, io, group.shared != 0);
  return result;
}

}  // namespace darrow

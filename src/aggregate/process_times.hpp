/// From the times of ranks in a group to what metrics tell of processes.
#pragma once

#include <array>
#include <optional>

#include "aggregate/activity_state.hpp"

namespace darrow {

/// Seconds of the processes in one group. Nothing where it was not recorded.
struct GroupTimes {
  std::array<std::optional<double>, std::size(rank_times)> sums;  ///< over processes, by rank_times
  std::optional<double> wait;
  std::optional<double> unique, unique_rw, unique_meta, shared;  ///< see Facts::unique_time and its neighbours
  std::optional<std::int64_t> slowest_rank;
  std::array<Facts::ProcessTime, std::size(rank_times)> longest;  ///< by rank_times
  Facts::ProcessTime longest_io;
};

class ProcessTimes {
 public:
  /// Keeps references to all of them. `nprocs`: below 1: unknown.
  ProcessTimes(std::span<const ActivityGroup> groups, const RestTimes& rest, const RankTable& ranks,
               std::int64_t nprocs)
      : groups_(groups), rest_(rest), ranks_(ranks), by_group_(ranks, groups.size()), nprocs_(nprocs) {}
  GroupTimes of(std::size_t group) const;

 private:
  std::span<const ActivityGroup> groups_;
  const RestTimes& rest_;
  const RankTable& ranks_;
  RanksByGroup by_group_;
  std::int64_t nprocs_;
};

}  // namespace darrow

/// Files by what was done with them and by whom.
#pragma once

#include "aggregate/activity_state.hpp"

namespace darrow {

/// How the groups of an activity are looked at: each by itself, or all as one.
struct Grouping {
  std::span<const ActivityGroup> groups;   ///< one element: all as one
  const RankTable& ranks;                  ///< of these groups
  std::span<const std::uint32_t> rank_at;  ///< where each rank of the file table is in `ranks`; empty: at its own place

  std::size_t group(std::uint32_t of) const { return groups.size() == 1 ? 0 : of; }
};

/// Fills Facts::files of each group.
void add_file_categories(const FileTable& files, std::int64_t nprocs, const Grouping& by, std::vector<Facts>& all);

}  // namespace darrow

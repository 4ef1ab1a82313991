/// How long each rank took in each group.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "aggregate/state.hpp"
#include "aggregate/time_sums.hpp"
#include "base/keyed_index.hpp"

namespace darrow {

/// Pairs of a group and a rank, numbered in the order of their first appearance, with the times of their records.
class RankTable {
 public:
  static constexpr std::uint32_t all = UINT32_MAX, nobody = UINT32_MAX - 1;
  static constexpr std::size_t kinds = 3;  ///< of times: in read, write and metadata calls

  /// Makes room for one rank in each of that many groups.
  void reserve(std::size_t groups) {
    pairs_.reserve(groups);
    first_.reserve(groups);
    for (auto& times : times_) times.reserve(groups);
  }
  std::size_t size() const { return pairs_.size(); }
  std::uint32_t group(std::size_t entry) const { return pairs_[entry].group; }
  std::int64_t rank(std::size_t entry) const { return pairs_[entry].rank; }
  const TimeSums& times(std::size_t kind) const { return times_[kind]; }
  TimeSums& times(std::size_t kind) { return times_[kind]; }

  /// The entry of a rank, new or known; `all` for −1 (all of them), `nobody` for what is below.
  std::uint32_t entry(std::uint32_t group, std::int64_t rank);
  /// Adds the entries of another one, as those of group into[g]. Returns which entry each of them is here.
  std::vector<std::uint32_t> merge(const RankTable& other, std::span<const std::uint32_t> into);

  void write(StateWriter& state) const;
  void read(StateReader& state, std::size_t groups);

 private:
  struct Pair {
    std::int64_t rank;
    std::uint32_t group;
  };
  std::uint32_t add(std::uint32_t group, std::int64_t rank);

  std::vector<Pair> pairs_;
  std::array<TimeSums, kinds> times_;
  std::uint32_t last_ = 0;                   ///< records of one rank often lie together
  std::vector<std::uint32_t> first_;         ///< of each group: its first entry, and 1; 0: none
  KeyedIndex more_;                          ///< the other entries of groups
  std::vector<std::uint32_t> more_entries_;  ///< by position in `more_`
};

/// Entries of a rank table, group by group.
class RanksByGroup {
 public:
  RanksByGroup(const RankTable& ranks, std::size_t groups);
  std::span<const std::uint32_t> of(std::size_t group) const {
    return std::span(entries_).subspan(begins_[group], begins_[group + 1] - begins_[group]);
  }

 private:
  std::vector<std::uint32_t> entries_, begins_;
};

}  // namespace darrow

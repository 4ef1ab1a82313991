/// Which records each group of an accumulator holds: how many, of which file, of which rank.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aggregate/rows.hpp"
#include "aggregate/state.hpp"

namespace darrow {

/// The highest group number and one. More would be a mistake: memory goes by the highest number.
inline constexpr std::size_t most_groups = std::size_t{1} << 26;
/// How many groups there must be for these numbers.
std::size_t groups_for(std::span<const std::uint32_t> numbers);
std::string too_many_groups(std::size_t groups);

class Groups {
 public:
  std::size_t size() const { return groups_.size(); }
  std::int64_t records(std::size_t group) const { return groups_[group].records; }
  /// Whether records of more than one file are in the group.
  bool several_files(std::size_t group) const { return groups_[group].files > 1; }
  /// Whether the rows tell nothing of single files: all are of one group that has several.
  bool beyond_files(const Rows& rows) const { return rows.groups.empty() && rows.count && several_files(rows.only); }
  /// The record id, if all share it.
  std::optional<std::uint64_t> id(std::size_t group) const;
  /// Of one file: its rank, or −1 if it has several or a record of all ranks. Else nothing.
  std::optional<std::int64_t> rank(std::size_t group) const;

  void resize(std::size_t groups) { groups_.resize(groups); }
  void add(const Rows& rows);
  void merge(const Groups& other, std::span<const std::uint32_t> into);
  void write(StateWriter& state) const;
  void read(StateReader& state);

 private:
  struct Group {
    std::int64_t records = 0;
    std::uint64_t id = 0;
    std::int64_t rank = 0;
    std::int64_t files = 0;  ///< 0, 1, or 2 for more than one
    void add(std::uint64_t of_id, std::int64_t of_rank);
  };
  std::vector<Group> groups_;
};

}  // namespace darrow

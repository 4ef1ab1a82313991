/// What an Activity holds.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "aggregate/file_counts.hpp"
#include "aggregate/file_table.hpp"
#include "aggregate/role_counts.hpp"
#include "aggregate/value_counts.hpp"
#include "darrow/metrics.hpp"

namespace darrow {

/// Times that each rank has of its own; and all.
inline constexpr Role rank_times[] = {Role::read_time, Role::write_time, Role::meta_time};
inline constexpr Role time_roles[] = {Role::read_time, Role::write_time, Role::meta_time, Role::wait_time,
                                      Role::slowest_time};
constexpr std::size_t time_at(Role role) {
  return static_cast<std::size_t>(std::ranges::find(time_roles, role) - std::begin(time_roles));
}

/// A bit for each role.
using RoleSet = std::uint32_t;
static_assert(role_count <= 32);
constexpr RoleSet bit(Role role) { return RoleSet{1} << at(role); }

/// What kinds of records a group has; sums stand beside it, in columns.
struct ActivityGroup {
  std::int64_t records = 0;
  RoleSet present = 0, lacking = 0;  ///< roles that some, and that not all modules with records here have
  std::uint8_t timed = 0;            ///< a bit for each of time_roles: whether any record has such a time
  std::uint8_t shared = 0;           ///< a bit for each of rank_times: whether records of all ranks spent such time
  bool rank_records = false, shared_records = false;  ///< whether there are any of single ranks, of all ranks
  bool ranks_timed = false;                           ///< whether those of single ranks have any time

  /// Whether all that was added has the role: a sum of parts is none.
  bool known(Role role) const { return (present & ~lacking) & bit(role); }
  bool has_time(Role role) const { return timed >> time_at(role) & 1; }

  void merge(const ActivityGroup& other) {
    records += other.records;
    present |= other.present;
    lacking |= other.lacking;
    timed |= other.timed;
    shared |= other.shared;
    rank_records |= other.rank_records;
    shared_records |= other.shared_records;
    ranks_timed |= other.ranks_timed;
  }
};
/// Sums of times that are of no single rank, by time_roles.
using RestTimes = std::array<TimeSums, std::size(time_roles)>;

/// Columns of a table by role.
struct RoleColumns {
  std::vector<std::pair<Role, const Column*>> all;
  const Column* find(Role role) const {
    for (const auto& [r, c] : all)
      if (r == role) return c;
    return nullptr;
  }
};

struct Activity::State {
  std::int64_t nprocs = 0;
  Detail detail = Detail::files;
  std::int64_t records = 0;
  std::vector<ActivityGroup> groups;
  RoleCounts counts;
  RestTimes rest;
  RankTable ranks;
  FileTable files;         ///< with Detail::files
  FileCounts file_counts;  ///< else
  ValueCounts common{1};   ///< with Detail::files

  void resize(std::size_t count) {
    if (groups.size() >= count) return;
    groups.resize(count);
    counts.resize(count);
    for (auto& times : rest) times.resize(count);
  }
  std::int64_t files_in(std::size_t group) const {
    return detail == Detail::files ? files.files_in(group) : file_counts.in(group);
  }
  void add_sums(const Rows& rows, const RoleColumns& columns);
  void add_common(const Rows& rows, const Module& module);
  void add_records(const Rows& rows, const RoleColumns& columns, RoleSet of_module,
                   std::span<const std::int64_t> numbers);
};

}  // namespace darrow

/// What an Activity holds.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "aggregate/add_columns.hpp"
#include "aggregate/count_sums.hpp"
#include "aggregate/file_table.hpp"
#include "aggregate/value_counts.hpp"
#include "darrow/metrics.hpp"

namespace darrow {

constexpr std::size_t at(Role role) { return static_cast<std::size_t>(role); }

/// How the counters of a role come into the facts.
enum class Kind : std::uint8_t { none, count, time, offset, slowest, sizes, common };
constexpr Kind kind_of(Role role) {
  switch (role) {
    case Role::none: return Kind::none;
    case Role::read_time:
    case Role::write_time:
    case Role::meta_time:
    case Role::wait_time: return Kind::time;
    case Role::max_byte_read:
    case Role::max_byte_written: return Kind::offset;
    case Role::slowest_time: return Kind::slowest;
    case Role::size_read:
    case Role::size_write: return Kind::sizes;
    case Role::access_size: return Kind::common;
    default: return Kind::count;
  }
}

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

/// What there is of one group, but its counts.
struct ActivitySums {
  std::int64_t records = 0;
  std::array<CountedTime, std::size(time_roles)> times;  ///< sums of what ranks do not have; terms of all records
  std::array<bool, 3> shared{};  ///< whether records of all ranks spent time on reads, writes, metadata
  std::int64_t rank_records = 0, shared_records = 0;  ///< of single ranks, of all ranks
  std::int64_t rank_times = 0;                        ///< times that records of single ranks have
  RoleSet present = 0, lacking = 0;  ///< roles that some, and that not all modules with records here have

  /// Whether all that was added has the role: a sum of parts is none.
  bool known(Role role) const { return (present & ~lacking) & bit(role); }

  void merge(const ActivitySums& other) {
    records += other.records;
    rank_records += other.rank_records;
    shared_records += other.shared_records;
    rank_times += other.rank_times;
    present |= other.present;
    lacking |= other.lacking;
    for (std::size_t i = 0; i < times.size(); ++i) times[i].merge(other.times[i]);
    for (std::size_t i = 0; i < shared.size(); ++i) shared[i] |= other.shared[i];
  }
};

/// Sums of the counters of a role or size bucket, group by group, and whether there was any value.
struct ActivityCounts {
  CountSums sums;
  std::vector<std::uint8_t> any;

  void resize(std::size_t groups) {
    sums.resize(groups);
    any.resize(groups);
  }
  void add(const Column& column, const Rows& rows) {
    add_counts(column, rows, sums, [this](std::size_t g, std::int64_t n) { any[g] |= n > 0; }, [](std::size_t) {});
  }
  void merge(const ActivityCounts& other, std::span<const std::uint32_t> into) {
    sums.merge(other.sums, into);
    for (std::size_t g = 0; g < other.any.size(); ++g) any[into[g]] |= other.any[g];
  }
  std::optional<std::int64_t> value(std::size_t group) const { return any[group] ? sums.value(group) : std::nullopt; }
  std::optional<std::int64_t> total() const {
    return std::ranges::find(any, 1) != any.end() ? sums.total() : std::nullopt;
  }
};

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
  std::int64_t records = 0;
  std::vector<ActivitySums> groups;
  std::array<ActivityCounts, role_count> counts;  ///< those of kind count; the others stay empty
  std::array<ActivityCounts, size_buckets> read_sizes, write_sizes;
  FileTable files;
  ValueCounts common{1};

  void resize(std::size_t count) {
    if (groups.size() >= count) return;
    groups.resize(count);
    each_counts([count](ActivityCounts& c) { c.resize(count); });
  }
  /// Calls f for all counts, in the order of the state.
  template <typename F>
  void each_counts(F f) {
    for (std::size_t i = 0; i < role_count; ++i)
      if (kind_of(static_cast<Role>(i)) == Kind::count) f(counts[i]);
    for (auto& c : read_sizes) f(c);
    for (auto& c : write_sizes) f(c);
  }
  void add_sums(const Rows& rows, const RoleColumns& columns);
  void add_common(const Rows& rows, const Module& module);
  void add_files(const Rows& rows, const RoleColumns& columns, RoleSet of_module,
                 std::span<const std::int64_t> numbers);
};

}  // namespace darrow

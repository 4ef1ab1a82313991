/// Sums of the counters of each role, group by group.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "aggregate/count_sums.hpp"
#include "darrow/metrics.hpp"

namespace darrow {

constexpr std::size_t at(Role role) { return static_cast<std::size_t>(role); }

/// How the counters of a role come into the facts.
enum class Kind : std::uint8_t { none, count, time, offset, slowest, sizes, common };
constexpr Kind kind_of(Role role) {
  switch (role) {
    case Role::none:
    case Role::node:
    case Role::file: return Kind::none;
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

/// Sums of a number that may not be recorded everywhere.
class KnownCounts {
 public:
  void reserve(std::size_t groups) {
    room_ = groups;
    sums_.reserve(groups);
  }
  void resize(std::size_t groups) {
    groups_ = groups;
    sums_.resize(groups);
    if (!known_.empty()) known_.resize(groups);
  }
  /// Returns how many values were left out as they cannot be true.
  std::int64_t add(const Column& column, const Rows& rows) {
    return add_counts(
        column, rows, sums_,
        [this](std::size_t g, std::int64_t n) {
          if (n > 0) set(g, known);
        },
        [](std::size_t) {});
  }
  void add(std::size_t group, std::int64_t value) {
    set(group, known);
    sums_.add(group, value);
  }
  /// Notes that a job of the group has none.
  void lack(std::size_t group) { set(group, lacking); }
  /// Adds group g of another one to group into[g]: parts of one job, of which some may lack what others have.
  void merge(const KnownCounts& other, std::span<const std::uint32_t> into) {
    for (std::size_t g = 0; g < other.known_.size(); ++g)
      if (other.known_[g]) set(into[g], other.known_[g]);
    sums_.merge(other.sums_, into);
  }
  /// The same for a job beside others.
  void add_job(const KnownCounts& job, std::span<const std::uint32_t> into) {
    for (std::size_t g = 0; g < into.size(); ++g)
      set(into[g], !job.known_.empty() && job.known_[g] ? job.known_[g] : lacking);
    sums_.merge(job.sums_, into);
  }
  std::int64_t overflows() const { return sums_.overflows(); }
  /// Takes back what was added to a group.
  void forget(std::size_t group) {
    if (!known_.empty()) known_[group] = 0;
    sums_.forget(group);
  }
  /// Nothing if there was none, or the sum does not fit. `everywhere`: or if one of the jobs has none.
  std::optional<std::int64_t> value(std::size_t group, bool everywhere = false) const {
    if (known_.empty() || !(known_[group] & known) || (everywhere && known_[group] & lacking)) return {};
    return sums_.value(group);
  }
  /// Whether some of the jobs have none.
  bool in_part(std::size_t group) const { return !known_.empty() && known_[group] == (known | lacking); }
  std::optional<std::int64_t> total() const {
    return std::ranges::find(known_, known) != known_.end() ? sums_.total() : std::nullopt;
  }

  void write(StateWriter& state) const {
    for (std::size_t g = 0; g < groups_; ++g) {
      sums_.write(state, g);
      state.put(known_.empty() ? std::uint8_t{0} : known_[g]);
    }
  }
  void read(StateReader& state) {
    for (std::size_t g = 0; g < groups_ && state.ok(); ++g) {
      sums_.read(state, g);
      if (state.get_bool()) set(g, known);
    }
  }
  static constexpr std::size_t state_bytes = CountSums::state_bytes + 1;  ///< of a group

 private:
  static constexpr std::uint8_t known = 1, lacking = 2;
  void set(std::size_t group, std::uint8_t bits) {
    if (known_.empty()) {
      known_.reserve(room_);
      known_.resize(groups_);
    }
    known_[group] |= bits;
  }
  std::size_t groups_ = 0, room_ = 0;
  CountSums sums_;
  std::vector<std::uint8_t> known_;  ///< whether there was a value, and whether a job had none; empty: nowhere
};

struct RoleCounts {
  std::array<KnownCounts, role_count> by_role;  ///< of counts; those of other kinds stay empty
  std::array<KnownCounts, size_buckets> read_sizes, write_sizes;

  void resize(std::size_t groups) {
    each(*this, [groups](auto& counts) { counts.resize(groups); });
  }
  void reserve(std::size_t groups) {
    each(*this, [groups](auto& counts) { counts.reserve(groups); });
  }
  /// Adds group g of another one to group into[g].
  void merge(const RoleCounts& other, std::span<const std::uint32_t> into) {
    each_pair(other, [&](auto& counts, auto& from) { counts.merge(from, into); });
  }
  void add_job(const RoleCounts& job, std::span<const std::uint32_t> into) {
    each_pair(job, [&](auto& counts, auto& from) { counts.add_job(from, into); });
  }
  /// Sums that do not fit.
  std::int64_t overflows() const {
    std::int64_t all = 0;
    each(*this, [&](auto& counts) { all += counts.overflows(); });
    return all;
  }
  /// Calls f for all of them, const or not, always in the same order.
  template <typename Self, typename F>
  static void each(Self& self, F f) {
    for (std::size_t i = 0; i < role_count; ++i)
      if (kind_of(static_cast<Role>(i)) == Kind::count) f(self.by_role[i]);
    for (auto& counts : self.read_sizes) f(counts);
    for (auto& counts : self.write_sizes) f(counts);
  }

 private:
  template <typename F>
  void each_pair(const RoleCounts& other, F f) {
    std::vector<const KnownCounts*> from;
    each(other, [&](auto& counts) { from.push_back(&counts); });
    each(*this, [&, i = std::size_t{0}](auto& counts) mutable { f(counts, *from[i++]); });
  }
};

/// Calls f for the counts of one role: none, one, or each size bucket.
template <typename F>
void each_of_role(RoleCounts& counts, Role role, F f) {
  if (kind_of(role) == Kind::count) f(counts.by_role[at(role)]);
  if (role == Role::size_read)
    for (auto& sizes : counts.read_sizes) f(sizes);
  if (role == Role::size_write)
    for (auto& sizes : counts.write_sizes) f(sizes);
}

}  // namespace darrow

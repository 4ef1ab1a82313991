/// Sums of one counter in many groups.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "aggregate/exact_sum.hpp"
#include "aggregate/rows.hpp"
#include "aggregate/state.hpp"

namespace darrow {

/// Sums of counts, none of them negative: 8 bytes a group, and none while all of them are 0. Exact, or known not to fit.
class CountSums {
 public:
  /// More groups may come: there will be room for that many once there is any sum.
  void reserve(std::size_t groups) { room_ = groups; }
  void resize(std::size_t groups) {
    groups_ = groups;
    if (!sums_.empty()) sums_.resize(groups);
    if (!overflow_.empty()) overflow_.resize(groups);
  }
  void add(std::size_t group, std::int64_t value) {
    if (value == 0) return;
    if (sums_.empty()) {
      sums_.reserve(room_);
      sums_.resize(groups_);
    }
    if (__builtin_add_overflow(sums_[group], value, &sums_[group])) set_overflow(group);
  }
  void merge(const CountSums& other, std::span<const std::uint32_t> into) {
    for (std::size_t g = 0; g < other.sums_.size(); ++g) add(into[g], other.sums_[g]);
    // Also where what overflowed is 0 again, so that there may be no sums.
    for (std::size_t g = 0; g < other.overflow_.size(); ++g)
      if (other.overflow_[g]) set_overflow(into[g]);
  }
  /// Takes back what was added to a group.
  void forget(std::size_t group) {
    if (!sums_.empty()) sums_[group] = 0;
    if (!overflow_.empty()) overflow_[group] = false;
  }
  bool all_zero() const { return sums_.empty() && overflow_.empty(); }
  bool overflow(std::size_t group) const { return !overflow_.empty() && overflow_[group]; }
  std::int64_t overflows() const { return std::count(overflow_.begin(), overflow_.end(), true); }
  /// Nothing if it does not fit.
  std::optional<std::int64_t> value(std::size_t group) const {
    if (overflow(group)) return {};
    return sums_.empty() ? 0 : sums_[group];
  }
  /// Of all groups.
  std::optional<std::int64_t> total() const {
    std::int64_t all = 0;
    for (auto sum : sums_)
      if (__builtin_add_overflow(all, sum, &all)) return {};
    return overflows() ? std::nullopt : std::optional(all);
  }

  void write(StateWriter& state, std::size_t group) const {
    state.put(sums_.empty() ? std::int64_t{0} : sums_[group]);
    state.put(static_cast<std::uint8_t>(overflow(group)));
  }
  void read(StateReader& state, std::size_t group) {
    auto sum = state.get<std::int64_t>();
    bool beyond = state.get_bool();
    if (sum < 0 && !beyond) state.fail();
    if (!state.ok()) return;
    add(group, sum);
    if (beyond) set_overflow(group);
  }
  static constexpr std::size_t state_bytes = 9;  ///< of a group

 private:
  void set_overflow(std::size_t group) {
    if (overflow_.empty()) overflow_.resize(groups_);
    overflow_[group] = true;
  }
  std::size_t groups_ = 0, room_ = 0;
  std::vector<std::int64_t> sums_;
  std::vector<bool> overflow_;
};

/// Adds a column of counts. Negative ones are left out; returns how many. Calls present(group, n) for n values that are there, and
/// missing(group) for each that is null or left out.
template <typename Present, typename Missing>
std::int64_t add_counts(const Column& column, const Rows& rows, CountSums& sums, Present present, Missing missing) {
  auto values = column.values<std::int64_t>();
  if (all_zero_of_one_group(column, rows)) {
    present(rows.only, column.length);
    return 0;
  }
  if (rows.groups.empty() && column.null_count == 0) {
    // The usual case, fast: no groups, nothing negative, nothing near the end of 64 bits.
    std::uint64_t sum = 0, bits = 0;
    for (auto value : values) {
      sum += static_cast<std::uint64_t>(value);
      bits |= static_cast<std::uint64_t>(value);
    }
    if (bits >> 40 == 0 && values.size() >> 22 == 0) {
      if (values.empty()) return 0;
      sums.add(rows.only, static_cast<std::int64_t>(sum));
      present(rows.only, column.length);
      return 0;
    }
  }
  std::int64_t rejected = 0;
  bool all = column.null_count == 0;
  for (std::size_t r = 0; r < rows.count; ++r) {
    auto group = rows.group(r);
    if ((all || column.valid(static_cast<std::int64_t>(r))) && values[r] >= 0) {
      sums.add(group, values[r]);
      present(group, 1);
      continue;
    }
    missing(group);
    rejected += values[r] < 0 && (all || column.valid(static_cast<std::int64_t>(r)));
  }
  return rejected;
}

}  // namespace darrow

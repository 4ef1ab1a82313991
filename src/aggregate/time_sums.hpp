/// Sums of times in many groups.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "aggregate/exact_sum.hpp"

namespace darrow {

/// A TimeSum for each group. In 8 bytes where there is but one time beside zeros, as in most groups if there are many of them, and in
/// none while all are 0.
class TimeSums {
 public:
  /// More groups may come: there will be room for that many once there is any time.
  void reserve(std::size_t groups) { room_ = groups; }
  void resize(std::size_t groups) {
    groups_ = groups;
    if (!single_.empty()) single_.resize(groups);
    if (!wide_.empty()) wide_.resize(groups);
  }
  /// REQUIRES: is_time(seconds).
  void add(std::size_t group, double seconds) {
    if (seconds == 0) return;
    if (single_.empty()) {
      single_.reserve(room_);
      single_.resize(groups_);
    }
    if (single_[group] == 0 && !is_wide(group) && seconds >= smallest_single) single_[group] = seconds;
    else wide(group).add(seconds);
  }
  void add(std::size_t group, const TimeSum& sum) {
    if (sum != TimeSum()) wide(group).add(sum);
  }
  /// Adds all of them, if all are times; else none.
  bool add_all(std::size_t group, std::span<const double> times) {
    if (times.size() == 1) {
      if (!is_time(times[0])) return false;
      add(group, times[0]);
      return true;
    }
    TimeSum sum;
    if (!sum.add_all(times)) return false;
    add(group, sum);
    return true;
  }
  /// Adds group g of another one to group into[g].
  void merge(const TimeSums& other, std::span<const std::uint32_t> into) {
    for (std::size_t g = 0; g < other.single_.size(); ++g)
      if (other.single_[g] != 0) add(into[g], other.single_[g]);
    for (std::size_t g = 0; g < other.wide_.size(); ++g)
      if (other.is_wide(g)) add(into[g], other.exact(g));
  }
  bool all_zero() const { return single_.empty() && exact_.empty(); }
  double value(std::size_t group) const {
    if (is_wide(group)) return exact_[wide_[group] - 1].value();
    return single_.empty() ? 0 : single_[group];
  }
  /// The only time of a group, or 0 if there is none; nothing if there may be several.
  std::optional<double> single(std::size_t group) const {
    if (is_wide(group)) return {};
    return single_.empty() ? 0 : single_[group];
  }
  TimeSum exact(std::size_t group) const {
    if (is_wide(group)) return exact_[wide_[group] - 1];
    TimeSum sum;
    if (!single_.empty()) sum.add(single_[group]);
    return sum;
  }

 private:
  /// A sum cuts the digits of smaller ones, so they are cut at once.
  static constexpr double smallest_single = 1e-36;
  bool is_wide(std::size_t group) const { return !wide_.empty() && wide_[group]; }
  TimeSum& wide(std::size_t group) {
    if (wide_.empty()) wide_.resize(groups_);
    if (!wide_[group]) {
      exact_.push_back(exact(group));
      wide_[group] = static_cast<std::uint32_t>(exact_.size());
      if (!single_.empty()) single_[group] = 0;
    }
    return exact_[wide_[group] - 1];
  }
  std::size_t groups_ = 0, room_ = 0;
  std::vector<double> single_;       ///< the only time of a group; empty: nowhere
  std::vector<std::uint32_t> wide_;  ///< where the sum of a group is in `exact_`, and 1; 0: nowhere; empty: all
  std::vector<TimeSum> exact_;
};

}  // namespace darrow

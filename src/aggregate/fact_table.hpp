/// Facts of many groups, added up over jobs: those that the metrics of layers are made of.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "aggregate/count_sums.hpp"
#include "aggregate/exact_sum.hpp"
#include "darrow/metrics.hpp"

namespace darrow {

/// Sums of a number that may not be known in each job, group by group.
class KnownCounts {
 public:
  void resize(std::size_t groups) {
    groups_ = groups;
    sums_.resize(groups);
    if (!known_.empty()) known_.resize(groups);
  }
  void add(std::size_t group, std::optional<std::int64_t> value) {
    if (!value) return;
    if (known_.empty()) known_.resize(groups_);
    known_[group] = 1;
    sums_.add(group, *value);
  }
  void merge(const KnownCounts& other, std::span<const std::uint32_t> into) {
    if (!other.known_.empty() && known_.empty()) known_.resize(groups_);
    for (std::size_t g = 0; g < other.known_.size(); ++g) known_[into[g]] |= other.known_[g];
    sums_.merge(other.sums_, into);
  }
  std::optional<std::int64_t> value(std::size_t group) const {
    return !known_.empty() && known_[group] ? sums_.value(group) : std::nullopt;
  }

 private:
  std::size_t groups_ = 0;
  CountSums sums_;
  std::vector<std::uint8_t> known_;  ///< empty: nowhere
};

/// The same of seconds: exact sums, whatever the order of jobs.
class KnownTimes {
 public:
  void resize(std::size_t groups) {
    groups_ = groups;
    if (!sums_.empty()) sums_.resize(groups);
    if (!known_.empty()) known_.resize(groups);
  }
  void add(std::size_t group, std::optional<double> value) {
    if (!value) return;
    if (known_.empty()) known_.resize(groups_);
    known_[group] = 1;
    if (*value == 0) return;
    if (sums_.empty()) sums_.resize(groups_);
    sums_[group].add(*value);
  }
  void merge(const KnownTimes& other, std::span<const std::uint32_t> into) {
    if (!other.known_.empty() && known_.empty()) known_.resize(groups_);
    for (std::size_t g = 0; g < other.known_.size(); ++g) known_[into[g]] |= other.known_[g];
    if (!other.sums_.empty() && sums_.empty()) sums_.resize(groups_);
    for (std::size_t g = 0; g < other.sums_.size(); ++g) sums_[into[g]].add(other.sums_[g]);
  }
  std::optional<double> value(std::size_t group) const {
    if (known_.empty() || !known_[group]) return {};
    return sums_.empty() ? 0 : sums_[group].value();
  }

 private:
  std::size_t groups_ = 0;
  std::vector<TimeSum> sums_;        ///< empty: all 0
  std::vector<std::uint8_t> known_;  ///< empty: nowhere
};

class FactTable {
 public:
  std::size_t size() const { return groups_.size(); }
  void resize(std::size_t groups);
  /// Adds what one job did in a group. `same_files`: the files of all jobs are the same ones.
  void add(std::size_t group, const Facts& facts, bool same_files);
  /// Adds group g of another one to group into[g].
  void merge(const FactTable& other, std::span<const std::uint32_t> into, bool same_files);
  std::int64_t jobs(std::size_t group) const { return groups_[group].jobs; }
  /// `inputs`: the roles that are wanted; none: all.
  Facts facts(std::size_t group, std::span<const Role> inputs = {}) const;

 private:
  struct Group {
    std::int64_t jobs = 0, records = 0;
    // Of the only job; nothing if there are several.
    std::optional<std::int64_t> slowest_rank;
    std::array<Facts::ProcessTime, 4> longest;  ///< read, write, meta, all
  };
  /// Calls f for all columns of counts of a table, const or not.
  template <typename Self, typename F>
  static void each_counts(Self& self, F f) {
    for (auto& c : self.counts_) f(c);
    for (auto& c : self.read_sizes_) f(c);
    for (auto& c : self.write_sizes_) f(c);
    f(self.nprocs_);
  }
  template <typename Self, typename F>
  static void each_times(Self& self, F f) {
    for (auto& t : self.times_) f(t);
    for (auto* t : {&self.unique_time_, &self.unique_rw_time_, &self.unique_meta_time_, &self.shared_time_}) f(*t);
  }
  std::vector<Group> groups_;
  std::array<KnownCounts, role_count> counts_;
  std::array<KnownCounts, size_buckets> read_sizes_, write_sizes_;
  KnownCounts nprocs_, files_;
  std::array<KnownTimes, role_count> times_;
  KnownTimes unique_time_, unique_rw_time_, unique_meta_time_, shared_time_;
};

}  // namespace darrow

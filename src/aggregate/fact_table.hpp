/// Facts of many groups, added up over jobs: those that the metrics of layers are made of.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "aggregate/job_facts.hpp"
#include "aggregate/role_counts.hpp"
#include "aggregate/time_sums.hpp"
#include "darrow/metrics.hpp"

namespace darrow {

/// Sums of seconds that may not be known in each job, group by group: exact, whatever the order of jobs.
class KnownTimes {
 public:
  void resize(std::size_t groups) {
    sums_.resize(groups);
    known_.resize(groups);
  }
  void add(std::size_t group, std::optional<double> value) {
    if (!value) return;
    known_[group] = 1;
    sums_.add(group, *value);
  }
  void merge(const KnownTimes& other, std::span<const std::uint32_t> into) {
    for (std::size_t g = 0; g < other.known_.size(); ++g) known_[into[g]] |= other.known_[g];
    sums_.merge(other.sums_, into);
  }
  std::optional<double> value(std::size_t group) const {
    return known_[group] ? std::optional(sums_.value(group)) : std::nullopt;
  }

 private:
  TimeSums sums_;
  std::vector<std::uint8_t> known_;
};

class FactTable {
 public:
  std::size_t size() const { return jobs_.size(); }
  void resize(std::size_t groups);
  /// Adds group g of one job to group into[g]. `same_files`: the files of all jobs are the same ones.
  void add(const JobFacts& job, std::span<const std::uint32_t> into, bool same_files);
  /// The same for those of other jobs.
  void merge(const FactTable& other, std::span<const std::uint32_t> into, bool same_files);
  std::int64_t jobs(std::size_t group) const { return jobs_[group]; }
  Facts facts(std::size_t group) const;
  /// Sets what metrics of these roles are made of; the same facts can be used for one group after the other.
  void set_inputs(std::size_t group, std::span<const Role> inputs, Facts& facts) const;

 private:
  /// What there is of a group that has only one job: its slowest rank, and the longest times with their ranks.
  class OfOneJob {
   public:
    void resize(std::size_t groups);
    void set(std::size_t group, const GroupTimes& times);
    void copy(std::size_t group, const OfOneJob& from, std::size_t other);
    void forget(std::size_t group);
    /// Only that much of its times.
    GroupTimes times(std::size_t group) const;

   private:
    static constexpr std::size_t kinds = 4;                   ///< of longest times: read, write, metadata, all
    std::array<std::vector<double>, kinds> longest_;          ///< −1: none
    std::array<std::vector<std::int64_t>, kinds + 1> ranks_;  ///< of the longest times, and the slowest; −1: none
  };

  std::vector<std::int64_t> jobs_, records_;
  RoleCounts counts_;
  KnownCounts nprocs_, files_;
  std::array<KnownTimes, std::size(rank_times)> sums_;
  KnownTimes wait_, unique_, unique_rw_, unique_meta_, shared_;
  OfOneJob of_one_job_;
  /// Calls f for all columns of times of a table, const or not.
  template <typename Self, typename F>
  static void each_times(Self& self, F f) {
    for (auto& times : self.sums_) f(times);
    for (auto* times : {&self.wait_, &self.unique_, &self.unique_rw_, &self.unique_meta_, &self.shared_}) f(*times);
  }
};

}  // namespace darrow

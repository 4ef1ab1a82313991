/// Facts of several jobs added up: those that the metrics of layers are made of.
#pragma once

#include <array>
#include <optional>

#include "aggregate/exact_sum.hpp"
#include "darrow/metrics.hpp"

namespace darrow {

/// A sum of numbers of which some may not be known; exact, whatever their order.
class KnownCount {
 public:
  void add(std::optional<std::int64_t> value) {
    if (value) sum_.add(*value);
  }
  void merge(const KnownCount& other) { sum_.merge(other.sum_); }
  std::optional<std::int64_t> value() const { return sum_.value(); }

 private:
  CountSum sum_;
};

/// The same of seconds.
class KnownTime {
 public:
  void add(std::optional<double> value) {
    if (!value) return;
    if (is_time(*value)) sum_.add(*value);
    known_ = true;
  }
  void merge(const KnownTime& other) {
    sum_.add(other.sum_);
    known_ |= other.known_;
  }
  std::optional<double> value() const { return known_ ? std::optional(sum_.value()) : std::nullopt; }

 private:
  TimeSum sum_;
  bool known_ = false;
};

class FactSums {
 public:
  /// Adds what one job did. `same_files`: the files of all jobs are the same ones.
  void add(const Facts& facts, bool same_files);
  void merge(const FactSums& other, bool same_files);
  std::int64_t jobs() const { return jobs_; }
  Facts facts() const;

 private:
  std::int64_t jobs_ = 0;
  std::int64_t records_ = 0;
  KnownCount nprocs_;
  std::array<KnownCount, role_count> counts_;
  std::array<KnownTime, role_count> times_;
  KnownTime unique_time_, unique_rw_time_, unique_meta_time_, shared_time_;
  KnownCount files_;
  // Of the only job; nothing if there are several.
  std::optional<std::int64_t> slowest_rank_;
  std::array<Facts::ProcessTime, 4> longest_;  ///< read, write, meta, all
  std::array<KnownCount, size_buckets> read_sizes_, write_sizes_;
};

}  // namespace darrow

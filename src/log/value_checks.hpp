/// What the values of a module's records tell: ranks and heat maps that cannot be right.
#pragma once

#include <optional>
#include <vector>

#include "base/id_index.hpp"
#include "base/problem_counts.hpp"
#include "darrow/job.hpp"
#include "table/records.hpp"

namespace darrow {

/// Sees all records of a region, batch by batch.
class ValueChecks {
 public:
  explicit ValueChecks(const std::optional<Job>& job) : nprocs_(job ? job->nprocs : 0) {}
  /// Adds to `problems` what is wrong with these records.
  void add(Records& records, ProblemCounts& problems);

 private:
  void add_ranks(const Records& records, ProblemCounts& problems);
  void add_heatmaps(Records& records, ProblemCounts& problems);

  struct Bins {
    double width;
    std::int64_t count;
    bool operator==(const Bins&) const = default;
  };
  std::int64_t nprocs_, highest_ = 0;
  IdIndex layers_;
  std::vector<Bins> first_;  ///< per layer: bins of its first record
};

}  // namespace darrow

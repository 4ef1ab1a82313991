/// Which logs are of one run, and the numbers that processes have in the merged log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "darrow/log.hpp"
#include "darrow/result.hpp"

namespace darrow::merging {

using Logs = std::span<const std::shared_ptr<const Log>>;

/// Processes that ran together.
struct Run {
  std::int64_t nprocs = 0;
  std::int64_t first = 0;  ///< number of its rank 0
};

struct Runs {
  std::vector<Run> all;
  std::vector<std::size_t> of_log;  ///< position in `all`
  std::int64_t nprocs = 0;          ///< of all together

  bool several() const { return all.size() > 1; }
  const Run& run(std::size_t log) const { return all[of_log[log]]; }
  /// The number of a rank. A record of all ranks of a run stays one, unless the run is one process among others.
  std::int64_t number(std::size_t log, std::int64_t rank) const;
};

/// Errors: invalid_argument (a number of processes that does not fit 64 bits); those of Log::scan().
/// REQUIRES: every log has a job.
Result<Runs> find_runs(Logs logs);

}  // namespace darrow::merging

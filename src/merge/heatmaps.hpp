/// Heat maps of processes that did not come to their end.
#pragma once

#include <cstdint>
#include <map>

#include "merge/runs.hpp"

namespace darrow::merging {

/// Brings the heat maps of each layer to one bin width and one number of bins, as the run time does when a run ends: each
/// process doubles its width when it needs to, so those of a crashed run may differ.
class EvenHeatmaps {
 public:
  /// Looks at all of them. Nothing is to be done (see any()) for runs that ended, or layers that agree or cannot be made to.
  /// Errors: those of Log::scan().
  static Result<EvenHeatmaps> find(Logs logs, const Runs& runs, const Module& module);
  bool any() const { return !goals_.empty(); }
  /// The records of a log with the bins of their layer added up and filled up with 0.
  Table even(const Table& records) const;

 private:
  struct Goal {
    double width = 0;
    std::int64_t bins = 0;
  };
  std::map<std::uint64_t, Goal> goals_;  ///< by id of the layer
};

}  // namespace darrow::merging

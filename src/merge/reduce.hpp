/// Records of files that all processes used, as one record each.
#pragma once

#include <vector>

#include "base/id_index.hpp"
#include "merge/runs.hpp"

namespace darrow::merging {

struct Reduced {
  IdIndex files;  ///< whose records are replaced
  Table rows;     ///< by these, of rank −1
};

/// Nothing for modules whose records do not combine. `problems` gets what aggregation leaves out.
/// Errors: those of Log::scan().
Result<Reduced> reduce_shared(Logs logs, const Runs& runs, const Module& module, std::vector<Problem>& problems);

}  // namespace darrow::merging

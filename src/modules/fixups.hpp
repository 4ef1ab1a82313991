/// What up-conversion the tables cannot express: named functions on decoded records.
#pragma once

#include "base/problem_counts.hpp"
#include "table/records.hpp"

namespace darrow {

/// Brings records of an old version, and of run-time forms, to the current meaning, and counts the changes.
void apply_fixups(Records& records, ProblemCounts& problems);

}  // namespace darrow

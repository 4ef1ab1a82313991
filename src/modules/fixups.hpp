/// What up-conversion the tables cannot express: named functions on decoded records.
#pragma once

#include "base/problem_sink.hpp"
#include "table/records.hpp"

namespace darrow {

/// Brings records of an old version, and of run-time forms, to the current meaning. Reports each kind of change once.
void apply_fixups(Records& records, ProblemSink& problems);

}  // namespace darrow

/// What conversion the tables cannot express: named functions on records.
#pragma once

#include <string>

#include "base/problem_counts.hpp"
#include "table/records.hpp"

namespace darrow {

/// Brings records of an old version, and of run-time forms, to the current meaning, and counts the changes.
void apply_fixups(Records& records, ProblemCounts& problems);

/// What is wrong with the lists of records that come from a table, or nothing.
std::string contradiction(const Records& records);

/// The reverse of apply_fixups(), for writing: brings records from the form of tables into that which `version` stores. Returns why that cannot
/// be done, or nothing.
std::string undo_fixups(Records& records, int version);

/// Whether the offsets that this version of a trace stores mean anything.
bool trace_has_offsets(const Module& module, int version);

}  // namespace darrow

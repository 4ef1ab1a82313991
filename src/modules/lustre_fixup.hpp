/// Lustre layouts in the form of the table: components, each with its own storage targets.
#pragma once

#include "base/problem_counts.hpp"
#include "table/records.hpp"

namespace darrow {

/// Version 1: the only component is made of the fixed fields.
void lustre_single_component(Records& records, ProblemCounts& problems);
/// Version 2: cuts unused components and hands each kept one the next stripe_count targets.
void lustre_assign_targets(Records& records, ProblemCounts& problems);

/// Which component of a table owns another number of targets than it has stripes, or nothing.
std::string lustre_contradiction(const Records& records);
/// The reverse, for writing version 2: targets of all components become one list, counted components and targets fields.
void lustre_collect_targets(Records& records);

}  // namespace darrow

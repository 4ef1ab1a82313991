/// The tables beside the modules: job, mounts, modules, names, problems.
#pragma once

#include "log/state.hpp"

namespace darrow {

/// One row (none if the job cannot be read).
Table job_table(const Log::State& state);
/// File order: path, fs_type.
Table mounts_table(const Log::State& state);
/// Ascending id.
Table modules_table(const Log::State& state);
/// Order of first appearance: id, name; name_bytes if asked for.
Table names_table(const MountedNames& names, bool name_bytes);
Table problems_table(const std::vector<Problem>& problems);

}  // namespace darrow

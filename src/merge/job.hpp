/// The job and the mounts of the merged log.
#pragma once

#include <optional>
#include <vector>

#include "darrow/job.hpp"
#include "merge/runs.hpp"

namespace darrow::merging {

/// What the first log says, over the time of all. `end_time`: see MergeOptions. Errors: those of Log::scan().
/// REQUIRES: every log has a job.
Result<Job> merged_job(Logs logs, const Runs& runs, std::optional<std::int64_t> end_time,
                       std::vector<Problem>& problems);

/// Those of the first log, then what others have at other paths, as many as the job record has room for.
std::vector<Mount> merged_mounts(Logs logs, const Job& job, std::vector<Problem>& problems);

/// Tells what the logs do not have in common.
void compare_jobs(Logs logs, std::vector<Problem>& problems);

}  // namespace darrow::merging

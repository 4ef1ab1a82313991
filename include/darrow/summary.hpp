/// What a job did, per module: the vetted aggregation.
#pragma once

#include <memory>

#include "darrow/log.hpp"

namespace darrow {

/// A row for each module of the log that has bytes and times (POSIX, MPI-IO, STDIO, DFS, DAOS), by ascending id.
///
/// Columns (null where it cannot be computed):
/// `module` utf8; `files` int64 (distinct record ids); `records` int64; `bytes_read`, `bytes_written` int64;
/// `time_by_slowest` float64 s = `unique_time_by_slowest` (largest sum of read, write and meta time of one rank)
/// + `shared_time_by_slowest` (slowest rank's time of each shared record, added up); `slowest_rank` int64 (of the unique part);
/// `rate` float64 bytes/s = (bytes_read + bytes_written) / time_by_slowest; `partial` bool (the run time left records out);
/// `damaged` bool (the region has a problem of severity error: the numbers are those of what could be read, and untrusted;
/// null if nothing could be).
/// Problems of the reading and of the numbers are added to `problems`.
/// Errors: those of Log::table().
Result<std::shared_ptr<const Table>> summarize(const Log& log, std::vector<Problem>& problems);

}  // namespace darrow

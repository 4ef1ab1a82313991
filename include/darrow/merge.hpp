/// Several logs into one: what each process of a run left behind, parts of a log, or runs of their own. docs/merge.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "darrow/log.hpp"
#include "darrow/problem.hpp"
#include "darrow/result.hpp"
#include "darrow/write.hpp"

namespace darrow {

struct MergeOptions {
  /// One record of rank −1 for each file of which every process has a record, by the counters' own rules.
  bool reduce_shared = false;
  /// Unix time in seconds at which the run ended; nothing: the latest end of the logs, else the last time in their records.
  std::optional<std::int64_t> end_time = {};
  /// How the log is written; `strict` refuses logs that do not belong together, too.
  WriteOptions write = {};
  /// Called with each module and the number of the log whose records are added next.
  std::function<void(std::string_view module, std::size_t log)> progress = {};
};

/// A merged log before it is written.
struct Merged {
  LogWriter writer;
  std::vector<Problem> problems;  ///< of the merging, not of the logs
};

/// Merges logs in their order. Job number, user, command line and metadata are those of the first; the start is the earliest,
/// the end the latest. Logs are parts of one run if job number, user and number of processes are the same, and either the
/// start is or no rank is in two of them; ranks stay then. Of several runs the processes are numbered through, in the order of
/// their first logs, and added up. Memory: names and records of one module encoded, and the compressed log.
/// Errors: invalid_argument (no log, a log without a job, a number of processes that does not fit); those of LogWriter::add();
/// with `strict` also problems of severity warning or error.
Result<Merged> merge(std::span<const std::shared_ptr<const Log>> logs, const MergeOptions& options = {});

}  // namespace darrow

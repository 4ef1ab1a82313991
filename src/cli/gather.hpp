/// Many logs of a command line, summed up by several threads.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/many_logs.hpp"
#include "darrow/group_summary.hpp"

namespace darrow::cli {

struct Gathered {
  GroupSummary sums;
  std::int64_t logs = 0;                                      ///< that were summed up
  std::vector<std::pair<std::string, std::string>> repeated;  ///< logs that are the same as another, which was counted
  std::vector<Failure> failures;                              ///< in the order of their files
};

/// Reads all logs that the arguments stand for; shows progress. Memory: the groups for each thread, and what tells
/// each log from others, with its path.
Gathered gather(const std::vector<std::string>& arguments, const GroupSummaryOptions& options, const OpenOptions& open,
                bool fail_partial, unsigned threads);

}  // namespace darrow::cli

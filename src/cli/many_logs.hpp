/// Many logs of a command line, read by several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "darrow/log.hpp"

namespace darrow::cli {

/// A log, or something of it, that could not be read.
struct Failure {
  Error error;
  bool counted = false;  ///< what is intact was taken
};

struct ManyLogs {
  std::vector<std::pair<std::string, std::string>> repeated;  ///< logs that are the same as another, which was taken
  std::vector<Failure> failures;                              ///< in the order of their files
};

struct ManyLogsOptions {
  OpenOptions open = {};
  unsigned threads = 0;     ///< 0: as many as there are processors
  bool once = true;         ///< of logs with the same content the first only
  bool every_file = false;  ///< below directories, whatever its name
};

/// How many threads that is.
unsigned workers(unsigned threads);

/// One log while it is read.
struct LogItem {
  std::shared_ptr<const Log> log;
  std::string file;        ///< its name in all output
  std::size_t number = 0;  ///< in the order of the arguments, from 0; failing logs are counted too
  unsigned worker = 0;     ///< below workers(): no two threads have the same
};

/// Reads all logs that the arguments stand for; shows progress. `take` is called by several threads at once and returns what
/// failed, if anything; its error needs no file. Memory: what tells each log from others, with its path.
ManyLogs read_many(const std::vector<std::string>& arguments, const ManyLogsOptions& options,
                   const std::function<std::optional<Failure>(const LogItem&)>& take);

/// One error for a log: the first of its problems of severity error, and how many more there are. `matters` tells those that
/// are looked at; without it all are.
std::optional<Error> lost_in(const Log& log, const std::string& file,
                             const std::function<bool(const Problem&)>& matters = {});

}  // namespace darrow::cli

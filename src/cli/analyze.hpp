/// How many logs are used in what way: `darrow analyze`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/many_logs.hpp"
#include "render/sink.hpp"
#include "render/text_table.hpp"

namespace darrow::cli {

/// What a log is counted by.
enum class Access : std::uint8_t { shared, partly, unique, mpiio, pnetcdf, hdf5 };
inline constexpr std::size_t accesses = 6;
struct AccessName {
  std::string_view name;   ///< for machines
  std::string_view label;  ///< for people
};
inline constexpr std::array<AccessName, accesses> access_names = {{
    {"shared", "a file that all processes use"},
    {"partly_shared", "a file that some processes use"},
    {"unique", "a file of one process"},
    {"mpiio", "MPI-IO"},
    {"pnetcdf", "PnetCDF"},
    {"hdf5", "HDF5"},
}};

/// Parts of the run time in I/O, by their upper ends; the last has none.
inline constexpr std::size_t share_buckets = 5;
inline constexpr std::array<double, share_buckets - 1> share_ends = {0.2, 0.4, 0.6, 0.8};
std::size_t share_bucket(double share);

/// What one log says.
struct LogUse {
  std::string file;
  std::size_t number = 0;  ///< in the order of the arguments
  Job job;
  std::array<bool, accesses> has = {};
  std::optional<double> io_time;   ///< seconds, added up over processes
  std::optional<double> io_share;  ///< of the run time of all processes together
};

/// Reads what is needed of a log. Errors: those of Log::scan(); corrupt (no job, or something of what is
/// counted is lost).
Result<LogUse> use_of(const LogItem& item);
/// The same as darshan-analyzer has it: POSIX only, times not by processes. Nothing is an error.
LogUse upstream_use_of(const LogItem& item);

struct Analysis {
  std::vector<LogUse> logs;         ///< in the order of the arguments
  std::vector<Failure> damaged;     ///< logs that could not be read as a whole: they are not in `logs`
  std::vector<Failure> not_logs;    ///< files that are none
  std::vector<Failure> unreadable;  ///< paths at which nothing can be read, and directories without a log
  std::vector<std::pair<std::string, std::string>> repeated;

  std::int64_t count(Access access) const;
  /// Logs by their part of the run time; at the end those of which it is not known.
  std::array<std::int64_t, share_buckets + 1> shares() const;
};

void analysis_text(const Analysis& analysis, render::Sink& sink, const render::Look& look);
/// As darshan-analyzer prints it. `files`: all that were found below `directory`.
void upstream_analysis_text(const Analysis& analysis, std::int64_t files, std::string_view directory,
                            render::Sink& sink);

}  // namespace darrow::cli

/// What a job did, per module: aggregates and derived metrics of a whole log.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/log.hpp"
#include "darrow/metrics.hpp"

namespace darrow {

struct SummaryOptions {
  std::vector<std::string> modules;  ///< only these, as find_module() takes them; empty: all
  /// One layer "bottom": the modules through which data leaves the program, together: POSIX, STDIO and DFS. MPI-IO, HDF5 and
  /// PnetCDF go through them and DAOS lies below DFS: with any of these, bytes would count twice. So native DAOS I/O, without
  /// DFS, is not in it.
  bool bottom = false;
};

/// The mount that stands for the standard streams, which lie nowhere.
inline constexpr std::string_view stream_mount = "<STD…>";

/// Tables of one log. Modules whose records do not combine (LUSTRE, DXT, HEATMAP, APMPI, APXC) are not in them.
struct Summary {
  /// A row for each module, or the bottom layer: `module` utf8, the metrics of MetricTable::layers, `partial` bool (the run time left
  /// records out), `damaged` bool (the region has a problem of severity error: the numbers are those of what could be read).
  std::shared_ptr<const Table> layers;
  std::shared_ptr<const Table> categories;       ///< `module`, `category`, the metrics of MetricTable::categories
  std::shared_ptr<const Table> access_sizes;     ///< `module`, the metrics of MetricTable::access_sizes
  std::shared_ptr<const Table> common_accesses;  ///< `module`, the metrics of MetricTable::common_accesses
  /// The bottom modules by where their files lie: `mount` and `fs_type` utf8 (null: on no known mount; DFS: pool:container), the metrics of
  /// MetricTable::layers. Standard streams have a row of their own, `stream_mount`.
  std::shared_ptr<const Table> mounts;
  std::vector<std::shared_ptr<const Table>> records;  ///< of each module its records as one: Accumulator::table()
  std::vector<std::shared_ptr<const Table>> missing;  ///< and in how many of them each counter was missing
  std::vector<Problem> problems;                      ///< of the reading and of the numbers
};

/// Whether something of a module's region was lost or is untrusted, as far as it was read.
bool is_damaged(const Log& log, std::string_view module);
/// The facts of a module's records. Of a damaged region without any record nothing is known, not even that there was nothing.
Facts facts_of(const Activity& records, bool damaged);

/// The columns of Summary::layers: no rows.
Table layers_schema();

/// The modules of those names, each once. Errors: invalid_argument (no such module, its records do not combine, or it is not of the bottom
/// layer).
Result<std::vector<const Module*>> named_modules(const std::vector<std::string>& names, bool bottom);

/// Reads the modules of a log in batches and sums them up. Memory: the inflated region of one module, the names, and what Activity takes.
/// Errors: not_found (no such module in the log), invalid_argument (its records do not combine, or it is not of the bottom layer), those of Log::scan().
Result<Summary> summarize(const Log& log, const SummaryOptions& options = {});

}  // namespace darrow

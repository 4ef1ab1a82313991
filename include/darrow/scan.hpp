/// Many logs as one set of tables: read one log after the other, in batches that do not depend on how large a log is.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/log.hpp"
#include "darrow/pattern.hpp"

namespace darrow {

/// What a scan shall hand out.
struct ScanOptions {
  std::vector<std::string> tables;   ///< names as scan_tables() has them; empty: all
  std::vector<std::string> columns;  ///< only these, in table order; empty: all. Only with a single table

  // Rows of the tables of modules; of `names` those with the ids and names. Other tables have all rows.
  std::optional<std::vector<std::uint64_t>> ids;   ///< only records with one of these ids
  std::optional<std::vector<std::int64_t>> ranks;  ///< only records with one of these ranks (−1: shared records)
  std::optional<Pattern> pattern;                  ///< only records in whose name it is found
  std::optional<std::vector<std::string>> names;   ///< only records with one of these names, as tables show them
  std::optional<TimeWindow> time;                  ///< only segments of traces that lie in it, be it in part

  std::int64_t batch_rows = 0;    ///< most rows of a batch; 0: as many as `batch_bytes` allow
  std::uint64_t batch_bytes = 0;  ///< about how many bytes of columns a batch has; 0: 8 MiB
  /// As in OpenOptions.
  std::uint64_t max_region_bytes = default_max_region_bytes;
  bool strict = false;
};

/// A log that could not be opened, or a part of one that needs more memory than there is.
struct ScanFailure {
  std::size_t position = 0;  ///< of the log in the list
  Error error;
};

/// What a scan has done so far: of all logs together what Log::counters() tells of each.
struct ScanCounters {
  ReadCounters read;
  std::uint64_t logs_opened = 0;
};

/// A table of one log beside those of its modules.
enum class LogTable : std::uint8_t { jobs, modules, names, mounts, metadata, problems, metrics };

/// One of the tables of a scan.
struct ScanTable {
  std::string name;
  const Module* module = nullptr;  ///< whose records it holds, if any
  TableOptions::Part part = TableOptions::Part::rows;
  LogTable of_log = LogTable::jobs;  ///< if it has no module
};

/// Every table of a scan, in order: the modules by their SQL names, records of traces and records that open a region, then jobs, modules,
/// names, mounts, metadata, problems, metrics. docs/tables.md has their columns.
std::span<const ScanTable> scan_tables();
/// The columns of one of them: no rows. They depend on no log. Errors: not_found, invalid_argument (unknown column).
Result<std::shared_ptr<const Table>> scan_schema(std::string_view table, const std::vector<std::string>& columns = {});

/// The ids of a log's records that were asked for: those of `ids` whose names, as tables show them, `pattern` is found in and `names` has.
/// None where there are no conditions. Errors: Log::names().
Result<std::optional<std::vector<std::uint64_t>>> wanted_ids(const Log& log,
                                                             const std::optional<std::vector<std::uint64_t>>& ids,
                                                             const std::optional<Pattern>& pattern,
                                                             const std::optional<std::vector<std::string>>& names);

/// Reads many logs, each once for all tables. For one thread at a time; several scans share nothing.
///
/// Memory: four batches, what is read of a log at a time, its names, and the failures; it does not depend on the number of logs.
class Scan {
 public:
  /// Opens nothing yet. Errors: not_found (no such table), invalid_argument (unknown column, or columns of several tables).
  static Result<std::unique_ptr<Scan>> create(std::vector<std::string> logs, ScanOptions options = {});
  ~Scan();
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;

  /// The next batch of one of the tables (Table::name), or null at the end. A batch is never empty and may hold rows of many logs; those of a
  /// table come in the order of the logs. A log that cannot be opened is left out: see failures(); damage in one is told by the
  /// tables `modules` and `problems`. After an error there are no more batches. Errors: strict: corrupt.
  ///
  /// `meanwhile` is called now and then while it reads; what it throws passes through, and the scan can go on after that.
  Result<std::shared_ptr<const Table>> next(const std::function<void()>& meanwhile = {});
  ScanCounters counters() const;
  /// So far.
  const std::vector<ScanFailure>& failures() const;

  struct State;  ///< internal

 private:
  explicit Scan(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

}  // namespace darrow

/// What a scan is at.
#pragma once

#include "darrow/scan.hpp"
#include "scan/batch.hpp"
#include "scan/log_tables.hpp"
#include "scan/name_filter.hpp"

namespace darrow {

/// The columns that were asked for.
struct ChosenColumns {
  bool log = true, jobid = true;
  std::optional<std::vector<std::string>> others;  ///< none: all
};
ChosenColumns choose(const std::vector<std::string>& columns);

struct Scan::State {
  /// A table that is asked for.
  struct Output {
    const ScanTable* table;
    TableOptions options;  ///< of a module's table
    bool regions = false;  ///< the table `modules` with the columns for which the regions are read
    BatchBuilder batch;
  };

  State(std::vector<std::string> log_paths, ScanOptions scan_options);
  std::optional<Error> add_output(const ScanTable& table, const ChosenColumns& columns);
  Result<std::shared_ptr<const Table>> next(const std::function<void()>& meanwhile);
  ScanCounters counters() const;

  std::vector<std::string> logs;
  ScanOptions options;
  std::vector<Output> outputs;  ///< in the order in which they are read from a log
  ScanCounters counts;          ///< without the log that is open
  std::vector<ScanFailure> failures;
  bool wants_metrics = false;
  bool is_over = false;

 private:
  /// Goes on by one batch, one log opened, or one table.
  std::optional<Error> step();
  void close_log();
  std::optional<Error> open_next();
  std::optional<Error> begin_table(Output& output);
  std::optional<Error> begin_module(Output& output);
  std::optional<Error> add_names(Output& output);
  std::optional<Error> go_on(Output& output);
  Result<Table> table_of_log(const Output& output);
  /// An error in the middle of a log: the scan's own if it has to end, else a failure.
  std::optional<Error> lost(Error error);
  void deliver(Output& output, const Table& table);
  /// Whether the table that is read is summed up for the metrics, too.
  bool sums_up(const Output& output) const;
  bool filters_rows() const { return options.ids || options.ranks || filter_.by_name(); }
  /// The ids of this log's records that were asked for, if ids or names were.
  Result<NameFilter::Ids> wanted_ids();

  NameFilter filter_;
  std::size_t next_log_ = 0, output_ = 0;
  std::shared_ptr<const Log> log_;
  RowOrigin origin_;
  NameFilter::Ids ids_of_log_;      ///< once worked out
  std::vector<RegionFacts> known_;  ///< of this log's regions that were read whole
  std::optional<LayerSums> sums_;   ///< of this log, if there shall be metrics
  std::int64_t name_ = 0;           ///< of this log, the first that was not yet handed out
  std::unique_ptr<TableScan> reader_;
  std::deque<std::shared_ptr<const Table>> ready_;
};

}  // namespace darrow

/// The aggregation of darshan-util, bit for bit: what its accumulator and its merge tool make of a module's records.
///
/// Its results depend on the order of the records, and some are accidents: docs/compat.md lists them. For right answers
/// use summary.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "darrow/result.hpp"
#include "darrow/table.hpp"

namespace darrow {

/// Numbers of the files of one category. A file is all records of one id.
struct CompatCategory {
  std::int64_t count = 0;  ///< files
  std::int64_t total_read_volume_bytes = 0;
  std::int64_t total_write_volume_bytes = 0;
  std::int64_t max_read_volume_bytes = 0;   ///< of one file
  std::int64_t max_write_volume_bytes = 0;  ///< of one file
  std::int64_t total_max_offset_bytes = 0;  ///< sum of the files' highest offsets; −1 where the module has none
  std::int64_t max_offset_bytes = 0;        ///< highest offset; −1 where the module has none
  std::int64_t nprocs = 0;                  ///< processes added up over files; −1: all, or a shared record was met
};

/// What the accumulator derives from the records it was given. Times in seconds.
struct CompatMetrics {
  std::int64_t total_bytes = 0;                ///< read and written
  double unique_io_total_time_by_slowest = 0;  ///< read, write and meta time of the slowest rank, in records of ranks
  double unique_rw_only_time_by_slowest = 0;   ///< its read and write time
  double unique_md_only_time_by_slowest = 0;   ///< its meta time
  std::int64_t unique_io_slowest_rank = 0;     ///< that rank; 0 if no rank took any time
  double shared_io_total_time_by_slowest = 0;  ///< stored times of the slowest ranks of shared records, added up
  double agg_perf_by_slowest = 0;              ///< MiB/s (MiB: 2^20 bytes): total bytes over the next; 0 if that is 0
  double agg_time_by_slowest = 0;              ///< unique and shared time together
  CompatCategory all, read_only, write_only, read_write;  ///< by volume; a file without bytes is in `all` only
  CompatCategory unique, shared, part_shared;             ///< by processes; each file is in one of them
};

/// Adds up the records of one module as darshan-util does.
class CompatAccumulator {
 public:
  /// `nprocs`: processes of the job. Errors: invalid_argument (darshan-util cannot add up this module's records, or
  /// nprocs < 1 where metrics need it).
  static Result<CompatAccumulator> create(const Module& module, std::int64_t nprocs);
  CompatAccumulator(CompatAccumulator&&) noexcept;
  CompatAccumulator& operator=(CompatAccumulator&&) noexcept;
  ~CompatAccumulator();

  /// Adds all rows of a table of the module, in their order; any number of times. Values behind nulls count as stored.
  /// Nothing is added if there is an error: invalid_argument (a table of another module or without a counter; a rank
  /// that the job does not have; BG/Q: records that differ).
  std::optional<Error> add(const Table& records);

  /// The aggregate record: one row with the columns id, rank and the counters of the current module version, all int64,
  /// uint64 or float64 without nulls; MDHIM: also the list of servers. UUIDs are left out. All 0 before the first record.
  Table record() const;

  /// The derived metrics; none for modules without (all but POSIX, MPI-IO, STDIO, DFS, DAOS).
  std::optional<CompatMetrics> metrics() const;

 private:
  struct State;
  explicit CompatAccumulator(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

}  // namespace darrow

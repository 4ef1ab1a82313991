/// A Darshan log: the job, the mounts, the names, and a table for each module.
///
/// A Log is immutable and may be used from several threads at once. Regions are independent: they can be read in any
/// order, any number of times. A damaged region delivers its intact part and adds to problems().
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/hosts.hpp"
#include "darrow/job.hpp"
#include "darrow/module.hpp"
#include "darrow/names.hpp"
#include "darrow/problem.hpp"
#include "darrow/result.hpp"
#include "darrow/table.hpp"
#include "darrow/time_window.hpp"

namespace darrow {

/// Default of OpenOptions::max_region_bytes: 4 GiB.
inline constexpr std::uint64_t default_max_region_bytes = std::uint64_t{4} << 30;

/// Default of OpenOptions::whole_region_bytes: 128 MiB.
inline constexpr std::uint64_t default_whole_region_bytes = std::uint64_t{128} << 20;

struct OpenOptions {
  /// Make an error of every problem of severity error instead of delivering what is intact.
  bool strict = false;
  /// No region is inflated beyond this many bytes; what lies behind is lost (problem region_too_large).
  std::uint64_t max_region_bytes = default_max_region_bytes;
  /// Regions that inflate to more than this are not held as a whole where they are read in batches (Log::scan(), read_trace(),
  /// zlib only). That takes longer and less memory; what is read is the same. 0: no region is.
  std::uint64_t whole_region_bytes = default_whole_region_bytes;
  /// Map the file, whatever its size, instead of reading smaller ones (up to 32 MiB) at once: faster, but the file must not
  /// become shorter while the log is there, or the process gets SIGBUS.
  bool map_file = false;
};

/// Whether a module's records can be read.
enum class ModuleStatus : std::uint8_t {
  readable,
  unknown_module,   ///< the id has no meaning: bytes only
  unknown_version,  ///< version 0 or newer than known: bytes only
};
std::string_view to_string(ModuleStatus);

/// One module of the log's header that has data or a partial flag.
struct ModuleInfo {
  int id = 0;        ///< numbering of format 3.41
  std::string name;  ///< "POSIX", or "module 40" if unknown
  const Module* module = nullptr;
  std::uint32_t version = 0;
  bool partial = false;      ///< the run time ran out of memory: data is incomplete
  std::uint64_t offset = 0;  ///< of the compressed region in the file
  std::uint64_t length = 0;  ///< compressed bytes as the header tells; 0: no data
  ModuleStatus status = ModuleStatus::readable;
};

/// How large the parts of a log are that are no modules, as its header tells.
struct LogSizes {
  std::uint64_t header = 0;  ///< bytes
  std::uint64_t job = 0;     ///< compressed bytes of the job record, mounts included
  std::uint64_t names = 0;   ///< compressed bytes of the name table
};

/// What Log::table() shall hold.
struct TableOptions {
  enum class Part : std::uint8_t {
    rows,     ///< the module's table: records, or segments for DXT
    records,  ///< a row a record, also for DXT
    header,   ///< the record that opens the region (APMPI, APXC)
  };
  Part part = Part::rows;
  std::vector<std::string> columns;                ///< only these, in table order; empty: all
  bool name_bytes = false;                         ///< add the column name_bytes: names as stored
  std::optional<std::vector<std::uint64_t>> ids;   ///< only records with one of these ids
  std::optional<std::vector<std::int64_t>> ranks;  ///< only records with one of these ranks (−1: shared records)
  std::function<bool(std::uint64_t id, std::int64_t rank)> keep;  ///< only records for which it is true; empty: all
  std::optional<TimeWindow> time;  ///< only segments that overlaps() tells to be within; the rows of traces only
  /// The values that darshan-util's reader gives, those included that it gets wrong in old and big-endian logs. Problems
  /// of the values are not told then.
  bool upstream_values = false;
};

/// Most that a batch of a module's table takes; it takes one record at least.
struct BatchSize {
  std::int64_t rows = 0;    ///< records; 0: as many as `bytes` allow
  std::uint64_t bytes = 0;  ///< of the inflated region; 0: as many as stay in the cache, if `rows` is 0 too
};

/// What all reads of a Log took so far: proof that what was not asked for was not read.
struct ReadCounters {
  std::uint64_t bytes_inflated = 0;  ///< of all regions that were read, job and names included, each time they were
  std::uint64_t columns_decoded =
      0;  ///< made of stored fields, each time a module was read; id, rank and counts of lists always are
  std::uint64_t records_copied =
      0;  ///< rows that went into columns: records, or segments of traces, without those left out
};

/// Every column that the table of a module can have, in order, but `name_bytes`.
std::vector<std::string> column_names(const Module& module, TableOptions::Part part = TableOptions::Part::rows);

/// The columns of the table of a module, which are the same in every log: no rows. Errors: invalid_argument (unknown column, or no header).
Result<std::shared_ptr<const Table>> schema(const Module& module, const TableOptions& options = {});

class LogWriter;
class TableScan;
struct TraceOptions;
struct TraceRecord;
struct TraceSegment;

class Log : public std::enable_shared_from_this<Log> {
 public:
  /// Opens a log file. Reads header, job and mounts; nothing else is inflated yet.
  /// Errors: io, not_a_log, truncated, unfinished, unsupported_version, unsupported_compression; strict: corrupt.
  static Result<std::shared_ptr<const Log>> open(const std::filesystem::path& path, OpenOptions options = {});
  /// The same for all that an open descriptor gives; `name` stands for the file in messages. The descriptor stays open.
  static Result<std::shared_ptr<const Log>> from_descriptor(int fd, std::string name, OpenOptions options = {});
  /// The same for bytes in memory; `name` stands for the file in messages.
  static Result<std::shared_ptr<const Log>> from_bytes(std::vector<std::byte> bytes, std::string name,
                                                       OpenOptions options = {});
  ~Log();

  const std::string& path() const;
  /// Version text of the header, e.g. "3.41".
  const std::string& format_version() const;
  ByteOrder byte_order() const;
  Compression compression() const;
  /// Size of the file in bytes.
  std::uint64_t size() const;
  /// CRC-32 of the file: all of it is read for this.
  std::uint32_t digest() const;

  /// Null if the job region cannot be read.
  const Job* job() const;
  /// In the order of the file.
  std::span<const Mount> mounts() const;
  /// Modules with data or a partial flag, by ascending id.
  std::span<const ModuleInfo> modules() const;
  /// The same as darshan-util takes them: it reads the partial flags of big-endian logs in the wrong order, so that other
  /// modules are partial, or such as do not exist.
  std::vector<ModuleInfo> upstream_modules() const;
  LogSizes sizes() const;
  const UpstreamJobTexts& upstream_job_texts() const;
  /// By name, as find_module() takes it ("MPI-IO", "mpiio"), or "module 40"; null if the log does not have it.
  const ModuleInfo* module(std::string_view name) const;

  /// Reads which nodes ranks ran on: from traces (DXT), MPI records (APMPI), and `hostname` or `host` of the job's metadata.
  /// Errors: strict only: corrupt.
  Result<Hosts> hosts() const;

  /// Reads the name table (once; later calls share it). Errors: strict only: corrupt.
  Result<std::shared_ptr<const Names>> names() const;

  /// The same without the texts, which take most of the memory; they are left out where that is worth it.
  Result<std::shared_ptr<const NamePlaces>> name_places() const;

  /// The table of a module, by its name as module() takes it; or "job", "mounts", "modules", "names", "problems".
  /// Columns: docs/tables.md. Errors: not_found, unsupported_version, invalid_argument (unknown column); strict: corrupt.
  Result<std::shared_ptr<const Table>> table(std::string_view name, const TableOptions& options = {}) const;

  /// The same table of a module in batches of rows that follow one another: what is too large to hold, or only summed up,
  /// need not be there as a whole. `each` gets tables with the same columns; together they hold the rows of table().
  /// Empty batches are left out, but if there are no rows at all `each` gets one empty table. A batch is freed after its
  /// call, unless its columns are copied, which share their memory. Dictionaries (tables of segments) are each batch's own.
  ///
  /// `batch_rows`: most rows of a batch (segments of one record may be in several); 0: as many as stay in the cache.
  /// REQUIRES: batch_rows >= 0. Of a region larger than OpenOptions::whole_region_bytes batches are of 32 MiB of records at most.
  /// Returns the rows of all batches. Errors: as table(); damage is known at the end only: in strict mode an error
  /// (corrupt) means that what `each` got is incomplete. Exceptions of `each` end the scan and pass through, except those
  /// of memory that cannot be had (std::bad_alloc, std::length_error), which become the error out_of_memory.
  Result<std::int64_t> scan(std::string_view module, const TableOptions& options,
                            const std::function<void(const Table&)>& each, std::int64_t batch_rows = 0) const;

  /// The same, pulled: batches come when they are asked for. Errors: as table(), but damage is told by TableScan::next().
  Result<std::unique_ptr<TableScan>> open_scan(std::string_view module, const TableOptions& options = {},
                                               BatchSize batch = {}) const;

  /// The columns of that table; inflates nothing and reads no records (tables beside the modules may have rows). Errors: not_found, unsupported_version, invalid_argument.
  Result<std::shared_ptr<const Table>> schema(std::string_view name, const TableOptions& options = {}) const;

  /// How many records of a module can be read. Known once the module was read, else it is read for this.
  /// Errors: not_found, unsupported_version; strict: corrupt.
  Result<std::int64_t> records(std::string_view module) const;

  /// The inflated bytes of a module's region, known or not. Errors: not_found; strict: corrupt.
  Result<Buffer> bytes(std::string_view module) const;

  ReadCounters counters() const;

  /// Problems met so far, in the order: header, job, names, modules by id. Reading a region again adds nothing.
  std::vector<Problem> problems() const;
  /// Reads every region once and returns all problems.
  std::vector<Problem> verify() const;

  struct State;  ///< internal

 private:
  friend class LogWriter;
  friend Result<std::int64_t> read_trace(const Log&, std::string_view, const TraceOptions&,
                                         const std::function<void(const TraceRecord&)>&,
                                         const std::function<void(std::span<const TraceSegment>)>&);
  static Result<std::shared_ptr<const Log>> from_file(Result<Buffer> file, const std::string& name,
                                                      OpenOptions options);
  explicit Log(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

/// The table of a module, batch by batch; keeps the log alive. For one thread at a time.
class TableScan {
 public:
  ~TableScan();
  TableScan(const TableScan&) = delete;
  TableScan& operator=(const TableScan&) = delete;

  /// The next batch, as Log::scan() hands them out; null once there are no more: then the log knows all problems of the region.
  /// After an error there are no more. Errors: out_of_memory; strict: corrupt.
  Result<std::shared_ptr<const Table>> next();
  /// How many records were read so far, without those that the options leave out.
  std::int64_t records() const;
  /// Bytes of the module's inflated region, once all was read.
  std::uint64_t region_bytes() const;

 private:
  friend class Log;
  struct State;
  explicit TableScan(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

}  // namespace darrow

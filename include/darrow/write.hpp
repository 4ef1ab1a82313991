/// Writing logs: records come as tables, from other logs or as bytes, and leave as a log of format 3.41.
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

#include "darrow/job.hpp"
#include "darrow/log.hpp"
#include "darrow/problem.hpp"
#include "darrow/result.hpp"
#include "darrow/table.hpp"

namespace darrow {

struct WriteOptions {
  Compression compression = Compression::zlib;
  /// zlib: 1 (fast) to 12 (small), bzip2: 1 to 9; 0: the usual one, 6 or 9.
  int level = 0;
  ByteOrder byte_order = ByteOrder::little;
  /// The Darshan release that shall read the log, such as "3.5.0" (3.4.1 or later): modules are written in versions that it
  /// knows. What older ones lack may only be left out where nobody misses it (thread ids of traces; a problem tells).
  /// Empty: the newest versions.
  std::string target = {};
  /// Refuse what would be a problem of severity warning or error: ranks that the job does not have, an end before the start.
  bool strict = false;
};

/// Which records of a log to take; what is not set means all.
struct RecordSelection {
  std::optional<std::vector<std::uint64_t>> ids = {};
  std::optional<std::vector<std::int64_t>> ranks = {};
  std::function<bool(std::uint64_t id, std::int64_t rank)> keep = {};  ///< only records for which it is true
  /// The rank under which a record is written, by its own (which the conditions above see). Also for the ranks that records
  /// of rank −1 name, the fastest and the slowest. Empty: ranks stay.
  std::function<std::int64_t(std::int64_t rank)> renumber = {};
};

/// Collects what a log shall hold, then writes it. Everything is checked before the file comes to be.
///
/// Records are encoded as they are added, so tables need not stay. Rows of one module are added one after the other,
/// before those of the next; modules may come in any order. Once something could not be added nothing is written any more: write()
/// returns that error. Not thread safe.
class LogWriter {
 public:
  /// Errors: invalid_argument (a level or target that does not exist), unsupported_compression.
  static Result<LogWriter> create(WriteOptions options = {});
  LogWriter(LogWriter&&) noexcept;
  LogWriter& operator=(LogWriter&&) noexcept;
  ~LogWriter();

  /// The job; needed before records are added. Its run_time, if set, tells what its times mean: where it is that of the formats before 3.41 (one second
  /// more than the difference), the end is written one second later, so that the run time stays.
  void set_job(Job job);
  /// In the order of the file.
  void set_mounts(std::vector<Mount> mounts);
  /// The name of an id. Names are written in the order in which their ids first come up. The same again does nothing; another
  /// name for the same id is an error of write(), unless one of them is empty.
  void add_name(std::uint64_t id, std::string_view name);
  /// The names that another log has for records added so far, where they have none yet. Returns how many. Errors: Log::names().
  Result<std::int64_t> add_names(const Log& log);
  /// Marks a module as incomplete: the run time ran out of memory. `module`: a name, as find_module() takes it, or "module 40".
  /// `version`: that of a module of which nothing else is there; the newest unless given. Error: invalid_argument (no such module).
  Result<int> set_partial(std::string_view module, std::optional<int> version = {});
  /// The version in which a module shall be written. `expend`: what it has no place for and nobody misses (thread ids of
  /// traces) is left out, as a problem tells. Error: invalid_argument (no such module or version).
  Result<int> set_version(std::string_view module, int version, bool expend = false);

  /// Adds rows of a module: a table of a log, or one made by hand. Columns are found by name, in any order; others are left
  /// alone. What is missing or null is written as "not recorded". `id` may be missing if there is `name`, whose hash it is then;
  /// `rank` is needed. Names of the column `name` are added. Returns the records added.
  /// Errors, with the column and the row: invalid_argument (no id, a null id or rank, a value that does not fit, lists that
  /// contradict their counts, a version that cannot hold the values).
  Result<std::int64_t> add(std::string_view module, const Table& rows);
  /// The same for a table in batches: its rows are counted over all of them.
  Result<std::int64_t> add(std::string_view module, std::span<const Table* const> batches);
  /// Adds records of a trace as they are, those without segments too: rows of the table of its records (Part::records), and
  /// their segments one record after the other, the writes first. Errors: as add(); counts that the segments do not have.
  Result<std::int64_t> add_traces(std::string_view module, const Table& records,
                                  std::span<const Table* const> segments);
  /// The record that opens the regions of APMPI and APXC: 0 or 1 rows. Errors: as add().
  Result<std::int64_t> add_header(std::string_view module, const Table& header);
  /// Adds the records of a module of another log, its header record included; of an unknown module or version its bytes, as
  /// they are. Stored values are kept in every bit. Names are not added. A module that was damaged is marked partial. If
  /// there is a header record already, it stays.
  /// Errors: as add(), Log::scan().
  Result<std::int64_t> add(const Log& log, std::string_view module, const RecordSelection& selection = {});
  /// Adds the inflated region of a module as it is; of a known version it has to be one. `byte_order`: that of its numbers; must be that of the log to be written.
  /// Errors: invalid_argument.
  Result<std::int64_t> add_bytes(std::string_view module, int version, std::span<const std::byte> bytes,
                                 ByteOrder byte_order);

  /// What is odd about what was added: records without a name, ranks that the job does not have, values left out.
  std::vector<Problem> problems() const;

  /// The whole log. Errors: invalid_argument (no job, a job record of more than 4,096 bytes, names that contradict each other
  /// or cannot be stored, ...), out_of_memory.
  Result<std::vector<std::byte>> bytes();
  /// Writes the log under a temporary name and renames it when it is complete and on the disk, so that nobody ever sees half
  /// a log; links are followed, devices and pipes written to. Returns the size. Errors: as bytes(); io (system_error tells
  /// why: EEXIST if the file is there and `overwrite` was not asked for).
  Result<std::uint64_t> write(const std::filesystem::path& path, bool overwrite = false);
  /// The same to an open descriptor, such as a pipe. `name` stands for it in errors.
  Result<std::uint64_t> write(int fd, const std::string& name);

  /// Removes what write() has not finished, where the system cannot do without a temporary name. For signal handlers that end
  /// the process: async-signal-safe.
  static void remove_unfinished();

  struct State;  ///< internal

 private:
  explicit LogWriter(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

/// Records of a module as packed C structs, id and rank included, in this machine's byte order. `version` 0: the newest in
/// which nothing is lost (traces without thread ids: one without).
/// Errors: as LogWriter::add().
Result<Buffer> to_records(std::span<const Table* const> batches, const Module& module, int version = 0);
/// The table of packed records: the columns of the module's table without those of names. A header record in front is skipped.
/// Errors: unsupported_version; corrupt (bytes that are no whole number of records, counts that cannot be true).
Result<std::shared_ptr<const Table>> from_records(std::span<const std::byte> bytes, const Module& module,
                                                  int version = 0, ByteOrder byte_order = ByteOrder::little);

}  // namespace darrow

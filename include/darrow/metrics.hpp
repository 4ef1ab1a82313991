/// Derived metrics: what files and processes did, each number with a name, a unit and a formula. docs/metrics.md lists them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "darrow/module.hpp"
#include "darrow/problem.hpp"
#include "darrow/result.hpp"
#include "darrow/table.hpp"

namespace darrow {

/// Which table of a summary a metric is a column of.
enum class MetricTable : std::uint8_t {
  layers,           ///< a row for each layer: a module, all bottom modules together, or a mount
  categories,       ///< a row for each layer and file category
  access_sizes,     ///< a row for each layer, operation and size bucket
  common_accesses,  ///< a row for each layer and common access size
};
std::string_view to_string(MetricTable);

/// One derived number.
struct Metric {
  std::string_view name;
  MetricTable table;
  ColumnType type;               ///< i64, f64 or utf8
  std::string_view unit;         ///< "bytes", "seconds", "bytes/s", "share", …
  std::string_view formula;      ///< in the names of roles and of other metrics
  std::string_view doc;          ///< one line
  std::span<const Role> inputs;  ///< roles of the counters that it needs; a layer without them has null

  /// Whether the records of the module have what it needs.
  bool applies_to(const Module& module) const;
};
/// All of them, table by table, in the order of the columns.
std::span<const Metric> metrics();
/// The column of that name of a table, or null.
const Metric* find_metric(MetricTable table, std::string_view name);

/// The same as a table: `name`, `table`, `unit`, `formula`, `meaning` utf8; `inputs` (roles) and `modules` (those it applies to) list<utf8>.
Table metric_dictionary();

/// File categories: what was done with a file (one of the first group), and by whom (one of the second).
enum class Category : std::uint8_t { all, read_only, write_only, read_write, no_io, unique, partially_shared, shared };
inline constexpr std::size_t categories = 8;
std::string_view to_string(Category);

/// Buckets of the access size histograms: 0 to 100 bytes, …, more than 1 GiB.
inline constexpr std::size_t size_buckets = 10;
/// The largest size that falls into each bucket but the last.
inline constexpr std::array<std::int64_t, size_buckets - 1> bucket_ends = {
    100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20, 10 << 20, 100 << 20, 1 << 30};

/// Everything that the metrics of one layer or group come from. Nothing (nullopt) where it was not recorded.
struct Facts {
  struct Files {
    std::optional<std::int64_t> files;
    std::optional<std::int64_t> bytes_read, bytes_written;
    std::optional<std::int64_t> max_offset;  ///< of any file
    std::optional<std::int64_t> size_sum;    ///< bytes: highest offset + 1, added up over files with I/O
    std::optional<std::int64_t> processes;   ///< distinct ranks; all of the job if a file is shared
  };
  /// Time of the processes in one kind of call.
  struct ProcessTime {
    std::optional<double> longest;     ///< of one rank; nothing if records of all ranks hide who it was
    std::optional<std::int64_t> rank;  ///< whose it was
  };

  std::int64_t records = 0;
  std::optional<std::int64_t> nprocs;
  std::array<std::optional<std::int64_t>, role_count> counts;  ///< by Role
  std::array<std::optional<double>, role_count> times;         ///< by Role: sums over processes
  /// Seconds of the slowest rank in records of single ranks (all, read and write, metadata), and of the slowest ranks of
  /// records of all ranks, added up. Nothing if there were such records, but none with a time.
  std::optional<double> unique_time, unique_rw_time, unique_meta_time, shared_time;
  std::optional<std::int64_t> slowest_rank;
  ProcessTime read, write, meta, io;
  std::array<Files, categories> files;
  std::array<std::optional<std::int64_t>, size_buckets> read_sizes, write_sizes;
  /// Sizes and their counts (nothing: more than 64 bits hold), by count and size descending.
  std::vector<std::pair<std::int64_t, std::optional<std::int64_t>>> common_accesses;
  bool has_common_accesses = false;

  std::optional<std::int64_t> count(Role role) const { return counts[static_cast<std::size_t>(role)]; }
  std::optional<double> time(Role role) const { return times[static_cast<std::size_t>(role)]; }
};

/// Gathers the facts of records, of one module or of several that make one layer, in one group or many.
///
/// Sums are exact and do not depend on the order of records or merges. Memory: about 60 bytes a file, 40 a rank of a group, and for each
/// group 16 bytes and 9 for each counter that is not 0 everywhere.
class Activity {
 public:
  enum class Detail : std::uint8_t {
    sums,  ///< no file categories and common accesses, but the number of files: for many groups, in 4 bytes a file that has a number
    files,  ///< everything
  };
  /// `nprocs`: processes of the job; below 1: unknown.
  explicit Activity(std::int64_t nprocs, Detail detail = Detail::files);
  Activity(Activity&&) noexcept;
  Activity& operator=(Activity&&) noexcept;
  ~Activity();

  /// Makes room for that many files and groups at once, where their number can be told; more may come.
  void reserve(std::size_t files, std::size_t groups = 1);
  /// The columns of a module's table that add() needs.
  static std::vector<std::string> columns(const Module& module, Detail detail = Detail::files);
  /// Adds the rows of a module's table: row r to group groups[r], or all to group 0. Returns how many.
  /// `numbers`: of each row's file, if there is a numbering of files at hand, as Names::find_all(): files are found faster by
  /// them. It has to be the same one in all calls; −1: no number.
  /// Number groups without gaps: memory goes by the highest number, which must be below 2^26.
  /// Error: invalid_argument if the table has no module, its records do not combine, it lacks a column, `groups` or `numbers`
  /// have another length, or a group is too high.
  Result<std::int64_t> add(const Table& table, std::span<const std::uint32_t> groups = {},
                           std::span<const std::int64_t> numbers = {});
  /// Adds another: its group g to group into[g], or to group g. Returns its records.
  /// REQUIRES: with Detail::sums, that no file is in two groups that come together.
  /// Error: invalid_argument if its job has another number of processes, it is of other detail or this one itself, `into` has
  /// another length, or a group is too high.
  Result<std::int64_t> merge(const Activity& other, std::span<const std::uint32_t> into = {});

  /// Files so far, each counted once a group.
  std::int64_t files() const;

  /// All of it as bytes, for from_state() of this version of the library. REQUIRES: Detail::files.
  std::vector<std::byte> state() const;
  /// Error: invalid_argument if the bytes are no state, or one of another version.
  static Result<Activity> from_state(std::span<const std::byte> bytes);

  /// Of each group. Without file categories only the number of all files is told, which is faster.
  std::vector<Facts> facts(bool file_categories = true) const;
  /// Groups so far: one more than the highest that got a row.
  std::size_t groups() const;
  /// Of all groups as one. REQUIRES: no file has records in two groups.
  Facts total() const;

  struct State;                         ///< internal
  std::unique_ptr<State> release() &&;  ///< internal

 private:
  std::unique_ptr<State> state_;
};

/// Sums of bytes that do not fit 64 bits, where those of single counters do. `layer` stands for the module.
std::vector<Problem> metric_problems(std::string_view layer, const Facts& facts);

/// The columns of MetricTable::layers: a row for each of `facts`, labelled in a first column `label`.
Table layer_table(std::string_view label, std::span<const std::string> labels, std::span<const Facts> facts);
/// The columns of MetricTable::categories: a row for each of `facts` and category.
Table category_table(std::string_view label, std::span<const std::string> labels, std::span<const Facts> facts);
/// The columns of MetricTable::access_sizes, for those that have histograms.
Table access_size_table(std::string_view label, std::span<const std::string> labels, std::span<const Facts> facts);
/// The columns of MetricTable::common_accesses: the most common `most` sizes, and a row for all others (size null).
Table common_access_table(std::string_view label, std::span<const std::string> labels, std::span<const Facts> facts,
                          std::size_t most = 4);

}  // namespace darrow

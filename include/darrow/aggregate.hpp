/// Many records into one, by the counters' own rules: docs/aggregation.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "darrow/grouping.hpp"
#include "darrow/module.hpp"
#include "darrow/problem.hpp"
#include "darrow/result.hpp"
#include "darrow/table.hpp"

namespace darrow {

/// Combines records of one module, in one group or many.
///
/// Adding rows one table at a time, or merging accumulators of parts, gives what adding all at once gives, to the last
/// digit (variances aside, which are rounded at each step). Missing values (null, or negative where there are only counts, sizes or times)
/// are left out. Memory: for each group 16 to 40 bytes a counter, and every distinct common value.
class Accumulator {
 public:
  /// Error: invalid_argument for a module whose records do not combine (LUSTRE, DXT, HEATMAP, APMPI, APXC); it says what to use instead.
  static Result<Accumulator> create(const Module& module);
  Accumulator(Accumulator&&) noexcept;
  Accumulator& operator=(Accumulator&&) noexcept;
  ~Accumulator();

  const Module& module() const;
  /// Groups so far: one more than the highest that got a row; empty ones among them count.
  std::int64_t groups() const;
  /// Rows added so far, over all groups.
  std::int64_t records() const;

  /// The columns of a module's table: id, rank, counters and lists, but not what its names say.
  static std::vector<std::string> columns(const Module& module);
  /// Adds the rows of a table of this module: row r to group groups[r], or all to group 0. Returns how many. Number groups
  /// without gaps: memory goes by the highest number, which must be below 2^26.
  /// Error: invalid_argument if it is of another module, lacks a counter, `groups` has another length or too high a number.
  Result<std::int64_t> add(const Table& table, std::span<const std::uint32_t> groups = {});
  /// Adds another accumulator: its group g to group into[g], or to group g. Its records count as later ones. Returns its records.
  /// Error: invalid_argument if it is of another module, or this one itself, `into` has another length, or a group is too high.
  Result<std::int64_t> merge(const Accumulator& other, std::span<const std::uint32_t> into = {});

  /// The same records in other groups: group g in group rounds[i][g], for each i. REQUIRES: a number for each group in every round.
  Accumulator regrouped(std::span<const std::vector<std::uint32_t>> rounds) const;

  /// All of it as bytes, for from_state() of this version of the library.
  std::vector<std::byte> state() const;
  /// Error: invalid_argument if the bytes are no state, or one of another version.
  static Result<Accumulator> from_state(std::span<const std::byte> bytes);

  /// A row for each group: `id` (of the file, if it is one), `rank` (of one file: its rank, or −1 for several), `records` int64,
  /// the module's counters, and at the end `accesses` or `strides` list<struct>: all common values with their counts.
  /// Null: nothing was recorded, or the rule gives no value.
  std::shared_ptr<const Table> table() const;
  /// A row for each group, a column int64 for each counter: in how many records it was missing.
  std::shared_ptr<const Table> missing() const;
  /// Both, with less work.
  std::pair<std::shared_ptr<const Table>, std::shared_ptr<const Table>> tables() const;
  /// What was left out: values that cannot be true, sums that do not fit.
  std::vector<Problem> problems() const;

  struct State;  ///< internal

 private:
  explicit Accumulator(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

/// Records as one, or one for each group.
struct Aggregate {
  std::shared_ptr<const Table>
      table;  ///< the keys of each group, and Accumulator::table() without columns of their names
  std::shared_ptr<const Table> missing;  ///< the keys, and Accumulator::missing()
  std::vector<Problem> problems;
};
/// What came of records that were added by the numbers of `grouping`; without one all are of one group.
Aggregate aggregate(const Accumulator& records, const Grouping* grouping = nullptr);

/// How to take tables that come from elsewhere.
struct GivenOptions {
  const Module* module = nullptr;  ///< whose records they hold; null: that of which they have columns
  Grouping* grouping = nullptr;    ///< null: all records are of one group
  std::int64_t nprocs = 0;         ///< processes of the job; below 1: unknown
};
/// Tables that come from elsewhere, as records of their module: checked, and of its types.
struct GivenRecords {
  const Module* module = nullptr;
  std::vector<Table> batches;                      ///< all columns that rules need; those that were not there are null
  std::vector<std::vector<std::uint32_t>> groups;  ///< of the rows of each batch; empty without grouping
  std::vector<std::string> absent;                 ///< counters that were not there
  std::vector<Problem> problems;                   ///< what makes one doubt whether the rows belong together
};
/// Takes tables that come from elsewhere, such as a dataframe after filtering: batches of the same columns, found by their names, of
/// any type that holds the values; other columns may be keys.
///
/// Problems tell of ranks that the job does not have, and of files with a record of all ranks beside records of single ones.
/// Errors: invalid_argument if `id` or `rank` is missing or null, there are columns of no module or of several, records do not
/// combine, a rule needs a column that is missing, a value does not fit, a key has the name of another column of the aggregate; if
/// a column `nprocs` tells of jobs with different numbers of processes and they are not kept apart by a key (`nprocs`, `jobid`, `job`, `log`).
Result<GivenRecords> given_records(std::span<const Table* const> batches, const GivenOptions& options = {});
/// What came of them: Accumulator::problems() too. Counters that were not there are not in the aggregate. `grouping`: that of the options.
/// Error: invalid_argument for too many groups.
Result<Aggregate> aggregate(const GivenRecords& given, const Grouping* grouping = nullptr);
/// Both at once.
Result<Aggregate> aggregate(std::span<const Table* const> batches, const GivenOptions& options = {});

/// How the counters of a module combine, for engines that add up columns themselves. A row a column of the module's table: `counter`,
/// `type` (as Arrow calls it), `rule`, `unit`, `meaning`; `decomposable` boolean: whether a function over all rows of a few columns gives
/// the aggregate; `needs` list<utf8>: the columns that the rule looks at, where the largest value decides that one first; `instead`: why a
/// rule is not decomposable, and what to do; else null.
/// Error: invalid_argument for a module whose records do not combine, as Accumulator::create().
Result<std::shared_ptr<const Table>> rule_dictionary(const Module& module);

/// Heat maps added over ranks: a row for each layer of a HEATMAP table, with `layer`, `records`, `bin_width`, `nbins`, `write`, `read`.
/// Shorter ones are padded with 0; differing bin widths are rebinned to the widest, each bin to where its middle lies. Bins
/// below 0 are left out, sums that do not fit are null; `problems`, if given, gets how many.
/// Error: invalid_argument if the table is no HEATMAP table with these columns and `id`.
Result<std::shared_ptr<const Table>> add_heatmaps(const Table& heatmaps, std::vector<Problem>* problems = nullptr);

}  // namespace darrow

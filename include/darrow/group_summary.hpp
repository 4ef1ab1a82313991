/// What many jobs did, by whatever records are grouped by.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "darrow/grouping.hpp"
#include "darrow/log.hpp"
#include "darrow/metrics.hpp"
#include "darrow/pattern.hpp"
#include "darrow/problem.hpp"
#include "darrow/result.hpp"
#include "darrow/table.hpp"

namespace darrow {

struct GroupSummaryOptions {
  std::vector<GroupKey> keys;          ///< none: one group a module
  std::vector<NamedPattern> patterns;  ///< a key of their own
  std::vector<std::string> modules;    ///< only these, as named_modules() takes them; empty: all
  bool bottom = false;                 ///< one layer "bottom", as SummaryOptions::bottom
  // Which records; empty: all.
  std::vector<std::uint64_t> ids;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranks;  ///< first and last of ranges
  std::vector<Pattern> names;                                ///< any of these has to be in the name
  std::vector<Pattern> excluded;                             ///< none of these may; what has no name stays
};

/// What makes a log the same as another one, whatever they are called.
struct LogIdentity {
  std::int64_t jobid = 0, start_time = 0, uid = 0;
  std::uint64_t size = 0;
  std::uint32_t digest = 0;  ///< CRC-32 of the file
  auto operator<=>(const LogIdentity&) const = default;
};
LogIdentity identity_of(const Log& log);

/// Adds up logs, one after the other. Memory: what one log takes, and the groups.
///
/// Metrics of several jobs: counts, bytes and times are added up, and a rate is all bytes over all of the time along each job's slowest
/// ranks. What some of the jobs do not tell is left out of sums, and metrics that divide are null then. Files are counted in each job anew, unless files are a key. Ranks that are told are those of the only job, else null.
/// Sums do not depend on the order of logs.
class GroupSummary {
 public:
  explicit GroupSummary(GroupSummaryOptions options);
  GroupSummary(GroupSummary&&) noexcept;
  GroupSummary& operator=(GroupSummary&&) noexcept;
  ~GroupSummary();

  /// Adds the records of a log. Errors: those of Log::scan(); then nothing of it was added.
  std::optional<Error> add(const Log& log);
  /// Adds another one of the same options, and takes what it has.
  void merge(GroupSummary&& other);

  /// Logs that were added.
  std::int64_t logs() const;
  /// What was left out of groups: values that cannot be true, those that some logs do not have, sums that do not fit; for each module.
  std::vector<Problem> problems() const;
  /// Groups as a table.
  struct Groups {
    /// A row for each module (or "bottom") and group: `module`, the keys, `jobs` (logs that have records here), the metrics of
    /// MetricTable::layers, `partial` and `damaged` (whether any of the regions is).
    std::shared_ptr<const Table> table;
    std::vector<std::int64_t> left_out;  ///< rows that `limit` left out, for each module of the table
  };
  /// Modules in the order of their ids, and the groups of each by `sort`, a metric or `jobs` (the largest first) or a column of a key
  /// (ascending); nulls last, equal ones in the order of their keys. `limit`: most groups of a module.
  /// Error: invalid_argument if there is no metric and no key of that name.
  Result<Groups> groups(std::string_view sort = "bytes", std::optional<std::size_t> limit = {}) const;

  struct State;  ///< internal

 private:
  std::unique_ptr<State> state_;
};

}  // namespace darrow

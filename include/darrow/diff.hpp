/// What two logs differ in, counter by counter, or metric by metric. docs/diff.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "darrow/log.hpp"
#include "darrow/result.hpp"

namespace darrow {

struct DiffOptions {
  /// How far two floating point numbers may be apart: |a − b| ≤ tolerance × the larger of |a| and |b|. Of metrics: all numbers.
  double tolerance = 0;
  /// The same for single counters, metrics and facts of the job, whatever their type.
  std::map<std::string, double, std::less<>> tolerances = {};
  /// Names of counters and facts ("POSIX_MODE", "uid"), those that begin so ("POSIX_SIZE_*"), modules ("LUSTRE"), and groups:
  /// `times` (what the clock has a part in), `job` (job record, metadata, mounts), `nodes` (where ranks and threads ran).
  std::vector<std::string> ignore = {};
  /// What darshan-diff compares, by its rules; names are as stored. The order of differences is its order.
  bool compat = false;
};

/// A value of one of the logs; nothing: it has none.
using DiffValue = std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string>;

struct Difference {
  enum class Kind : std::uint8_t {
    job,       ///< a fact of the job record
    metadata,  ///< of the job; `counter` is the key
    mount,     ///< `counter` is the path, the values are the types
    name,      ///< an id with another name
    module,    ///< a flag of a module, or the bytes of one that cannot be read
    record,    ///< a counter of a record
    trace,     ///< a value of a trace's record, or of one of its segments: "write[3].offset"
    metric,    ///< a derived number of a module
  };
  Kind kind = Kind::record;
  std::string module = {};
  std::optional<std::int64_t> rank = {};
  std::optional<std::uint64_t> id = {};
  std::string name = {};  ///< that belongs to the id
  std::string counter = {};
  DiffValue a = {}, b = {};
};
std::string_view to_string(Difference::Kind);

/// Who is told.
struct DiffOutput {
  std::function<void(const Difference&)> difference;
  /// Comes before the differences of each record id of the first log, be there any or not; with `compat` only.
  std::function<void()> next_id = [] {};
  /// What else there is to say, a line at a time.
  std::function<void(const std::string&)> complain;
};

struct DiffEnd {
  std::int64_t differences = 0;
  bool lost = false;  ///< something could not be read that Log::problems() does not tell of; it was complained about
};

/// Compares the records of two logs. Those of one module, id and rank belong together, several of them in their order. NaN equals
/// NaN, but not with `compat`. Counters that the module version of only one log has are not compared.
/// Memory: the records of one module of both logs (of traces: of the first); with `compat` of all modules.
/// Errors: invalid_argument (nothing is called like a word of `ignore`), corrupt (with `compat`: no job record), out_of_memory.
Result<DiffEnd> diff(const Log& a, const Log& b, const DiffOptions& options, const DiffOutput& output);

/// Compares the metrics of MetricTable::layers of each module; numbers of ranks are none. Errors: as diff(), and summarize().
Result<DiffEnd> diff_metrics(const Log& a, const Log& b, const DiffOptions& options, const DiffOutput& output);

/// A difference in the lines of darshan-diff: "- " before what the first log has, "+ " before the second. A metric is one line.
std::string diff_lines(const Difference& difference);

}  // namespace darrow

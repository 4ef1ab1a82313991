/// The records of a module added up, for --total, --file and --perf.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "darrow/aggregate.hpp"
#include "darrow/compat.hpp"
#include "darrow/metrics.hpp"
#include "darrow/parser_text.hpp"
#include "darrow/summary.hpp"
#include "text/text_buffer.hpp"

namespace darrow::util_text {

/// What is written where a number is not known, as in the counters themselves.
inline constexpr std::int64_t not_known = -1;

/// Files of one kind.
struct FileCount {
  std::int64_t files = 0, bytes = 0, max_offset = 0;
};

/// Times in seconds.
struct Performance {
  std::int64_t total_bytes = 0;
  double unique_time = 0, unique_meta_time = 0, unique_rw_time = 0;  ///< of the slowest rank
  std::int64_t slowest_rank = 0;
  double shared_time = 0;
  double time = 0;
  double rate = 0;  ///< MiB/s
};

struct Totals {
  std::shared_ptr<const Table> record;            ///< one row
  std::optional<std::array<FileCount, 6>> files;  ///< all, read-only, write-only, read-write, unique, shared
  std::optional<Performance> performance;
};

/// Adds up records by the counters' own rules, or as darshan-util does.
class Adder {
 public:
  /// Whether the records of a module add up; `compat`: for darshan-util.
  static bool can_add(const Module& module, bool compat);
  /// Whether there are numbers of files and performance.
  static bool has_times(const Module& module);
  /// REQUIRES: can_add(). Errors: invalid_argument (a job without processes, for darshan-util).
  static Result<Adder> create(const Module& module, std::int64_t nprocs, bool compat);

  /// Errors: invalid_argument (for darshan-util: a rank that the job does not have).
  std::optional<Error> add(const Table& records);
  /// `damaged`: records were lost.
  Totals totals(bool damaged) const;

 private:
  explicit Adder(const Module& module) : module_(&module) {}
  Totals compat_totals() const;

  const Module* module_;
  std::optional<CompatAccumulator> compat_;
  std::optional<Accumulator> records_;
  std::optional<Activity> activity_;
};

/// The counters of the record, signed; null ones as not_known.
void write_total(const Totals& totals, TextBuffer& out);
void write_files(const Totals& totals, TextBuffer& out);
void write_performance(const Totals& totals, TextBuffer& out);

}  // namespace darrow::util_text

/// Problems: damage and oddities met while reading. A log with problems still delivers what is intact.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace darrow {

/// How bad a problem is.
enum class Severity : std::uint8_t {
  note,     ///< worth knowing: nothing is lost
  warning,  ///< contradictory or odd, but delivered
  error,    ///< something is lost or untrusted
};
std::string_view to_string(Severity);

/// What went wrong. The severity of each kind is fixed: src/base/problem_kinds.cpp lists it.
enum class ProblemKind : std::uint8_t {
  // file and regions
  region_outside_file,  ///< a region passes the end of the file and was cut there; count: bytes missing
  region_in_header,     ///< a region starts inside the header; it is not read
  region_overlap,       ///< a region overlaps another one; both are read
  stream_damaged,       ///< a compressed stream is damaged; count: bytes of it delivered before the damage, untrusted
  stream_truncated,     ///< a compressed stream ends early; count: bytes of it delivered
  trailing_bytes,       ///< bytes behind the last compressed stream of a region; count: how many
  region_too_large,     ///< the region inflates beyond the limit; count: bytes delivered
  out_of_memory,        ///< the region needs more memory than there is, or than a column can hold
  // job
  job_unreadable,           ///< no job record could be read
  job_bounds,               ///< the length of the job region had to be guessed
  job_oversized,            ///< more job text than the format allows; count: bytes ignored
  job_unfinished,           ///< the run was aborted: it has no end time
  time_reversed,            ///< the job ends before it starts
  nprocs_invalid,           ///< the job has fewer than 1 processes
  mount_malformed,          ///< a mount line without a type or a path; count: lines skipped
  format_counters_suspect,  ///< Darshan 3.2.0 (format 3.20) may have written wrong counters
  // names
  name_truncated,       ///< the name table ends inside an entry; count: bytes left over
  name_unterminated,    ///< the last name has no end; count: its bytes
  name_duplicate,       ///< an id occurs again with the same name; count: repetitions
  name_conflict,        ///< an id occurs again with another name (the first is kept); count: such entries
  name_text_too_large,  ///< names repeated for each record would need too much memory; count: rows left without
  text_not_utf8,        ///< text that is not valid UTF-8; count: how many texts
  // modules
  module_unknown,         ///< a module id without a meaning; its bytes stay available
  module_version,         ///< a module version that is not known: its records are not decoded; count: the version
  module_partial,         ///< the run time ran out of memory: records are missing
  record_fragment,        ///< bytes behind the last whole record; count: how many
  record_malformed,       ///< a record whose counts cannot be true ends the module's data; count: bytes not decoded
  header_record_missing,  ///< APMPI/APXC: the region does not start with its header record
  records_dropped,        ///< records that the format wants dropped (POSIX version 1 with stdio data); count: how many
  value_upconverted,      ///< values of an old version were converted or marked as missing; count: records
  layout_cut,             ///< unused Lustre components were left out; count: components
  layout_osts,            ///< Lustre stripe counts claim more OSTs than stored; count: records
  rank_beyond_nprocs,     ///< records of ranks that the job does not have; count: records
  rank_below_minus_one,   ///< records of a rank below −1; count: records
  negative_bins,          ///< heat map bins below 0; count: bins
  heatmap_uneven,         ///< heat maps of one layer differ in bins or width; count: records that differ from the first
  value_negative,         ///< negative values where only counts are possible, treated as missing; count: values
  sum_overflow,           ///< a sum does not fit 64 bits and is null; count: sums
  shared_beside_ranks,  ///< files with a record of all ranks and records of single ones, which it may hold already; count: files
  several_jobs,   ///< records of several jobs taken together, where rules compare ranks of one job; count: jobs
  known_in_part,  ///< sums over logs of which some do not tell the number; count: groups
  // writing
  name_missing,    ///< ids of records that have no name; count: ids
  value_left_out,  ///< values that a version of a module has no place for; count: values
  // merging
  log_repeated,        ///< logs with the content of another one, taken once; count: logs
  jobs_differ,         ///< logs of another job or user than the first; count: logs
  programs_differ,     ///< logs of another command line than the first; count: logs
  ranks_renumbered,    ///< logs of several runs: their processes are numbered through; count: runs
  end_time_derived,    ///< no log tells when the run ended: the last time in their records does
  name_left_out,       ///< names that no log can hold: too long, or with a NUL; count: names
  mount_left_out,      ///< mounts for which the job record has no room; count: mounts
  header_record_kept,  ///< the record that opens a module in one log stands for those of others; count: others
  module_left_out,     ///< a module that is not known and cannot be put together; count: logs that have it
  records_repeated,    ///< records that several logs of one run have, by id and rank; count: those beyond the first log
};
std::string_view to_string(ProblemKind);
/// The severity of every problem of that kind.
Severity severity_of(ProblemKind);
/// Whether every problem of that kind is an error, and what is stored is at fault. Of other errors all bytes are whole: a version of
/// a module that is not known, what a merged log has no place for. docs/tables.md: "What is lost, and what is damaged".
bool is_damage(ProblemKind);

/// One thing that is wrong or odd in a log.
struct Problem {
  ProblemKind kind;
  std::string region;                   ///< "header", "job", "names", or the module's name
  std::string module;                   ///< the module's name if the region is a module's, else empty
  std::optional<std::uint64_t> offset;  ///< where, if there is one place
  bool inflated = false;                ///< `offset` counts inflated bytes of the region, not bytes of the file
  std::optional<std::int64_t> count;    ///< how many; the unit is told at ProblemKind
  std::string message;                  ///< one line: what was expected and what was found

  Severity severity() const { return severity_of(kind); }
  bool is_damage() const { return darrow::is_damage(kind); }
  bool operator==(const Problem&) const = default;
};

/// Whether something of a module's region was lost or is untrusted, as far as these problems tell.
bool is_damaged(std::span<const Problem>, std::string_view module);

}  // namespace darrow

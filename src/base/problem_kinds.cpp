#include <algorithm>

#include "darrow/problem.hpp"

namespace darrow {
namespace {

struct Kind {
  ProblemKind kind;
  std::string_view name;
  Severity severity;
};

using enum ProblemKind;
using enum Severity;

// One row a kind; the meanings stand beside the enumerators.
constexpr Kind kinds[] = {
    {region_outside_file, "region_outside_file", error},
    {region_in_header, "region_in_header", error},
    {region_overlap, "region_overlap", warning},
    {stream_damaged, "stream_damaged", error},
    {stream_truncated, "stream_truncated", error},
    {trailing_bytes, "trailing_bytes", error},
    {region_too_large, "region_too_large", error},
    {out_of_memory, "out_of_memory", error},
    {job_unreadable, "job_unreadable", error},
    {job_bounds, "job_bounds", warning},
    {job_oversized, "job_oversized", note},
    {job_unfinished, "job_unfinished", note},
    {time_reversed, "time_reversed", warning},
    {nprocs_invalid, "nprocs_invalid", warning},
    {mount_malformed, "mount_malformed", warning},
    {format_counters_suspect, "format_counters_suspect", warning},
    {name_truncated, "name_truncated", error},
    {name_unterminated, "name_unterminated", error},
    {name_duplicate, "name_duplicate", note},
    {name_conflict, "name_conflict", warning},
    {name_text_too_large, "name_text_too_large", error},
    {text_not_utf8, "text_not_utf8", note},
    {module_unknown, "module_unknown", note},
    {module_version, "module_version", error},
    {module_partial, "module_partial", note},
    {record_fragment, "record_fragment", error},
    {record_malformed, "record_malformed", error},
    {header_record_missing, "header_record_missing", warning},
    {records_dropped, "records_dropped", note},
    {value_upconverted, "value_upconverted", note},
    {layout_cut, "layout_cut", note},
    {layout_osts, "layout_osts", warning},
    {rank_beyond_nprocs, "rank_beyond_nprocs", warning},
    {rank_below_minus_one, "rank_below_minus_one", warning},
    {negative_bins, "negative_bins", warning},
    {heatmap_uneven, "heatmap_uneven", warning},
    {value_negative, "value_negative", warning},
    {sum_overflow, "sum_overflow", warning},
    {shared_beside_ranks, "shared_beside_ranks", warning},
    {several_jobs, "several_jobs", warning},
    {known_in_part, "known_in_part", warning},
    {name_missing, "name_missing", note},
    {value_left_out, "value_left_out", note},
    {log_repeated, "log_repeated", note},
    {jobs_differ, "jobs_differ", warning},
    {programs_differ, "programs_differ", note},
    {ranks_renumbered, "ranks_renumbered", note},
    {end_time_derived, "end_time_derived", note},
    {name_left_out, "name_left_out", error},
    {mount_left_out, "mount_left_out", warning},
    {header_record_kept, "header_record_kept", note},
    {module_left_out, "module_left_out", error},
    {records_repeated, "records_repeated", warning},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kinds); ++i)
    if (static_cast<std::size_t>(kinds[i].kind) != i) return false;
  return std::size(kinds) == static_cast<std::size_t>(records_repeated) + 1;
}
static_assert(in_order(), "a row for each ProblemKind, in its order");

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case note: return "note";
    case warning: return "warning";
    case error: return "error";
  }
  return "unknown";
}

std::string_view to_string(ProblemKind kind) { return kinds[static_cast<std::size_t>(kind)].name; }
Severity severity_of(ProblemKind kind) { return kinds[static_cast<std::size_t>(kind)].severity; }

bool is_damage(ProblemKind kind) {
  return severity_of(kind) == error && kind != module_version && kind != name_left_out && kind != module_left_out;
}

bool is_damaged(std::span<const Problem> problems, std::string_view module) {
  return std::ranges::any_of(problems, [&](const Problem& p) { return p.module == module && p.is_damage(); });
}

}  // namespace darrow

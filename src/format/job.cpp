#include "format/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/byte_order.hpp"
#include "base/utf8.hpp"

namespace darrow {
namespace {

constexpr std::size_t metadata_bytes = 1024, most_bytes = 4096;

/// Text up to its NUL, or all of it.
std::string_view text_at(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

/// Calls `line` for each line of `text`; a last line needs no line end.
template <typename Function>
void each_line(std::string_view text, Function line) {
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    line(text.substr(0, end));
    if (end == text.npos) return;
    text.remove_prefix(end + 1);
  }
}

void parse_metadata(std::string_view text, Job& job) {
  each_line(text, [&](std::string_view line) {
    std::size_t equals = line.find('=');
    if (equals == line.npos) return;
    auto key = line.substr(0, equals), value = line.substr(equals + 1);
    auto same = std::find_if(job.metadata.begin(), job.metadata.end(), [&](const auto& m) { return m.first == key; });
    if (same == job.metadata.end()) job.metadata.emplace_back(key, value);
    else same->second = value;  // the last one counts
  });
}

/// First line: the command line. Others: type TAB path.
void parse_exe_and_mounts(std::string_view text, Job& job, std::vector<Mount>& mounts, ProblemSink& problems) {
  std::size_t end = text.find('\n');
  job.exe = text.substr(0, end);
  if (end == text.npos) return;
  int malformed = 0;
  std::string first;
  each_line(text.substr(end + 1), [&](std::string_view line) {
    std::size_t tab = line.find('\t');
    if (tab != line.npos && tab > 0 && tab + 1 < line.size()) {
      mounts.push_back({std::string(line.substr(tab + 1)), std::string(line.substr(0, tab))});
    } else if (malformed++ == 0) {
      first = escape_utf8(line.substr(0, 80));
    }
  });
  if (malformed)
    problems.add(
        ProblemKind::mount_malformed,
        fmt::format("mount lines without type, TAB and path: {} skipped, the first is \"{}\"", malformed, first),
        malformed);
}

std::optional<double> run_time(const Job& job, bool nanoseconds) {
  if (job.end_time_sec == 0) return {};
  if (!nanoseconds) return static_cast<double>(job.end_time_sec) - static_cast<double>(job.start_time_sec) + 1;
  auto seconds = [](std::int64_t sec, std::int64_t nsec) {
    return static_cast<double>(sec) + static_cast<double>(nsec) / 1e9;
  };
  return seconds(job.end_time_sec, job.end_time_nsec) - seconds(job.start_time_sec, job.start_time_nsec);
}

void report_oddities(const Job& job, const std::vector<Mount>& mounts, ProblemSink& problems) {
  if (job.end_time_sec == 0) problems.add(ProblemKind::job_unfinished, "the run was aborted: no end time");
  else if (std::pair(job.end_time_sec, job.end_time_nsec) < std::pair(job.start_time_sec, job.start_time_nsec))
    problems.add(ProblemKind::time_reversed,
                 fmt::format("the job ends at {} s, before its start at {} s", job.end_time_sec, job.start_time_sec));
  if (job.nprocs < 1)
    problems.add(ProblemKind::nprocs_invalid, fmt::format("number of processes: {}, 1 or more expected", job.nprocs));
  std::int64_t odd = !is_utf8(job.exe);
  for (const auto& m : mounts) odd += !is_utf8(m.path) + !is_utf8(m.fs_type);
  for (const auto& [key, value] : job.metadata) odd += !is_utf8(key) + !is_utf8(value);
  if (odd)
    problems.add(ProblemKind::text_not_utf8, fmt::format("texts of the job record that are not UTF-8: {}", odd), odd);
}

}  // namespace

JobRegion parse_job(std::span<const std::byte> region, const Header& header, bool whole, ProblemSink& problems) {
  std::size_t numbers = header.nanoseconds() ? 7 * 8 : 5 * 8, least = numbers + metadata_bytes;
  if (region.size() < least) {
    problems.add(ProblemKind::job_unreadable,
                 fmt::format("{} bytes of the job record, at least {} expected", region.size(), least),
                 static_cast<std::int64_t>(region.size()));
    return {};
  }
  if (region.size() > most_bytes) {
    auto more = static_cast<std::int64_t>(region.size() - most_bytes);
    problems.add(ProblemKind::job_oversized,
                 fmt::format("{} bytes behind the {} of a job record ignored", more, most_bytes), more);
    region = region.first(most_bytes);
  }

  JobRegion result;
  Job& job = result.job.emplace();
  std::size_t at = 0;
  auto next = [&] { return load<std::int64_t>(region.data() + 8 * at++, header.swapped()); };
  job.uid = next();
  job.start_time_sec = next();
  if (header.nanoseconds()) job.start_time_nsec = next();
  job.end_time_sec = next();
  if (header.nanoseconds()) job.end_time_nsec = next();
  job.nprocs = next();
  job.jobid = next();
  parse_metadata(text_at(region.subspan(numbers, metadata_bytes)), job);
  auto text = region.subspan(least);
  parse_exe_and_mounts(text_at(text), job, result.mounts, problems);
  bool ended = text_at(text).size() < text.size();
  if (!whole && !ended && !result.mounts.empty()) result.mounts.pop_back();  // cut, its path would claim too much
  job.run_time = run_time(job, header.nanoseconds());
  report_oddities(job, result.mounts, problems);
  return result;
}

}  // namespace darrow

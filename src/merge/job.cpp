#include "merge/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/problem_sink.hpp"
#include "base/utf8.hpp"
#include "format/job.hpp"
#include "merge/last_time.hpp"

namespace darrow::merging {
namespace {

using Time = std::pair<std::int64_t, std::int64_t>;  // seconds, nanoseconds

Time start_of(const Job& job) { return {job.start_time_sec, job.start_time_nsec}; }

/// When a run ended, as format 3.41 counts; nothing if nobody knows.
std::optional<Time> end_of(const Job& job) {
  if (!job.run_time) return {};
  Time end{job.end_time_sec, job.end_time_nsec};
  // Formats before count both ends, in whole seconds.
  bool is_whole = job.start_time_nsec == 0 && job.end_time_nsec == 0;
  auto difference = static_cast<double>(job.end_time_sec) - static_cast<double>(job.start_time_sec);
  if (is_whole && *job.run_time != difference && end.first != INT64_MAX) ++end.first;
  return end;
}

/// `seconds` after a start, the nanosecond that has begun included.
Time later(Time start, double seconds) {
  constexpr std::int64_t nsec = 1'000'000'000;
  double whole = std::floor(seconds);
  auto part = static_cast<std::int64_t>(std::ceil((seconds - whole) * 1e9)) + start.second;
  return {start.first + static_cast<std::int64_t>(whole) + part / nsec, part % nsec};
}

/// What the records of a log tell of its end.
Result<std::optional<Time>> derived_end(const Log& log) {
  auto last = last_time(log);
  if (!last) return last.error();
  if (!*last) return std::optional<Time>();
  return std::optional(later(start_of(*log.job()), **last));
}

}  // namespace

Result<Job> merged_job(Logs logs, const Runs& runs, std::optional<std::int64_t> end_time,
                       std::vector<Problem>& problems) {
  Job job = *logs[0]->job();
  Time start = start_of(job);
  std::optional<Time> end;
  bool is_derived = false;
  for (const auto& log : logs) {
    start = std::min(start, start_of(*log->job()));
    if (end_time) continue;
    auto own = end_of(*log->job());
    bool known = own.has_value();
    if (!known) {
      auto derived = derived_end(*log);
      if (!derived) return derived.error();
      own = *derived;
    }
    if (!own || (end && *own <= *end)) continue;
    end = own;
    is_derived = !known;
  }
  if (end_time) end = Time{*end_time, 0};
  if (end_time && *end < start)
    ProblemSink("job", "", problems)
        .add(ProblemKind::time_reversed,
             fmt::format("the end that is given, {}, is before the start of the run, {}", *end_time, start.first));
  if (end && is_derived)
    ProblemSink("job", "", problems)
        .add(ProblemKind::end_time_derived,
             fmt::format("no log tells when the run ended: the last time in the records stands for it, {:.3f} s after "
                         "the start",
                         static_cast<double>(end->first - start.first) +
                             static_cast<double>(end->second - start.second) / 1e9));
  std::tie(job.start_time_sec, job.start_time_nsec) = start;
  std::tie(job.end_time_sec, job.end_time_nsec) = end.value_or(Time{0, 0});
  job.run_time = std::nullopt;  // the times are those of format 3.41
  job.nprocs = runs.nprocs;
  return job;
}

std::vector<Mount> merged_mounts(Logs logs, const Job& job, std::vector<Problem>& problems) {
  std::vector<Mount> mounts(logs[0]->mounts().begin(), logs[0]->mounts().end());
  std::unordered_set<std::string> paths;
  for (const auto& mount : mounts) paths.insert(mount.path);
  std::int64_t left_out = 0;
  for (const auto& log : logs.subspan(1))
    for (const auto& mount : log->mounts()) {
      if (!paths.insert(mount.path).second) continue;
      mounts.push_back(mount);
      if (encode_job(job, mounts, ByteOrder::little)) continue;
      mounts.pop_back();
      ++left_out;
    }
  if (left_out)
    ProblemSink("job", "", problems)
        .add(ProblemKind::mount_left_out,
             fmt::format("mounts that the first log does not have, and for which the job record has no room: {}",
                         left_out),
             left_out);
  return mounts;
}

void compare_jobs(Logs logs, std::vector<Problem>& problems) {
  const Job& first = *logs[0]->job();
  auto tell = [&](ProblemKind kind, std::string_view what, auto differs) {
    std::int64_t others = 0;
    const Log* example = nullptr;
    for (const auto& log : logs)
      if (differs(*log->job()) && others++ == 0) example = log.get();
    if (others)
      ProblemSink("job", "", problems)
          .add(
              kind,
              fmt::format("logs of another {} than {}: {}, such as {}", what, logs[0]->path(), others, example->path()),
              others);
  };
  tell(ProblemKind::jobs_differ, "job or user",
       [&](const Job& job) { return job.jobid != first.jobid || job.uid != first.uid; });
  tell(ProblemKind::programs_differ, "command line", [&](const Job& job) { return job.exe != first.exe; });
}

}  // namespace darrow::merging

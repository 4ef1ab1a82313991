#include "format/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "base/byte_order.hpp"
#include "base/invalid_argument.hpp"
#include "base/utf8.hpp"

namespace darrow {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t metadata_bytes = 1024, most_bytes = 4096;

/// Bytes of the numbers in front.
constexpr std::size_t number_bytes(bool nanoseconds) { return (nanoseconds ? 7 : 5) * 8; }

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

/// The first two words of a line, the second being the path.
std::optional<Mount> upstream_mount(std::string_view line) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  auto word = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    auto size = std::min(line.find_first_of(blanks), line.size());
    std::string text(line.substr(0, size));
    line.remove_prefix(size);
    return text;
  };
  Mount mount;
  mount.fs_type = word();
  mount.path = word();
  return mount.path.empty() ? std::nullopt : std::optional(std::move(mount));
}

/// A10 to A12: no command line without mounts; blanks separate; a line without a path counts as the one behind it, from which
/// reading comes, and the last line has none.
UpstreamJobTexts upstream_texts(std::string_view metadata, std::string_view text) {
  UpstreamJobTexts texts;
  each_line(metadata, [&](std::string_view line) {
    auto equals = line.find('=');
    if (equals != line.npos) texts.metadata.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  });
  auto end = text.find('\n');
  if (end == text.npos) return texts;
  texts.exe = text.substr(0, end);
  std::vector<std::optional<Mount>> mounts;
  each_line(text.substr(end + 1), [&](std::string_view line) { mounts.push_back(upstream_mount(line)); });
  for (std::size_t i = mounts.size(); i-- > 0;) {
    if (!mounts[i] && i + 1 < mounts.size()) mounts[i] = mounts[i + 1];
    if (!mounts[i]) texts.readable = false;
  }
  for (auto& mount : mounts)
    if (mount) texts.mounts.push_back(std::move(*mount));
  return texts;
}

std::optional<double> run_time(const Job& job, bool nanoseconds) {
  if (job.end_time_sec == 0) return {};
  return seconds_between(job, nanoseconds);
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

std::string_view name_of(char ending) {
  switch (ending) {
    case '\0': return "a NUL";
    case '\n': return "a line end";
    case '\t': return "a TAB";
    default: return "\"=\"";
  }
}

/// An error if the text holds one of the bytes that would end it for a reader.
std::optional<Error> check_text(std::string_view what, std::string_view text, std::string_view endings) {
  std::size_t at = text.find_first_of(endings);
  if (at == text.npos) return {};
  return invalid_argument("job", fmt::format("{} must not hold {}, as it does behind \"{}\"", what, name_of(text[at]),
                                             escape_utf8(text.substr(0, std::min<std::size_t>(at, 80)))));
}

/// The same for a text that a reader looks for.
std::optional<Error> check_needed(std::string_view what, std::string_view text, std::string_view endings) {
  if (text.empty()) return invalid_argument("job", fmt::format("{} must not be empty", what));
  return check_text(what, text, endings);
}

Result<std::string> metadata_text(const Job& job) {
  std::string text;
  for (const auto& [key, value] : job.metadata) {
    if (auto error = check_text("a key of the metadata", key, "=\n\0"sv)) return *error;
    if (auto error = check_text("a value of the metadata", value, "\n\0"sv)) return *error;
    text += fmt::format("{}={}\n", key, value);
  }
  if (text.size() == metadata_bytes) text.pop_back();  // the last line needs no line end
  if (text.size() >= metadata_bytes)
    return invalid_argument("job", fmt::format("the metadata takes {} bytes as lines of key=value, at most {} fit",
                                               text.size() - 1, metadata_bytes - 1));
  return text;
}

Result<std::string> exe_and_mounts_text(const Job& job, std::span<const Mount> mounts) {
  if (auto error = check_text("the command line", job.exe, "\n\0"sv)) return *error;
  std::string text = job.exe;
  for (const Mount& mount : mounts) {
    if (auto error = check_needed("the type of a mount", mount.fs_type, "\t\n\0"sv)) return *error;
    if (auto error = check_needed("the path of a mount", mount.path, "\n\0"sv)) return *error;
    text += fmt::format("\n{}\t{}", mount.fs_type, mount.path);
  }
  return text;
}

/// The end as format 3.41 has it: the run time tells whether the times are those of an older one.
Result<std::int64_t> end_time(const Job& job) {
  std::int64_t end = job.end_time_sec;
  if (!job.run_time) return end;
  auto exclusive = run_time(job, true), inclusive = run_time(job, false);
  if (!exclusive) return invalid_argument("job", fmt::format("a run time of {} s, but no end time (0)", *job.run_time));
  if (*job.run_time == *exclusive) return end;
  bool whole_seconds = job.start_time_nsec == 0 && job.end_time_nsec == 0;
  if (!whole_seconds || *job.run_time != *inclusive)
    return invalid_argument(
        "job", fmt::format("a run time of {} s, but {} s between start and end", *job.run_time, *exclusive));
  if (end == std::numeric_limits<std::int64_t>::max() || end == -1)  // 0 would mean: aborted
    return invalid_argument("job",
                            fmt::format("an end at {} s cannot move by the second that its run time asks for", end));
  return end + 1;
}

}  // namespace

double seconds_between(const Job& job, bool nanoseconds) {
  if (!nanoseconds) return static_cast<double>(job.end_time_sec) - static_cast<double>(job.start_time_sec) + 1;
  auto seconds = [](std::int64_t sec, std::int64_t nsec) {
    return static_cast<double>(sec) + static_cast<double>(nsec) / 1e9;
  };
  return seconds(job.end_time_sec, job.end_time_nsec) - seconds(job.start_time_sec, job.start_time_nsec);
}

JobRegion parse_job(std::span<const std::byte> region, const Header& header, bool whole, ProblemSink& problems) {
  std::size_t numbers = number_bytes(header.nanoseconds()), least = numbers + metadata_bytes;
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
  constexpr std::size_t upstream_least = number_bytes(true) + metadata_bytes;  // A14: it wants more, in old formats too
  result.upstream = upstream_texts(text_at(region.subspan(numbers, metadata_bytes)), text_at(text));
  result.upstream.readable = result.upstream.readable && region.size() > upstream_least;
  bool ended = text_at(text).size() < text.size();
  if (!whole && !ended && !result.mounts.empty()) result.mounts.pop_back();  // cut, its path would claim too much
  job.run_time = run_time(job, header.nanoseconds());
  report_oddities(job, result.mounts, problems);
  return result;
}

Result<std::vector<std::byte>> encode_job(const Job& job, std::span<const Mount> mounts, ByteOrder order) {
  auto end = end_time(job);
  if (!end) return end.error();
  auto metadata = metadata_text(job);
  if (!metadata) return metadata.error();
  auto text = exe_and_mounts_text(job, mounts);
  if (!text) return text.error();
  constexpr std::size_t numbers = number_bytes(true), fixed = numbers + metadata_bytes;
  std::size_t size = fixed + text->size() + 1;
  if (size > most_bytes)
    return invalid_argument(
        "job",
        fmt::format(
            "the job record takes {} bytes, at most {} fit: {} fixed, the command line {}, mounts {}, the final NUL 1",
            size, most_bytes, fixed, job.exe.size(), text->size() - job.exe.size()));

  std::vector<std::byte> bytes(size);
  std::size_t at = 0;
  auto next = [&](std::int64_t number) { store(bytes.data() + 8 * at++, number, swapped(order)); };
  next(job.uid);
  next(job.start_time_sec);
  next(job.start_time_nsec);
  next(*end);
  next(job.end_time_nsec);
  next(job.nprocs);
  next(job.jobid);
  std::memcpy(bytes.data() + numbers, metadata->data(), metadata->size());
  std::memcpy(bytes.data() + fixed, text->data(), text->size());
  return bytes;
}

}  // namespace darrow

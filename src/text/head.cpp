#include "text/head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/utf8.hpp"
#include "format/job.hpp"
#include "text/escape.hpp"

namespace darrow::util_text {
namespace {

constexpr std::size_t rule_width = 55;
constexpr std::uint64_t newest_header = 1328;  // bytes, of format 3.41: the only one whose times have nanoseconds

/// A time as C's ctime() has it, in the local time zone. Nothing if no calendar can hold it.
std::optional<std::string> calendar(std::int64_t seconds) {
  constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  auto time = static_cast<std::time_t>(seconds);
  std::tm local{};
  if (!localtime_r(&time, &local)) return {};
  return fmt::format("{} {} {:2} {:02}:{:02}:{:02} {}", days[local.tm_wday], months[local.tm_mon], local.tm_mday,
                     local.tm_hour, local.tm_min, local.tm_sec, 1900 + std::int64_t{local.tm_year});
}

std::string_view compression_name(Compression compression) {
  switch (compression) {
    case Compression::zlib: return "ZLIB";
    case Compression::bzip2: return "BZIP2";
    case Compression::none: return "NONE";
  }
  return "UNKNOWN";
}

void write_rule(TextBuffer& out) { out.put("# ").put(std::string(rule_width, '-')).put("\n"); }

void write_job(const Source& source, TextBuffer& out) {
  const Job& job = *source.log.job();
  const bool known_end = source.compat || job.end_time_sec != 0;
  auto line = [&](std::string_view key, std::string_view value) {
    out.put("# ").put(key).put(": ").put(value).put("\n");
  };
  auto number = [&](std::string_view key, std::int64_t value) { line(key, std::to_string(value)); };
  line("exe", source.shown(source.exe));
  number("uid", job.uid);
  number("jobid", job.jobid);
  number("start_time", job.start_time_sec);
  auto asci = [&](std::string_view key, std::int64_t seconds, bool is_known) {
    auto text = is_known ? calendar(seconds) : std::nullopt;
    if (text || !source.compat) line(key, text.value_or("unknown"));
    else out.put("# ").put(key).put(": (null)");  // darshan-util has the line end from ctime()
  };
  asci("start_time_asci", job.start_time_sec, true);
  number("end_time", job.end_time_sec);
  asci("end_time_asci", job.end_time_sec, known_end);
  number("nprocs", job.nprocs);
  const bool nanoseconds = source.log.sizes().header == newest_header;
  line("run time", known_end ? fmt::format("{:.4f}", seconds_between(job, nanoseconds)) : "unknown");
  for (const auto& [key, value] : source.metadata)
    out.put("# metadata: ").put(source.shown(key)).put(" = ").put(source.shown(value)).put("\n");
}

void write_regions(const Source& source, TextBuffer& out) {
  auto sizes = source.log.sizes();
  out.put("\n# log file regions\n");
  write_rule(out);
  // A13: darshan-util tells the newest size of all formats.
  out.put("# header: ").integer(source.compat ? newest_header : sizes.header).put(" bytes (uncompressed)\n");
  out.put("# job data: ").integer(sizes.job).put(" bytes (compressed)\n");
  out.put("# record table: ").integer(sizes.names).put(" bytes (compressed)\n");
  for (const auto& info : source.modules) {
    if (info.module) out.put("# ").put(info.name).put(" module: ");
    else out.put("# <UNKNOWN> module (id ").integer(info.id).put("): ");
    out.integer(info.length).put(" bytes (compressed), ver=").integer(info.version).put("\n");
  }
}

void write_mounts(const Source& source, TextBuffer& out) {
  out.put("\n# mounted file systems (mount point and fs type)\n");
  write_rule(out);
  for (const auto& mount : source.mounts)
    out.put("# mount entry:\t").put(source.shown(mount.path)).put("\t").put(source.shown(mount.fs_type)).put("\n");
}

}  // namespace

Result<Source> Source::open(const Log& log, std::optional<UtilBuild> compat, bool raw) {
  auto failure = [&](std::string region, std::string message) {
    return Error{.message = std::move(message), .file = log.path(), .region = std::move(region), .offset = {}};
  };
  if (compat && !log.job()) return failure("job", "the job record cannot be read");
  auto names = log.names();
  if (!names) return names.error();
  if (compat)
    for (const auto& problem : log.problems())
      if (problem.region == "names" && problem.severity() == Severity::error)
        return failure("names", "the name table cannot be read as a whole: " + problem.message);

  Source source{.log = log,
                .compat = compat,
                .raw = raw || compat,
                .modules = {},
                .mounts = {},
                .exe = {},
                .metadata = {},
                .names = *names};
  source.modules = compat ? log.upstream_modules() : std::vector(log.modules().begin(), log.modules().end());
  if (const auto& texts = log.upstream_job_texts(); compat) {
    if (!texts.readable)
      return failure("job", "darshan-util refuses this job record: its text is empty, or its last mount has no path");
    source.exe = texts.exe;
    source.metadata = texts.metadata;
    source.mounts = texts.mounts;
  } else {
    if (log.job()) source.exe = log.job()->exe;
    if (log.job()) source.metadata = log.job()->metadata;
    source.mounts.assign(log.mounts().begin(), log.mounts().end());
  }
  std::stable_sort(source.mounts.begin(), source.mounts.end(),
                   [](const Mount& a, const Mount& b) { return a.path.size() > b.path.size(); });
  return source;
}

std::string Source::shown(std::string_view text) const {
  if (raw) return std::string(text);
  std::string utf8 = escape_utf8(text);
  return has_controls(utf8) ? escape_controls(utf8) : utf8;
}

const Mount* Source::mount_of(std::int64_t position) const {
  if (position < 0) return nullptr;
  if (!compat) {
    auto mount = names->mount(position);
    return mount < 0 ? nullptr : &log.mounts()[static_cast<std::size_t>(mount)];
  }
  auto name = names->name(position);
  auto at = std::find_if(mounts.begin(), mounts.end(), [&](const Mount& m) { return name.starts_with(m.path); });
  return at == mounts.end() ? nullptr : &*at;
}

void write_head(const Source& source, TextBuffer& out) {
  if (source.log.format_version() == "3.20")
    out.put(
        "# WARNING: this log was written by Darshan 3.2.0, which may have stored wrong counters.\n"
        "#          Known to be affected are the most frequent sizes of accesses (POSIX, MPI-IO, HDF5), but\n"
        "#          what was stored before them may be wrong, too.\n");
  out.put("# darshan log version: ").put(source.log.format_version()).put("\n");
  out.put("# compression method: ").put(compression_name(source.log.compression())).put("\n");
  if (source.log.job()) write_job(source, out);
  write_regions(source, out);
  write_mounts(source, out);
}

void write_banner(std::string_view module, std::size_t stars, TextBuffer& out) {
  const std::string line(stars, '*');
  out.put("\n# ").put(line).put("\n# ").put(module).put(" module data\n# ").put(line).put("\n");
}

bool is_cut(const Log& log, std::string_view module) {
  auto problems = log.problems();
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& p) {
    return p.module == module && p.severity() == Severity::error && p.kind != ProblemKind::record_fragment;
  });
}

void write_incomplete(std::string_view module, TextBuffer& out) {
  out.put("\n# *WARNING*: records of the ")
      .put(module)
      .put(
          " module are missing!\n"
          "#            Darshan had no memory left for more of\n"
          "#            them while the program ran.\n"
          "\n"
          "# The configuration of Darshan's runtime can help: more\n"
          "# records for each module (MAX_RECORDS), more memory\n"
          "# (MODMEM), or files that are of no interest left out\n"
          "# (NAME_EXCLUDE).\n");
}

std::string incomplete_complaint(std::string_view module) {
  return fmt::format(
      "*ERROR*: records of the {} module are missing: Darshan had no memory left for more of them (its "
      "settings MAX_RECORDS, MODMEM and NAME_EXCLUDE can help); --show-incomplete shows those that there are",
      module);
}

}  // namespace darrow::util_text

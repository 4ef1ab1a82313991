// What `parse` and `dxt` take.
#include <utility>

#include "cli/command_table.hpp"
#include "cli/names.hpp"
#include "cli/option_values.hpp"

namespace darrow::cli {
namespace {

constexpr std::pair<std::string_view, UtilBuild> builds[] = {
    {"3.5.0", UtilBuild::v3_5_0}, {"main", UtilBuild::main}, {"3.4", UtilBuild::v3_4}};

OptionRow one_log(std::vector<std::string>& logs) {
  auto take = [&logs](const std::string& log) {
    if (!logs.empty()) throw Wrong{"one LOG expected, and here is " + log};
    logs.push_back(log);
  };
  return path_argument("LOG", take, true);
}

/// A flag, so that a log behind it is no build: --compat=main LOG, but also --compat LOG.
OptionRow compat_row(std::optional<UtilBuild>& compat) {
  OptionRow row{.names = "--compat",
                .value = "BUILD",
                .help =
                    "what a build of darshan-util writes, mistakes and all (but the words of comments are ours): "
                    "3.5.0 (the default), main (the development branch after it) or 3.4. Names are raw then, and "
                    "exit codes those of the build: 255 where it stops, else 0",
                .meet =
                    [&compat](const std::string& name) {
                      for (auto& [known, build] : builds)
                        if (name == known) compat = build;
                    },
                .bare = builds[0].first};
  for (auto& [name, build] : builds) row.choices.push_back(name);
  return row;
}

/// What both have in common.
OptionSection text_section(LogOptions& log, std::optional<UtilBuild>& compat, bool& raw, bool& show_incomplete) {
  std::vector<OptionRow> rows = {
      {.names = "--raw",
       .value = {},
       .help = "names as they are stored. Else control characters and bytes that are not UTF-8 stand as \\xNN, so that "
               "a TAB in a name makes no field and no line breaks",
       .meet = [&raw] { raw = true; }},
      strict_row(log.open),
      fail_partial_row(log),
      max_region_row(log.open),
      compat_row(compat),
      OptionRow{.names = "--show-incomplete",
                .value = {},
                .help = "with --compat: go on at a partial module, at which darshan-util stops; else that is always "
                        "done",
                .meet = [&show_incomplete] { show_incomplete = true; }}};
  return {"Options:", std::move(rows), R"(
Without --compat, values are right where darshan-util errs, every module is
shown, -1 stands for whatever is not known, and a mount claims whole components
of a path. docs/darshan-util.md tells all differences.
)"};
}

OptionRow flag(std::string_view name, std::string_view help, bool& value) {
  return {.names = name, .value = {}, .help = help, .meet = [&value] { value = true; }};
}

OptionSection shown_section(ParserTextOptions& text) {
  auto all = [&text] { text.base = text.total = text.file = text.perf = text.show_incomplete = true; };
  return {"What to show of each module (--base if there is none of these):",
          {flag("--base", "the counters of every record", text.base),
           flag("--total", "its records as one: total_COUNTER", text.total),
           flag("--file", "files, bytes and highest offsets, by what was done with the files", text.file),
           flag("--perf", "performance: times of the slowest ranks, MiB/s", text.perf),
           OptionRow{.names = "--all", .value = {}, .help = "all of this", .meet = all}}};
}

OptionSection old_section(ParserTextOptions& text) {
  return {"With --compat=3.4 also:",
          {flag("--file-list", "a line for each file, with its processes and times", text.file_list),
           flag("--file-list-detailed", "the same with more columns", text.file_list_detailed)}};
}

}  // namespace

CommandTable parse_table(ParseRequest& request) {
  CommandTable table;
  table.name = "parse";
  table.summary = "the text of darshan-parser";
  table.usage = "[OPTION…] LOG";
  table.about = R"(LOG is a file or a pipe, - the standard input. Prints the job, the regions of
the log and the mounts, then of each module what is asked for. Lines that begin
with # are comments; those of a record have eight fields with TABs between them:
module, rank, record id, counter, value, file name, mount point, its type.
)";
  table.arguments = {one_log(request.logs)};
  auto& text = request.text;
  table.sections = {shown_section(text), text_section(request, text.compat, text.raw, text.show_incomplete),
                    old_section(text)};
  table.more = R"(Called as darshan-parser (a link or a copy), darrow does as that program does.
)";
  table.examples = {"darrow parse job.darshan", "darrow parse --total --perf job.darshan | grep ^total_",
                    "darrow parse job.darshan | grep '^LUSTRE' | cut -f 4-6",
                    "darrow parse --compat --all job.darshan"};
  return table;
}

CommandTable dxt_table(DxtRequest& request) {
  CommandTable table;
  table.name = "dxt";
  table.summary = "the text of darshan-dxt-parser";
  table.usage = "[OPTION…] LOG";
  table.about = R"(LOG is a file or a pipe, - the standard input. Prints the job, the regions of
the log and the mounts, then every read and write of the traces (DXT_POSIX,
DXT_MPIIO): a block for each file and rank, a line for each access, with the
storage targets that it touched where the log tells of the file's stripes.
)";
  table.arguments = {one_log(request.logs)};
  auto& text = request.text;
  table.sections = {text_section(request, text.compat, text.raw, text.show_incomplete)};
  table.more = R"(Called as darshan-dxt-parser (a link or a copy), darrow does as that program
does.
)";
  table.examples = {"darrow dxt job.darshan", "darrow dxt --compat=main job.darshan"};
  return table;
}

}  // namespace darrow::cli

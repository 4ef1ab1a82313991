#include <fmt/format.h>

#include "cli/command_table.hpp"
#include "cli/option_values.hpp"

namespace darrow::cli {
namespace {

constexpr std::string_view about_logs = R"(
LOG is a file or a pipe, - the standard input; a directory stands for all files
below it that end with .darshan, a quoted pattern ('runs/*.darshan') for what it
matches, @FILE for the lines of a file (@- of the standard input).
)";

/// Options of the commands that read logs.
OptionSection log_section(LogOptions& options) {
  return {
      "Options:",
      {format_row(options.format), strict_row(options.open), fail_partial_row(options), max_region_row(options.open)}};
}

TakeText append_to(std::vector<std::string>& texts) {
  return [&texts](const std::string& text) { texts.push_back(text); };
}

NamedPattern named_pattern(const std::string& text) {
  auto equals = text.find('=');
  if (equals == 0 || equals == text.npos) throw Wrong{fmt::format("\"{}\" is no NAME=REGEX, such as h5=\\.h5$", text)};
  return {text.substr(0, equals), pattern(text.substr(equals + 1))};
}

GroupKey group_key(const std::string& text) {
  auto key = GroupKey::parse_of_logs(text);
  if (!key) throw Wrong{key.error().message};
  return *key;
}

OptionSection shown_section(SummaryRequest& request) {
  return {"What to show:",
          {{.names = "--module",
            .value = "NAME",
            .help = "only this module (POSIX, mpi-io, mpiio, …); may be given again, or several with commas",
            .meet = append_to(request.modules),
            .again = true,
            .list = true,
            .proposal = Proposal::modules},
           {.names = "--metric",
            .value = "NAME",
            .help = "only this metric of each module, with all its digits; again and with commas as --module. Also a "
                    "whole table: layers, categories, access_sizes, common_accesses, mounts",
            .meet = append_to(request.metrics),
            .again = true,
            .list = true},
           {.names = "--layer",
            .value = "LAYER",
            .help = "module (the default), or bottom: POSIX, STDIO and DFS as one, through which data leaves the "
                    "program; shows their numbers and the sizes of the files. MPI-IO, HDF5 and PnetCDF go through "
                    "these, and DAOS lies below DFS: with them, bytes would count twice. So native DAOS I/O, without "
                    "DFS, is not in it",
            .meet = [&request](const std::string& name) { request.bottom = name == "bottom"; },
            .choices = {"module", "bottom"}}}};
}

OptionSection group_section(GroupRequest& groups) {
  auto add_key = [&groups](const std::string& text) {
    if (text != "module") groups.keys.push_back(group_key(text));
    groups.is_given = true;
  };
  std::vector<OptionRow> rows = {
      {.names = "--by",
       .value = "KEYS",
       .help = "what to group by, with commas: module (always), file, rank, pattern, mount, fs (file system type), "
               "dir:N (directory to depth N), ext (of file names); job, exe (program), uid, day (UTC), host (node of "
               "the rank, if traces, MPI records or the job's metadata tell)",
       .meet = add_key,
       .again = true,
       .list = true},
      {.names = "--pattern",
       .value = "NAME=REGEX",
       .help =
           "records with REGEX in their name are group NAME; may be given again. A record may be in several groups, "
           "those in none are group -",
       .meet = [&groups](const std::string& text) { groups.patterns.push_back(named_pattern(text)); },
       .again = true},
      {.names = "--name",
       .value = "REGEX",
       .help = "only records with REGEX in their name; again: any of them",
       .meet = [&groups](const std::string& text) { groups.names.find.push_back(pattern(text)); },
       .again = true},
      {.names = "--exclude",
       .value = "REGEX",
       .help = "only records without it; again: none of them",
       .meet = [&groups](const std::string& text) { groups.names.exclude.push_back(pattern(text)); },
       .again = true},
      {.names = "--id",
       .value = "ID",
       .help = "only records of this id; again and with commas",
       .meet = [&groups](const std::string& text) { groups.ids.push_back(record_id(text)); },
       .again = true,
       .list = true},
      {.names = "--rank",
       .value = "RANKS",
       .help = "only records of these ranks, such as 0-7,-1 (-1: shared by all ranks); again and with commas",
       .meet = [&groups](const std::string& text) { groups.ranks.push_back(rank_range(text)); },
       .again = true,
       .list = true},
      {.names = "--sort",
       .value = "COLUMN",
       .help = "metric (the largest first; default bytes) or key",
       .meet = [&groups](const std::string& text) { groups.sort = text; }},
      {.names = "--limit",
       .value = "N",
       .help = "only the first N groups of each module (default: 20 to people, all in JSON and CSV)",
       .meet = [&groups](const std::string& text) { groups.limit = count<std::size_t>(text); },
       .again = true},
      threads_row(groups.threads)};
  return {"All logs in one table, a row for each module and group of records:", std::move(rows),
          R"(A log with the content of another one is counted once, whatever it is called; a
log that fails is told on stderr and stops nothing (exit code 3). Over several
jobs counts and times are added up, and a rate is all bytes / all I/O time;
files are counted in each job anew. Regular expressions have the syntax of RE2.
)"};
}

constexpr std::string_view about_summary =
    R"(Shows each module that counts bytes, calls or times: what it did, where the
time went, how it accessed files, how large the accesses were, what files there
are, and where they lie. Modules are layers of one stack: what MPI-IO does shows
again as POSIX, so their numbers do not add up.
)";

constexpr std::string_view more_of_summary = R"(Words:
  files                    of H5D datasets, of PNETCDF_VAR variables, of DAOS
                           objects: whatever has a record of its own
  I/O time                 time_by_slowest, the sum of the next two
  single-rank              time in records of single ranks: of the rank with the
                           most, over all its records. A file that several
                           ranks used may have such records too, one for each
  all-rank                 time in records of all ranks together: of the slowest
                           rank of each, added up
  mean, slowest, × mean    I/O time of a process on average; of the rank with
                           the most; how many times the mean that is
  rate                     (bytes read + bytes written) / I/O time
  sequential, consecutive  calls that began behind the one before them, and
                           right where it ended
  small                    calls of at most 100 KiB
  unaligned, in memory     calls whose offset in the file, or buffer in memory,
                           was not aligned; known of reads and writes together
                           only (both)
  both, none               files read and written, and those without I/O
  unique, partly, shared   files used by one process, by some, by all, whichever
                           records they have
  module*  module!         partial: Darshan ran out of memory and records are
                           missing; damaged: something of the module was lost or
                           is untrusted (other regions of the log are judged by
                           darrow info, and by --strict)
A - stands where there is no such number. darrow modules --metrics tells the
unit and formula of each.

JSON: {"logs": [{"file", "job", "modules": […], "categories": […],
"access_sizes": […], "common_accesses": […], "mounts": […], "records": {…},
"problems": […]}]}; records has for each module its records as one, ids as text;
with --metric, only the tables asked for. A log that fails has "file" and
"error" instead. CSV: a row a module of each log with all metrics of modules, or
the one table that --metric chose; status is read, no_modules, no_rows, or the
reason why the log could not be read. A module that is not in a log is told on
stderr (exit code 3); a log with none of those asked for fails.
With --by and the options below it, JSON: {"logs", "groups": [{"module", keys,
"jobs", metrics, "partial", "damaged"}], "repeated": [{"file", "same_as"}],
"failures": [{"file", "region", "code", "reason", "counted"}], "problems": […]};
CSV: a row a group.
)";

}  // namespace

CommandTable info_table(LogOptions& options) {
  static const std::string about = R"(Shows the job, the modules with their records, the mounts and every problem
met. All of the log is read for it.
)" + std::string(about_logs);
  CommandTable table;
  table.name = "info";
  table.summary = "what a log holds";
  table.usage = "[OPTION…] LOG…";
  table.about = about;
  table.arguments = {logs_argument("LOG", options.logs)};
  table.sections = {log_section(options)};
  table.more = R"(JSON: {"logs": [{"file", "format", "job", "modules": […], "mounts": […],
"names", "problems": […]}]}; a log that fails has "file" and "error" instead.
run_time is in seconds, bytes of a module are those in the log (compressed);
records is null where they cannot be decoded, names counts those on a mount.
CSV: a row a module of each log; status is readable, unknown_module,
unknown_version, no_modules, or the reason why the log could not be read.
)";
  table.examples = {"darrow info job.darshan", "darrow info --format csv runs/*.darshan > modules.csv",
                    "darrow info --format json job.darshan | jq '.logs[].problems'",
                    "zcat job.darshan.gz | darrow info -"};
  return table;
}

CommandTable summary_table(SummaryRequest& request) {
  static const std::string about = std::string(about_summary) + std::string(about_logs);
  CommandTable table;
  table.name = "summary";
  table.summary = "what the job did, per module";
  table.usage = "[OPTION…] LOG…";
  table.about = about;
  table.arguments = {logs_argument("LOG", request.logs)};
  table.sections = {shown_section(request), group_section(request.groups), log_section(request)};
  table.more = more_of_summary;
  table.examples = {"darrow summary job.darshan",
                    "darrow summary --module posix,mpiio job.darshan",
                    "darrow summary --layer bottom job.darshan",
                    "darrow summary --metric rate,io_time_imbalance job.darshan",
                    "darrow summary --metric mounts --format csv runs/*.darshan > mounts.csv",
                    "darrow summary --format json job.darshan | jq '.logs[].modules[].rate'",
                    "darrow summary --format csv runs/*.darshan > runs.csv",
                    "darrow summary --by file --limit 5 job.darshan",
                    "darrow summary --pattern 'h5=\\.h5$' --pattern ckpt=/ckpt/ job.darshan",
                    "darrow summary --by exe,dir:2 --layer bottom logs/",
                    "darrow summary --by job --format csv logs/ > jobs.csv"};
  return table;
}

CommandTable modules_table(ModulesOptions& options) {
  CommandTable table;
  table.name = "modules";
  table.summary = "the counter dictionary";
  table.usage = "[OPTION…] [NAME]";
  table.about = R"(Without NAME, the modules that are known. With NAME (POSIX, mpi-io, dxt_posix,
…) the counters of a module:
  type      how it is stored: i64, u64, f64, i32, u32, text, uuid
  rule      how it combines over records; - if it does not
  null      -1 if that value means "not recorded"
  since     the first module version that has it, if not all have
CSV and JSON also tell of fields that are no columns, and of versions.

With --metrics, what darrow summary derives from them: of each metric the table
it is a column of, unit, formula and meaning. With NAME also the counters that
play each role in the formulas.
)";
  table.arguments = {{.names = "NAME",
                      .value = {},
                      .help = {},
                      .meet = [&options](const std::string& name) { options.name = name; },
                      .proposal = Proposal::modules}};
  table.sections = {
      {"Options:",
       {format_row(options.format),
        OptionRow{.names = "--all",
                  .value = {},
                  .help = "every counter: of all modules if there is no NAME; also those of which a "
                          "family is shown otherwise",
                  .meet = [&options] { options.all = true; }},
        OptionRow{.names = "--metrics", .value = {}, .help = "the metrics instead of the counters", .meet = [&options] {
                    options.metrics = true;
                  }}}}};
  table.examples = {"darrow modules",
                    "darrow modules mpi-io",
                    "darrow modules --all --format csv > counters.csv",
                    "darrow modules --metrics",
                    "darrow modules posix --metrics",
                    "darrow modules --metrics --format json | jq '.metrics[].formula'"};
  return table;
}

}  // namespace darrow::cli

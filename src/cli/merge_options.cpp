#include <fmt/format.h>

#include "cli/command_table.hpp"
#include "cli/option_values.hpp"

namespace darrow::cli {

CommandTable merge_table(MergeRequest& request) {
  auto set_end = [&request](const std::string& text) {
    request.merge.end_time = number<std::int64_t>(text);
    if (request.merge.end_time.value_or(0) < 1)
      throw Wrong{fmt::format("\"{}\" is no number of seconds since 1970", text)};
  };
  CommandTable table;
  table.name = "merge";
  table.summary = "several logs into one";
  table.usage = "[OPTION…] LOG… -o OUT";
  table.about = R"(LOG is a file or a pipe, - the standard input; a directory stands for all files
below it that end with .darshan, a quoted pattern ('runs/*.darshan') for what it
matches, @FILE for the lines of a file (@- of the standard input). OUT is a
file, a device or a pipe, - the standard output; it comes into being when it is
complete, so with --force it may be one of the logs that are named (of a
directory, pattern or list it is left out). A log that cannot be read is told on
stderr and left out; one given twice counts once.
)";
  table.arguments = {logs_argument("LOG", request.logs)};
  std::vector<OptionRow> rows = {
      {.names = "-o, --output",
       .value = "OUT",
       .help = "where the log is written",
       .meet = [&request](const std::string& path) { request.out = path; },
       .proposal = Proposal::files,
       .needed = true},
      {.names = "-f, --force", .value = {}, .help = "overwrite OUT", .meet = [&request] { request.overwrite = true; }},
      {.names = "--shared-redux",
       .value = {},
       .help = "one record of rank -1 for each file of which every process has a record, by the rules of the counters "
               "(darrow modules NAME), and for each Lustre layout",
       .meet = [&request] { request.merge.reduce_shared = true; }},
      {.names = "--job-end-time",
       .value = "SECS",
       .help = "when the run ended, in seconds since 1970 (UTC)",
       .meet = set_end},
  };
  for (auto& row : write_rows(request.merge.write)) rows.push_back(std::move(row));
  rows.push_back({.names = "--strict",
                  .value = {},
                  .help = "refuse logs of which anything is lost or untrusted, and logs that do not belong together",
                  .meet = [&request] { request.open.strict = true; }});
  rows.push_back(max_region_row(request.open));
  table.sections = {{"Options:", std::move(rows)}};
  table.more = R"(What OUT says:
  job       number, user, command line and metadata of the first log. A log of
            another job or user is a warning (--strict: an error)
  start     the earliest of all logs
  end       the latest; if the run was aborted and no log tells it, the last
            time in the records, which is told on stderr
  processes logs are parts of one run if job number, user and number of
            processes are the same, and either the start is or no rank is in
            two of them. Runs of their own (the logs of a program that forks,
            steps of a job) add up: their processes are numbered through in the
            order of the logs, and a record of rank -1 stands for all of a run
  names     of all logs; where they differ, the first, which is a warning
  modules   partial if they are in any log; those that are not known come along
            if they are of one version
)";
  table.exits = R"(0 done; 2 usage; 3 written, but something was lost or is untrusted,
or a log could not be read; 4 nothing was written.
)";
  table.examples = {"darrow merge --shared-redux /tmp/*_id4711_mmap-log-*.darshan -o job.darshan",
                    "darrow merge --job-end-time 1750399260 crash/ -o job.darshan",
                    "darrow merge @logs.txt -o - | darrow summary -"};
  return table;
}

}  // namespace darrow::cli

#include "cli/command_table.hpp"

namespace darrow::cli {

CommandTable analyze_table(AnalyzeRequest& request) {
  CommandTable table;
  table.name = "analyze";
  table.summary = "what kinds of logs there are, and how many of each";
  table.usage = "[OPTION…] PATH…";
  table.about = R"(PATH is a file or a pipe, - the standard input; a directory stands for all files
below it that end with .darshan, a quoted pattern ('runs/*.darshan') for what it
matches, @FILE for the lines of a file (@- of the standard input). A log with
the content of another one counts once. Files that are no logs do not count;
damaged logs count apart, and stderr tells why.

Counts logs in which
  - a file is used by all processes, by some, by one (of POSIX, STDIO and DFS;
    standard streams are no files)
  - MPI-IO, PnetCDF, HDF5 was used
and logs by the part of their run time that was I/O: the time of all processes
in reads, writes and metadata calls of POSIX, STDIO and DFS, over run time ×
processes. Threads that do I/O at the same time can bring it above 1. It is not
known of aborted runs.
)";
  table.arguments = {logs_argument("PATH", request.logs)};
  std::vector<OptionRow> rows = {
      format_row(request.format), threads_row(request.threads),
      OptionRow{.names = "--compat",
                .value = {},
                .help = "what darshan-analyzer prints of a directory: every file counts, logs or not; only POSIX; a "
                        "file of some processes is one of single processes; times of all processes over the run time "
                        "of one",
                .meet = [&request] { request.compat = true; }},
      strict_row(request.open), max_region_row(request.open)};
  table.sections = {{"Options:", std::move(rows)}};
  table.more = R"(JSON: {"logs", "access": {…}, "io_shares": [{"above", "up_to", "logs"}],
"io_share_unknown", "each": [{"file", "job", "io_time", "io_share", "shared",
"partly_shared", "unique", "mpiio", "pnetcdf", "hdf5"}], "repeated": [{"file",
"same_as"}], "damaged": [{"file", "region", "code", "reason"}], "not_logs"}.
CSV: a row a log; status is read, or the reason why it could not be.
)";
  table.exits = R"(0 done; 2 usage; 3 some logs are damaged, the rest was counted; 4 no
log could be read.
)";
  table.examples = {"darrow analyze logs/2025/7/", "darrow analyze --format csv 'logs/*/*.darshan' > kinds.csv",
                    "darrow analyze --format json logs/ | jq '.damaged[].file'", "darrow analyze --compat logs/"};
  return table;
}

}  // namespace darrow::cli

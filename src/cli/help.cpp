#include "cli/help.hpp"

#include <algorithm>
#include <iterator>

#include "cli/external.hpp"

namespace darrow::cli {
namespace {

constexpr std::string_view top = R"(darrow reads the I/O logs of Darshan.

Usage: darrow COMMAND [OPTION…] [ARGUMENT…]

Commands:
  info LOG…        what a log holds: job, modules, names, mounts, problems
  summary LOG…     what the job did, per module: files, bytes, time, rate
  modules [NAME]   the counter dictionary: meaning, unit and rule of each
)";

constexpr std::string_view top_end = R"(
Options:
  -h, --help       this help; darrow COMMAND --help tells more
  --version        the version

Examples:
  darrow info job.darshan
  darrow summary --format csv runs/*.darshan
  darrow modules POSIX

Exit codes: 0 done; 2 usage; 3 something was lost or is untrusted, or some of
several logs failed, the rest was done; 4 nothing could be read.

On a terminal, tables fit its width (or COLUMNS), and headers are bold unless
NO_COLOR is set. Bytes that are not UTF-8 are shown as \xNN everywhere.
)";

constexpr std::string_view log_options = R"(
LOG is a file or a pipe; - is the standard input.

Options:
  --format FORMAT          table (for people, the default), csv or json
  --strict                 refuse a log of which anything is lost or untrusted
  --fail-partial           exit with 3 also if a module is partial, that is, if
                           Darshan ran out of memory while it counted
  --max-region-bytes SIZE  inflate no region of a log beyond SIZE bytes (default
                           4G; suffixes K, M, G, T: powers of 1024)
  -h, --help               this help
)";

constexpr std::string_view info = R"(darrow info: what a log holds.

Usage: darrow info [OPTION…] LOG…

Shows the job, the modules with their records, the mounts and every problem
met. All of the log is read for it.
)";

constexpr std::string_view info_end = R"(
JSON: {"logs": [{"file", "format", "job", "modules": […], "mounts": […],
"names", "problems": […]}]}; a log that fails has "file" and "error" instead.
run_time is in seconds, bytes of a module are those in the log (compressed);
records is null where they cannot be decoded, names counts those on a mount.
CSV: a row a module of each log; status is readable, unknown_module,
unknown_version, no_modules, or the reason why the log could not be read.

Examples:
  darrow info job.darshan
  darrow info --format csv runs/*.darshan > modules.csv
  darrow info --format json job.darshan | jq '.logs[].problems'
  zcat job.darshan.gz | darrow info -
)";

constexpr std::string_view summary = R"(darrow summary: what the job did, per module.

Usage: darrow summary [OPTION…] LOG…

Shows each module that counts bytes and times. Modules are layers of one
stack: what MPI-IO does shows again as POSIX, so their numbers do not add up.
)";

constexpr std::string_view summary_end = R"(
Columns (names in CSV and JSON; null or empty where there is no such number):
  module                   the layer
  files                    distinct files
  records                  one for each file and rank, or for all ranks of a
                           shared file
  bytes_read               bytes
  bytes_written            bytes
  time_by_slowest          seconds: unique_time_… + shared_time_… ("I/O time")
  unique_time_by_slowest   seconds: of files of one rank, for the rank where
                           read, write and metadata time are most
  shared_time_by_slowest   seconds: of shared files, the slowest rank of each
  slowest_rank             the rank of unique_time_by_slowest
  rate                     bytes per second: (bytes_read + bytes_written) /
                           time_by_slowest
  partial                  whether records are missing (* in the table)
  damaged                  whether something of the module was lost or is
                           untrusted (! in the table); other regions of the
                           log are judged by darrow info, and by --strict
JSON: {"logs": [{"file", "job", "modules": […], "problems": […]}]}; a log that
fails has "file" and "error" instead. CSV: a row a module of each log; status is
read, no_modules, or the reason why the log could not be read.

Examples:
  darrow summary job.darshan
  darrow summary --format json job.darshan | jq '.logs[].modules[].rate'
  darrow summary --format csv runs/*.darshan > runs.csv
)";

constexpr std::string_view modules = R"(darrow modules: the counter dictionary.

Usage: darrow modules [OPTION…] [NAME]

Without NAME, the modules that are known. With NAME (POSIX, mpi-io, dxt_posix,
…) the counters of a module:
  type      how it is stored: i64, u64, f64, i32, u32, text, uuid
  rule      how it combines over records; - if it does not
  null      -1 if that value means "not recorded"
  since     the first module version that has it, if not all have
CSV and JSON also tell of fields that are no columns, and of versions.

Options:
  --format FORMAT  table (for people, the default), csv or json
  --all            every counter: of all modules if there is no NAME; also
                   those of which a family is shown otherwise
  -h, --help       this help

Examples:
  darrow modules
  darrow modules mpi-io
  darrow modules --all --format csv > counters.csv
)";

}  // namespace

bool is_built_in(std::string_view command) {
  return std::find(std::begin(built_in), std::end(built_in), command) != std::end(built_in);
}

std::string help_text(std::string_view command) {
  std::string text;
  if (command == "info") return text.append(info).append(log_options).append(info_end);
  if (command == "summary") return text.append(summary).append(log_options).append(summary_end);
  if (command == "modules") return text.append(modules);
  text.append(top);
  auto others = external_commands();
  if (!others.empty()) {
    text += "\nCommands of other programs (darrow-NAME beside this one or on PATH):\n ";
    for (auto& name : others) text += " " + name;
    text += "\n";
  }
  return text.append(top_end);
}

}  // namespace darrow::cli

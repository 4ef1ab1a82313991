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
  summary LOG…     what the job did, per module: bytes, time, calls, files
  modules [NAME]   the counter dictionary: meaning, unit and rule of each;
                   --metrics: the metrics that summary derives from them
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

Shows each module that counts bytes, calls or times: what it did, where the
time went, how it accessed files, how large the accesses were, what files there
are, and where they lie. Modules are layers of one stack: what MPI-IO does shows
again as POSIX, so their numbers do not add up.

What to show:
  --module NAME            only this module (POSIX, mpi-io, mpiio, …); may be
                           given again, or several with commas
  --metric NAME            only this metric of each module, with all its digits;
                           again and with commas as --module. Also a whole
                           table: layers, categories, access_sizes,
                           common_accesses, mounts
  --layer LAYER            module (the default), or bottom: POSIX, STDIO and DFS
                           as one, through which data leaves the program; shows
                           their numbers and the sizes of the files. MPI-IO,
                           HDF5 and PnetCDF go through these, and DAOS lies
                           below DFS: with them, bytes would count twice. So
                           native DAOS I/O, without DFS, is not in it
)";

constexpr std::string_view summary_end = R"(
Words:
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

Examples:
  darrow summary job.darshan
  darrow summary --module posix,mpiio job.darshan
  darrow summary --layer bottom job.darshan
  darrow summary --metric rate,io_time_imbalance job.darshan
  darrow summary --metric mounts --format csv runs/*.darshan > mounts.csv
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

With --metrics, what darrow summary derives from them: of each metric the table
it is a column of, unit, formula and meaning. With NAME also the counters that
play each role in the formulas.

Options:
  --format FORMAT  table (for people, the default), csv or json
  --all            every counter: of all modules if there is no NAME; also
                   those of which a family is shown otherwise
  --metrics        the metrics instead of the counters
  -h, --help       this help

Examples:
  darrow modules
  darrow modules mpi-io
  darrow modules --all --format csv > counters.csv
  darrow modules --metrics
  darrow modules posix --metrics
  darrow modules --metrics --format json | jq '.metrics[].formula'
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

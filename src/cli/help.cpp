#include "cli/help.hpp"

#include <algorithm>
#include <iterator>

#include "cli/external.hpp"

namespace darrow::cli {
namespace {

constexpr std::string_view top = R"(darrow reads and writes the I/O logs of Darshan.

Usage: darrow COMMAND [OPTION…] [ARGUMENT…]

Commands:
  info LOG…        what a log holds: job, modules, names, mounts, problems
  summary LOG…     what the job did, per module: bytes, time, calls, files
  modules [NAME]   the counter dictionary: meaning, unit and rule of each;
                   --metrics: the metrics that summary derives from them
  convert IN OUT   a log written anew: smaller, in part, without what tells who
                   and what it was, or as older releases read it
  merge LOG…       several logs into one, such as those that each process of a
                   crashed run left behind
  analyze PATH…    of many logs, how many share files, use MPI-IO, HDF5 or
                   PnetCDF, and spend how much of their time in I/O
)";

constexpr std::string_view top_end = R"(
Options:
  -h, --help       this help; darrow COMMAND --help tells more
  --version        the version

Examples:
  darrow info job.darshan
  darrow summary --format csv runs/*.darshan
  darrow modules POSIX
  darrow convert --module posix --rank 0-7 job.darshan part.darshan

Exit codes: 0 done; 2 usage; 3 something was lost or is untrusted, or some of
several logs failed, the rest was done; 4 nothing could be read, or written.

On a terminal, tables fit its width (or COLUMNS), and headers are bold unless
NO_COLOR is set. Bytes that are not UTF-8 are shown as \xNN everywhere.
)";

constexpr std::string_view log_options = R"(
LOG is a file or a pipe, - the standard input; a directory stands for all files
below it that end with .darshan, a quoted pattern ('runs/*.darshan') for what it
matches, @FILE for the lines of a file (@- of the standard input).

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

All logs in one table, a row for each module and group of records:
  --by KEYS                what to group by, with commas: module (always), file,
                           rank, pattern, mount, fs (file system type), dir:N
                           (directory to depth N), ext (of file names); job,
                           exe (program), uid, day (UTC), host (if the job's
                           metadata tells)
  --pattern NAME=REGEX     records with REGEX in their name are group NAME; may
                           be given again. A record may be in several groups,
                           those in none are group -
  --name REGEX             only records with REGEX in their name; again: any of
                           them. --exclude REGEX: none of them
  --id ID, --rank RANKS    only records of these ids, or ranks such as 0-7,-1
                           (-1: shared by all ranks); again and with commas
  --sort COLUMN            metric (the largest first; default bytes) or key
  --limit N                only the first N groups of each module (default: 20
                           to people, all in JSON and CSV)
  --threads N              logs read at the same time (default: one for each
                           processor)
A log with the content of another one is counted once, whatever it is called; a
log that fails is told on stderr and stops nothing (exit code 3). Over several
jobs counts and times are added up, and a rate is all bytes / all I/O time;
files are counted in each job anew. Regular expressions have the syntax of RE2.
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
With --by and the options below it, JSON: {"logs", "groups": [{"module", keys,
"jobs", metrics, "partial", "damaged"}], "repeated": [{"file", "same_as"}],
"failures": [{"file", "region", "code", "reason", "counted"}]}; CSV: a row a
group.

Examples:
  darrow summary job.darshan
  darrow summary --module posix,mpiio job.darshan
  darrow summary --layer bottom job.darshan
  darrow summary --metric rate,io_time_imbalance job.darshan
  darrow summary --metric mounts --format csv runs/*.darshan > mounts.csv
  darrow summary --format json job.darshan | jq '.logs[].modules[].rate'
  darrow summary --format csv runs/*.darshan > runs.csv
  darrow summary --by file --limit 5 job.darshan
  darrow summary --pattern 'h5=\.h5$' --pattern ckpt=/ckpt/ job.darshan
  darrow summary --by exe,dir:2 --layer bottom logs/
  darrow summary --by job --format csv logs/ > jobs.csv
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

constexpr std::string_view convert = R"(darrow convert: a log written anew.

Usage: darrow convert [OPTION…] IN OUT

IN is a file or a pipe, - the standard input. OUT is a file, a device or a pipe,
- the standard output. It is a log of format 3.41 with the newest version of
each module; numbers stay as they are in every bit. OUT comes into being when it
is complete, and may be IN (with --force). The same input and options give the
same bytes.

Options:
  -f, --force              overwrite OUT
  --compression KIND       zlib (the default), bzip2 or none
  --bzip2                  short for --compression bzip2
  --level N                zlib: 1 (fast) to 12 (small), 6 if not given;
                           bzip2: 1 to 9, 9 if not given
  --byte-order ORDER       of all numbers: little (the default) or big
  --target RELEASE         module versions that this release of Darshan reads,
                           such as 3.4.1. What they cannot hold is an error, but
                           thread ids of traces are left out and told on stderr
  --module-version MODULE=N
                           a module in version N, if nothing is lost by it; may
                           be given again, for others
  --strict                 refuse a log of which anything is lost or untrusted
  --max-region-bytes SIZE  inflate no region of a log beyond SIZE bytes (default
                           4G; suffixes K, M, G, T: powers of 1024)
  -h, --help               this help

A part of the log (records have to meet all that is asked for; each may be given
again, and all but the first two several with commas):
  --name REGEX             records whose name has REGEX anywhere in it
  --exclude REGEX          records whose name has it nowhere; those without name
                           stay
  --id ID, --file ID       records with this id (decimal)
  --rank R                 records of this rank; 0-7: of these, -1: of all
                           ranks together
  --module NAME            this module (POSIX, mpi-io, mpiio, …)
Names that are not chosen go too, and with --rank or --module those that no
record has any more. Of modules that are not known no records can be chosen:
they are left out and told on stderr. REGEX has the syntax of RE2, and a dot
stands for any character. Names are looked at as darrow shows them: bytes that
are not UTF-8 stand as \xNN (so '\\xff' finds the byte 255).

Metadata:
  --reset-md               drop it first
  --annotate KEY=VALUE     add this, or put it in the place of what KEY has; may
                           be given again, or several with TABs

Names that no one shall read, hashed with a key:
  --obfuscate              all of these:
  --obfuscate-jobid        the job number, unless it is 0
  --obfuscate-uid          the user number
  --obfuscate-exe          the command line
  --obfuscate-names        names, behind the mount on which they lie; those of
                           standard streams and heat maps stay
  --key K                  a number of 32 bits (default 0)
This is no anonymity. Record ids, mounts, metadata (hints and annotations among
it), host and node names, names of pools, times and all counters stay as they
are. An id is a hash of the path: who guesses a path can check it. With the key,
or by trying all 2^32 of them, the same goes for everything hashed here.

Exit codes: 0 done; 2 usage; 3 written, but something was lost or is untrusted,
or was not there to be chosen; 4 nothing was written.

Examples:
  darrow convert --level 12 job.darshan small.darshan
  darrow convert --name '\.h5$' --exclude '^/tmp/' job.darshan h5.darshan
  darrow convert --rank 0,-1 --module posix,stdio job.darshan part.darshan
  darrow convert --obfuscate --key 20417 --reset-md job.darshan shared.darshan
  darrow convert --annotate 'note=before tuning' --force job.darshan job.darshan
  darrow convert --target 3.4.1 new.darshan old.darshan
  darrow convert --id 6301063301082038805 job.darshan - | darrow summary -
)";

constexpr std::string_view merge = R"(darrow merge: several logs into one.

Usage: darrow merge [OPTION…] LOG… -o OUT

LOG is a file or a pipe, - the standard input; a directory stands for all files
below it that end with .darshan, a quoted pattern ('runs/*.darshan') for what it
matches, @FILE for the lines of a file (@- of the standard input). OUT is a
file, a device or a pipe, - the standard output; it comes into being when it is
complete. A log that cannot be read is told on stderr and left out; one given
twice counts once.

Options:
  -o, --output OUT         where the log is written
  -f, --force              overwrite OUT
  --shared-redux           one record of rank -1 for each file of which every
                           process has a record, by the rules of the counters
                           (darrow modules NAME), and for each Lustre layout
  --job-end-time SECS      when the run ended, in seconds since 1970 (UTC)
  --compression KIND       zlib (the default), bzip2 or none
  --bzip2                  short for --compression bzip2
  --level N                zlib: 1 (fast) to 12 (small), 6 if not given;
                           bzip2: 1 to 9, 9 if not given
  --byte-order ORDER       of all numbers: little (the default) or big
  --target RELEASE         module versions that this release of Darshan reads,
                           such as 3.4.1
  --strict                 refuse logs of which anything is lost or untrusted,
                           and logs that do not belong together
  --max-region-bytes SIZE  inflate no region of a log beyond SIZE bytes (default
                           4G; suffixes K, M, G, T: powers of 1024)
  -h, --help               this help

What OUT says:
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

Exit codes: 0 done; 2 usage; 3 written, but something was lost or is untrusted,
or a log could not be read; 4 nothing was written.

Examples:
  darrow merge --shared-redux /tmp/*_id4711_mmap-log-*.darshan -o job.darshan
  darrow merge --job-end-time 1750399260 crash/ -o job.darshan
  darrow merge @logs.txt -o - | darrow summary -
)";

constexpr std::string_view analyze = R"(darrow analyze: what kinds of logs there are, and how many of each.

Usage: darrow analyze [OPTION…] PATH…

PATH is a file or a pipe, - the standard input; a directory stands for all files
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

Options:
  --format FORMAT          table (for people, the default), csv or json
  --threads N              logs read at the same time (default: one for each
                           processor)
  --compat                 what darshan-analyzer prints of a directory: every
                           file counts, logs or not; only POSIX; a file of
                           some processes is one of single processes; times of
                           all processes over the run time of one
  --strict                 refuse a log of which anything is lost or untrusted
  --max-region-bytes SIZE  inflate no region of a log beyond SIZE bytes (default
                           4G; suffixes K, M, G, T: powers of 1024)
  -h, --help               this help

JSON: {"logs", "access": {…}, "io_shares": [{"above", "up_to", "logs"}],
"io_share_unknown", "each": [{"file", "job", "io_time", "io_share", "shared",
"partly_shared", "unique", "mpiio", "pnetcdf", "hdf5"}], "repeated": [{"file",
"same_as"}], "damaged": [{"file", "region", "code", "reason"}], "not_logs"}.
CSV: a row a log; status is read, or the reason why it could not be.

Exit codes: 0 done; 2 usage; 3 some logs are damaged, the rest was counted; 4 no
log could be read.

Examples:
  darrow analyze logs/2025/7/
  darrow analyze --format csv 'logs/*/*.darshan' > kinds.csv
  darrow analyze --format json logs/ | jq '.damaged[].file'
  darrow analyze --compat logs/
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
  if (command == "convert") return text.append(convert);
  if (command == "merge") return text.append(merge);
  if (command == "analyze") return text.append(analyze);
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

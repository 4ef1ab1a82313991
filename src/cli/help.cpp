#include "cli/help.hpp"

#include <fmt/format.h>

#include <optional>

#include "cli/built_in.hpp"
#include "cli/command_table.hpp"
#include "cli/external.hpp"
#include "cli/package.hpp"
#include "render/text.hpp"

namespace darrow::cli {
namespace {

constexpr std::size_t summary_at = 19;  // where texts begin
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
  diff A B         what two logs differ in, counters or metrics
  parse LOG        the text of darshan-parser, corrected, or as it was
  dxt LOG          the text of darshan-dxt-parser, likewise
  completion SHELL a script that makes bash, zsh or fish complete command lines
  help [--man] COMMAND
                   what a command takes, as text or as a man page
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

Exit codes: 0 done; 1 a difference (diff); 2 usage; 3 something was lost or is
untrusted, or some of several logs failed, the rest was done; 4 nothing could be
read, or written.

On a terminal, tables fit its width (or COLUMNS), and headers are bold unless
NO_COLOR is set. Bytes that are not UTF-8 are shown as \xNN everywhere.
)";

/// The commands that tell of others, which have no table to run by.
CommandTable completion_table() {
  CommandTable table{.name = "completion",
                     .summary = "a script that makes a shell complete command lines",
                     .usage = "SHELL",
                     .about = "SHELL is bash, zsh or fish. The script knows commands, options and their values.\n",
                     .arguments = {},
                     .sections = {{.title = "Options:", .rows = {}}}};
  table.examples = {"darrow completion bash > ~/.local/share/bash-completion/completions/darrow",
                    "darrow completion zsh > ~/.zfunc/_darrow",
                    "darrow completion fish > ~/.config/fish/completions/darrow.fish"};
  return table;
}

CommandTable help_table() {
  CommandTable table{.name = "help",
                     .summary = "what a command takes",
                     .usage = "[--man] [COMMAND]",
                     .about = "Prints what darrow COMMAND --help does, of the whole without COMMAND.\n",
                     .arguments = {},
                     .sections = {{.title = "Options:",
                                   .rows = {{.names = "--man", .value = {}, .help = "as a man page", .meet = [] {}}}}}};
  table.examples = {"darrow help merge", "darrow help --man merge | man -l -"};
  return table;
}

/// The commands of the package in the list of commands, if they are there; takes them out of those that are.
std::string package_lines(std::vector<std::string>& there) {
  std::string lines;
  for (const auto& command : commands_of_package()) {
    if (!std::erase(there, command.name)) continue;
    auto head = fmt::format("  {} {}", command.name, command.usage);
    head += render::cells(head) < summary_at ? std::string(summary_at - render::cells(head), ' ')
                                             : "\n" + std::string(summary_at, ' ');
    lines += fmt::format("{}{}\n", head, command.summary);
  }
  return lines.empty() ? lines : "\nWith the Python package:\n" + lines;
}

std::optional<CommandTable> table_of(std::string_view command) {
  if (auto* found = built_in(command)) return found->make().table;
  if (command == "completion") return completion_table();
  if (command == "help") return help_table();
  return {};
}

}  // namespace

bool has_help(std::string_view command) { return command.empty() || table_of(command).has_value(); }

std::string help_text(std::string_view command) {
  if (auto table = table_of(command)) return help_of(*table);
  std::string text(top);
  auto others = external_commands();
  text += package_lines(others);
  if (!others.empty()) {
    text += "\nCommands of other programs (darrow-NAME beside this one or on PATH):\n ";
    for (auto& name : others) text += " " + name;
    text += "\n";
  }
  return text.append(top_end);
}

std::optional<std::string> man_text(std::string_view command) {
  if (auto table = table_of(command)) return man_page(*table);
  if (command.empty()) {
    auto others = external_commands();
    return top_man_page(std::string(top) + package_lines(others), top_end);
  }
  if (auto table = package_table(command)) return man_page(*table);
  return {};
}

}  // namespace darrow::cli

// The darrow command: its command line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/external.hpp"
#include "cli/help.hpp"
#include "cli/names.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "darrow/version.hpp"

namespace darrow::cli {
namespace {

int fail_usage(std::string_view command, std::string_view message) {
  complain(fmt::format("{}{}{}", command, command.empty() ? "" : ": ", message));
  complain(fmt::format("see darrow {}{}--help", command, command.empty() ? "" : " "));
  return usage;
}

int print(const std::string& text) {
  Output().sink().put(text);
  return done;
}

/// What is not known here may be a program of its own. Returns only if it is not.
int run_other(std::string_view command, char** arguments) {
  run_external(command, arguments);
  std::string known;
  for (auto name : built_in) known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  for (auto& name : external_commands()) known += ", " + name;
  return fail_usage({}, fmt::format("no command \"{}\"; there are: {}", command, known));
}

/// `darrow completion SHELL`.
int run_completion(int argc, char** argv) {
  std::string_view shell = argc > 2 ? argv[2] : "";
  if (argc == 3 && std::ranges::find(shells, shell) != std::end(shells))
    return print(completion_script(shell, command_tables()));
  if (shell == "-h" || shell == "--help") return print(std::string(completion_help));
  return fail_usage("completion", fmt::format("one shell is needed, of {}", listed(shells)));
}

/// `darrow help [COMMAND]`, `darrow help --man [COMMAND]`.
int run_help(int argc, char** argv) {
  bool is_page = argc > 2 && std::string_view(argv[2]) == "--man";
  std::string_view topic = argc > 2 + is_page ? argv[2 + is_page] : "";
  if (topic == "completion" && !is_page) return print(std::string(completion_help));
  if (topic.empty() || is_built_in(topic)) return print(is_page ? man_text(topic) : help_text(topic));
  if (is_page) return fail_usage("help", fmt::format("no man page \"{}\"", topic));
  std::string option = "--help";
  char* arguments[] = {argv[2], option.data(), nullptr};
  return run_other(topic, arguments);
}

/// Runs a built-in command; an option in its place is one of the whole.
int run(const std::string& name, int argc, char** argv) {
  LogOptions info;
  SummaryRequest summary;
  ModulesOptions modules;
  ConvertRequest convert;
  MergeRequest merge;
  AnalyzeRequest analyze;
  CLI::App app;
  app.set_help_flag("-h,--help");
  app.set_version_flag("--version", fmt::format("darrow {}", version));
  if (is_built_in(name)) {  // options of the other commands would take a third of a millisecond
    auto& command = *app.add_subcommand(name);
    if (name == "info") add_info_options(command, info);
    if (name == "summary") add_summary_options(command, summary);
    if (name == "modules") add_modules_options(command, modules);
    if (name == "convert") add_convert_options(command, convert);
    if (name == "merge") add_merge_options(command, merge);
    if (name == "analyze") add_analyze_options(command, analyze);
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::Error& error) {
    std::string command;
    for (auto* chosen : app.get_subcommands()) command = chosen->get_name();
    if (error.get_exit_code() != 0) return fail_usage(command, error.what());
    if (error.get_name() == "CallForHelp") return print(help_text(command));
    return print(fmt::format("darrow {}\n", version));
  }
  auto missing = [&](std::string_view what) { return fail_usage(name, fmt::format("{} is missing", what)); };
  if (name == "info") return info.logs.empty() ? missing("LOG") : run_info(info);
  if (name == "summary") return summary.logs.empty() ? missing("LOG") : run_summary(summary);
  if (name == "modules") return run_modules(modules);
  if (name == "analyze") return analyze.logs.empty() ? missing("PATH") : run_analyze(analyze);
  if (name == "merge") {
    if (merge.logs.empty()) return missing("LOG");
    return merge.out.empty() ? missing("--output") : run_merge(merge);
  }
  if (name != "convert") return fail_usage({}, "a command is missing");
  if (convert.in.empty()) return missing("IN");
  return convert.out.empty() ? missing("OUT") : run_convert(convert);
}

}  // namespace
}  // namespace darrow::cli

int main(int argc, char** argv) {
  using namespace darrow::cli;
  std::string_view command = argc > 1 ? argv[1] : "";
  if (command.empty()) return fail_usage({}, "a command is missing");
  if (command.starts_with('-') || is_built_in(command)) return run(std::string(command), argc, argv);
  if (command == "completion") return run_completion(argc, argv);
  return command == "help" ? run_help(argc, argv) : run_other(command, argv + 1);
}

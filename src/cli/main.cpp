// The darrow command: its command line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cli/built_in.hpp"
#include "cli/declare_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/external.hpp"
#include "cli/freed_memory.hpp"
#include "cli/help.hpp"
#include "cli/names.hpp"
#include "cli/old_names.hpp"
#include "cli/output.hpp"
#include "cli/package.hpp"
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
  if (is_of_package(command))
    return fail_usage({}, fmt::format("\"{0}\" comes with the Python package: no darrow-{0} is there", command));
  std::string known;
  for (const auto& one : built_in_commands()) known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
  for (auto& name : external_commands()) known += ", " + name;
  return fail_usage({}, fmt::format("no command \"{}\"; there are: {}", command, known));
}

/// What is wrong with a command line.
std::string message_of(const CLI::Error& error) {
  std::string message = error.what();
  if (auto at = message.find(" was given a disallowed flag override"); at != message.npos)
    return fmt::format("--{} takes no value", message.substr(0, at));
  return message;
}

/// `darrow completion SHELL`.
int run_completion(int argc, char** argv) {
  std::string_view shell = argc > 2 ? argv[2] : "";
  if (argc == 3 && std::ranges::find(shells, shell) != std::end(shells)) return print(completion_script(shell));
  if (shell == "-h" || shell == "--help") return print(help_text("completion"));
  return fail_usage("completion", fmt::format("one shell is needed, of {}", listed(shells)));
}

/// `darrow help [COMMAND]`, `darrow help --man [COMMAND]`.
int run_help(int argc, char** argv) {
  bool is_page = argc > 2 && std::string_view(argv[2]) == "--man";
  std::string_view topic = argc > 2 + is_page ? argv[2 + is_page] : "";
  if (topic == "-h" || topic == "--help") topic = "help";
  if (is_page) {
    auto page = man_text(topic);
    return page ? print(*page) : fail_usage("help", fmt::format("no man page \"{}\"", topic));
  }
  if (has_help(topic)) return print(help_text(topic));
  std::string option = "--help";
  std::vector<char*> arguments(argv + 2, argv + argc);  // "lake", "update"
  arguments.insert(arguments.end(), {option.data(), nullptr});
  return run_other(topic, arguments.data());
}

/// An old program that was not given what it takes, or only asked for its version or its usage.
int end_old(const OldName& old, std::string_view message, bool asked_for_version) {
  if (asked_for_version) return print(fmt::format("{}\n", old_version));
  if (!message.empty()) complain(fmt::format("{}: {}", old.program, message));
  complain(fmt::format("usage: {} [{}] {}; darrow {} --help tells more", old.program, fmt::join(old.options, "] ["),
                       old.usage, old.command));
  return old.usage_code;
}

/// Runs a built-in command; without one, for the options of the whole.
int run(const BuiltIn* chosen, int argc, char** argv, const OldName* old = nullptr) {
  const std::string name(chosen ? chosen->name : "");
  CLI::App app;
  app.set_help_flag("-h,--help");
  app.set_version_flag("--version", fmt::format("darrow {}", version));
  Command command;
  if (chosen) {
    command = chosen->make();
    auto& declared = *app.add_subcommand(name);
    if (old) declared.set_version_flag("--version", std::string(old_version));
    declare_options(declared, command.table);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Error& error) {
    if (old)
      return end_old(*old, error.get_exit_code() != 0 ? message_of(error) : "", error.get_name() == "CallForVersion");
    if (error.get_exit_code() != 0) return fail_usage(name, message_of(error));
    return print(error.get_name() == "CallForHelp" ? help_text(name) : fmt::format("darrow {}\n", version));
  }
  return chosen ? command.run() : fail_usage({}, "a command is missing");
}

/// Runs as the program of an old name.
int run_old(const OldName& old, int argc, char** argv) {
  auto arguments = arguments_for(old, argc, argv);
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  return old_exit_code(run(built_in(old.command), static_cast<int>(pointers.size()), pointers.data(), &old));
}

}  // namespace
}  // namespace darrow::cli

int main(int argc, char** argv) {
  using namespace darrow::cli;
  keep_freed_memory();
  if (const OldName* old = argc > 0 ? old_name(argv[0]) : nullptr) return run_old(*old, argc, argv);
  std::string_view command = argc > 1 ? argv[1] : "";
  if (command.empty()) return fail_usage({}, "a command is missing");
  const BuiltIn* chosen = built_in(command);
  if (command.starts_with('-') || chosen) return run(chosen, argc, argv);
  if (command == "completion") return run_completion(argc, argv);
  return command == "help" ? run_help(argc, argv) : run_other(command, argv + 1);
}

// The darrow command: its command line. The only file that knows CLI11.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/external.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "darrow/version.hpp"

namespace darrow::cli {
namespace {

/// "123", "4G", "512 MiB".
std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t number = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc()) return {};
  std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (suffix.starts_with(' ')) suffix.remove_prefix(1);
  if (suffix.ends_with('B') || suffix.ends_with('b')) suffix.remove_suffix(1);
  if (suffix.size() == 2 && suffix[1] == 'i') suffix.remove_suffix(1);
  if (suffix.empty()) return number;
  constexpr std::string_view powers = "kmgt";
  auto power = powers.find(static_cast<char>(suffix[0] | 0x20));
  if (suffix.size() != 1 || power == powers.npos) return {};
  auto shift = 10 * (power + 1);
  if (number > UINT64_MAX >> shift) return {};
  return number << shift;
}

void add_format(CLI::App& command, Format& format) {
  auto set = [&format](const std::string& name) {
    format = name == "csv" ? Format::csv : name == "json" ? Format::json : Format::table;
  };
  command.add_option_function<std::string>("--format", set)->check(CLI::IsMember({"table", "csv", "json"}));
}

void add_log_options(CLI::App& command, LogOptions& options) {
  command.add_option("LOG", options.logs);  // run() demands it: CLI11 would tell this before a misspelt option
  add_format(command, options.format);
  command.add_flag("--strict", options.open.strict);
  command.add_flag("--fail-partial", options.fail_partial);
  auto set_limit = [&options](const std::string& text) {
    auto size = parse_size(text);
    if (!size) throw CLI::ValidationError("--max-region-bytes", text + " is no size, such as 512M");
    options.open.max_region_bytes = *size;
  };
  command.add_option_function<std::string>("--max-region-bytes", set_limit);
}

/// Options that may be given again and again, each with names between commas.
void add_names(CLI::App& command, const std::string& option, std::vector<std::string>& names) {
  command.add_option(option, names)->delimiter(',')->allow_extra_args(false);
}

void add_summary_options(CLI::App& command, SummaryRequest& request) {
  add_log_options(command, request);
  add_names(command, "--module", request.modules);
  add_names(command, "--metric", request.metrics);
  auto set_layer = [&request](const std::string& name) { request.bottom = name == "bottom"; };
  command.add_option_function<std::string>("--layer", set_layer)->check(CLI::IsMember({"module", "bottom"}));
}

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

int run(int argc, char** argv) {
  LogOptions info_options;
  SummaryRequest summary_options;
  ModulesOptions modules_options;
  CLI::App app;
  app.set_help_flag("-h,--help");
  app.set_version_flag("--version", fmt::format("darrow {}", version));
  app.require_subcommand(0, 1);
  auto* info = app.add_subcommand("info");
  add_log_options(*info, info_options);
  auto* summary = app.add_subcommand("summary");
  add_summary_options(*summary, summary_options);
  auto* modules = app.add_subcommand("modules");
  modules->add_option("NAME", modules_options.name);
  add_format(*modules, modules_options.format);
  modules->add_flag("--all", modules_options.all);
  modules->add_flag("--metrics", modules_options.metrics);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Error& error) {
    std::string command;
    for (auto* chosen : app.get_subcommands()) command = chosen->get_name();
    if (error.get_exit_code() != 0) return fail_usage(command, error.what());
    if (error.get_name() == "CallForHelp") return print(help_text(command));
    return print(fmt::format("darrow {}\n", version));
  }
  if (*modules) return run_modules(modules_options);
  if (!*info && !*summary) return fail_usage({}, "a command is missing");
  auto& logs = *info ? info_options.logs : summary_options.logs;
  if (logs.empty()) return fail_usage(*info ? "info" : "summary", "LOG is missing");
  return *info ? run_info(info_options) : run_summary(summary_options);
}

}  // namespace
}  // namespace darrow::cli

int main(int argc, char** argv) {
  using namespace darrow::cli;
  std::string_view command = argc > 1 ? argv[1] : "";
  if (command.empty()) return fail_usage({}, "a command is missing");
  if (command.starts_with('-') || is_built_in(command)) return run(argc, argv);
  if (command != "help") return run_other(command, argv + 1);
  std::string_view topic = argc > 2 ? argv[2] : "";
  if (topic.empty() || is_built_in(topic)) return print(help_text(topic));
  std::string option = "--help";
  char* arguments[] = {argv[2], option.data(), nullptr};
  return run_other(topic, arguments);
}

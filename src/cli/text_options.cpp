#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/options.hpp"

namespace darrow::cli {
namespace {

constexpr std::pair<const char*, UtilBuild> builds[] = {
    {"3.5.0", UtilBuild::v3_5_0}, {"main", UtilBuild::main}, {"3.4", UtilBuild::v3_4}};

/// What `parse` and `dxt` have in common.
template <typename Request>
void add_text_options(CLI::App& command, Request& request) {
  command.add_option("LOG", request.logs);
  command.add_flag("--show-incomplete", request.text.show_incomplete);
  command.add_flag("--raw", request.text.raw);
  auto set_build = [&request](const std::string& name) {
    for (auto& [known, build] : builds)
      if (name == known) request.text.compat = build;
    if (!request.text.compat)
      throw CLI::ValidationError("--compat", fmt::format("no build \"{}\" of darshan-util: 3.5.0, main or 3.4", name));
  };
  // A flag, so that a log behind it is no build: --compat=main LOG, but also --compat LOG.
  command.add_flag("--compat{3.5.0}")->each(set_build);
  command.add_flag("--fail-partial", request.fail_partial);
  add_open_options(command, request.open);
}

}  // namespace

void add_parse_options(CLI::App& command, ParseRequest& request) {
  ParserTextOptions& text = request.text;
  add_text_options(command, request);
  command.add_flag("--base", text.base);
  command.add_flag("--total", text.total);
  command.add_flag("--file", text.file);
  command.add_flag("--perf", text.perf);
  command.add_flag("--file-list", text.file_list);
  command.add_flag("--file-list-detailed", text.file_list_detailed);
  auto set_all = [&text](std::int64_t) {
    text.base = text.total = text.file = text.perf = text.show_incomplete = true;
  };
  command.add_flag_function("--all", set_all);
}

void add_dxt_options(CLI::App& command, DxtRequest& request) { add_text_options(command, request); }

}  // namespace darrow::cli

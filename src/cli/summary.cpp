// `darrow summary`: what a job did, per module.
#include "cli/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/each_log.hpp"
#include "cli/exit_code.hpp"
#include "cli/group_summary.hpp"
#include "cli/names.hpp"

namespace darrow::cli {
namespace {

using ModuleList = std::vector<const Module*>;

struct SummaryCommand {
  static constexpr bool lists_problems = false;

  ModuleList modules = {};
  ChosenMetrics chosen = {};
  bool bottom = false;

  Result<LogSummary> read(const std::string& argument, const OpenOptions& options) const;
  void text(const LogSummary& summary, render::Sink& sink, const render::Look& look) const {
    if (chosen.everything()) summary_text(summary, !modules.empty(), sink, look);
    else metrics_text(summary, chosen, sink, look);
  }
  void json(const LogSummary& summary, render::JsonWriter& json) const { summary_json(summary, chosen, json); }

  // CSV has one table: that of the modules, unless another was chosen.
  Part part() const { return chosen.everything() ? Part::layers : chosen.tables()[0]; }
  void csv_header(render::CsvWriter& csv) const { summary_csv_header(chosen.columns(part()), csv); }
  void csv(const LogSummary& summary, render::CsvWriter& csv) const {
    summary_csv(summary, part(), chosen.columns(part()), csv);
  }
  void csv_failure(const std::string& file, const Error& error, render::CsvWriter& csv) const {
    summary_csv_failure(file, error, chosen.columns(part()).size(), csv);
  }
};

std::string modules_of(const Log& log) {
  std::vector<std::string_view> names;
  for (auto& info : log.modules())
    if (info.module && info.module->instead.empty()) names.push_back(info.name);
  return names.empty() ? "none that can be summed up" : listed(names);
}

/// Sums up those of `modules` that the log has; an error if it has none of them.
Result<SummaryOptions> options_for(const Log& log, const ModuleList& modules, std::vector<Error>& unmet) {
  SummaryOptions options;
  for (auto* module : modules) {
    auto* info = log.module(module->name);
    if (info && info->status == ModuleStatus::readable) {
      options.modules.emplace_back(module->name);
      continue;
    }
    if (info)
      unmet.push_back(plain_error(ErrorCode::unsupported_version,
                                  fmt::format("version {} of module {} is not known", info->version, info->name)));
    else
      unmet.push_back(plain_error(ErrorCode::not_found,
                                  fmt::format("no module {} in this log; it has: {}", module->name, modules_of(log))));
  }
  if (options.modules.empty() && !unmet.empty()) return unmet.front();
  return options;
}

Result<LogSummary> SummaryCommand::read(const std::string& argument, const OpenOptions& options) const {
  auto log = open_log(argument, options);
  if (!log) return log.error();
  LogSummary summary{.file = display_name(argument), .log = *log, .bottom = bottom};
  if (options.strict)  // a summary reads some regions only; strict judges all
    if (auto error = first_error(summary.file, summary.log->verify())) return *error;
  auto asked = options_for(*summary.log, modules, summary.unmet);
  for (auto& error : summary.unmet) error.file = summary.file;
  if (!asked) return summary.unmet.front();
  asked->bottom = bottom;
  auto sums = summarize(*summary.log, *asked);
  if (!sums) return sums.error();
  summary.sums = std::move(*sums);
  summary.problems = summary.sums.problems;
  // Those of header and job, which a summary reads too.
  for (auto& problem : summary.log->problems())
    if (std::find(summary.problems.begin(), summary.problems.end(), problem) == summary.problems.end())
      summary.problems.push_back(problem);
  return summary;
}

Error wrong(std::string message) { return plain_error(ErrorCode::invalid_argument, std::move(message)); }

Result<SummaryCommand> command_of(const SummaryRequest& request) {
  auto modules = named_modules(request.modules, request.bottom);
  if (!modules) return modules.error();
  auto chosen = ChosenMetrics::parse(request.metrics);
  if (!chosen) return chosen.error();
  auto tables = chosen->tables();
  if (request.format == Format::csv && !chosen->everything() && tables.size() > 1)
    return wrong(fmt::format("CSV holds one table, and these metrics are of two, {} and {}: ask for one at a time",
                             to_string(tables[0]), to_string(tables[1])));
  return SummaryCommand{std::move(*modules), std::move(*chosen), request.bottom};
}

}  // namespace

int run_summary(const SummaryRequest& request) {
  const GroupRequest& groups = request.groups;
  if (groups.any()) return run_group_summary(request);
  if (!groups.sort.empty() || groups.limit || groups.threads) {
    complain("summary: --sort, --limit and --threads are for groups: --by tells by what");
    return usage;
  }
  auto command = command_of(request);
  if (command) return each_log(*command, request);
  complain("summary: " + command.error().message);
  return usage;
}

}  // namespace darrow::cli

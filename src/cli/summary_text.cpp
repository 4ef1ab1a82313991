// The summary for people: what each module did, and where the files lie.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/names.hpp"
#include "cli/summary_parts.hpp"
#include "render/text.hpp"
#include "render/units.hpp"

namespace darrow::cli {
namespace {

using render::Fit;

// The command line without the folders of its program.
std::string_view program_and_arguments(std::string_view command) {
  auto slash = command.substr(0, command.find_first_of(" \t\n")).rfind('/');
  if (slash != command.npos) command.remove_prefix(slash + 1);
  while (command.ends_with(' ')) command.remove_suffix(1);
  return command;
}

std::string job_facts(const Job& job) {
  return fmt::format(
      "job {}, {}, {}", job.jobid,
      job.nprocs > 0 ? render::counted(job.nprocs, "process", "processes") : "number of processes unknown",
      job.run_time ? render::human_seconds(*job.run_time) : "run time unknown (aborted run)");
}

// "program arguments, job 123, 4 processes, 12.3 s"
std::string job_line(const Job* job, const render::Look& look) {
  if (!job) return "job record unreadable";
  std::string program = render::printable(program_and_arguments(job->exe)), facts = job_facts(*job);
  if (program.empty()) return facts;
  facts.insert(0, ", ");
  if (look.width > 0) program = render::cut_end(program, look.width - std::min(look.width, render::cells(facts)));
  return program + facts;
}

// What the files of some modules are.
struct Things {
  std::string_view module, things;
};
constexpr std::array no_files = {Things{"H5D", "datasets"}, Things{"PNETCDF_VAR", "variables"},
                                 Things{"DAOS", "objects"}};

void no_files_text(const std::vector<RowText>& layers, render::Sink& sink, const render::Look& look) {
  std::string text;
  for (auto& [module, things] : no_files)
    if (std::any_of(layers.begin(), layers.end(), [&](auto& row) { return row.text("module") == module; }))
      text += fmt::format("{} {} of {}", text.empty() ? "files are" : ",", things, module);
  if (!text.empty()) note(text, sink, look);
}

bool has_daos(const Log& log) {
  auto* daos = log.module("DAOS");
  return daos && daos->length > 0;
}
constexpr std::string_view native_daos =
    "native DAOS I/O is not part of the bottom layer: DFS goes through DAOS, and its bytes would count twice";

void overview_text(const LogSummary& summary, const std::vector<RowText>& layers, render::Sink& sink,
                   const render::Look& look) {
  auto name = [&](auto& row) { return layer_name(summary, row); };
  render::overview_text(layers, name, sink, look);
  no_files_text(layers, sink, look);
  if (summary.bottom && has_daos(*summary.log)) note(native_daos, sink, look);
  marks_text(layers, sink, look);
}

// The bottom modules that the summary has.
std::string bottom_modules(const LogSummary& summary) {
  std::string names;
  for (auto& record : summary.sums.records) {
    auto* info = summary.log->module(record->name);
    if (info && info->module && info->module->bottom) names += (names.empty() ? "" : " + ") + record->name;
  }
  return names;
}

void mounts_text(const LogSummary& summary, bool details, render::Sink& sink, const render::Look& look) {
  constexpr std::size_t most = 8;
  auto rows = rows_of(*summary.sums.mounts);
  if (rows.empty()) return;
  std::stable_sort(rows.begin(), rows.end(),
                   [](auto& a, auto& b) { return a.number("bytes").value_or(-1) > b.number("bytes").value_or(-1); });
  std::size_t left = details || rows.size() <= most ? 0 : rows.size() - most;
  rows.erase(rows.end() - static_cast<std::ptrdiff_t>(left), rows.end());
  begin_section("Where the files lie", "by mount, for " + bottom_modules(summary), sink, look);
  tell({{{.header = "mount", .fit = Fit::cut_middle, .least = 16}, mount_name},
        {{.header = "type", .fit = Fit::cut_end, .least = 8},
         [](auto& row) { return std::string(row.text("fs_type")); }},
        told("files", "files", &RowText::count),
        told("reads", "reads", &RowText::count, only_wide),
        told("writes", "writes", &RowText::count, only_wide),
        told("read", "bytes_read", &RowText::bytes),
        told("written", "bytes_written", &RowText::bytes),
        told("I/O time", "time_by_slowest", &RowText::seconds, 1),
        told("rate", "rate", &RowText::rate)},
       rows, sink, look);
  if (left > 0) note(fmt::format("and {} with less: --metric mounts tells all", left), sink, look);
}

}  // namespace

void heading_text(const LogSummary& summary, render::Sink& sink, const render::Look& look) {
  sink.put(render::bold(render::printable(summary.file), look));
  sink.put('\n');
  sink.put(job_line(summary.log->job(), look));
  sink.put("\n\n");
}

void no_layers_text(const LogSummary& summary, render::Sink& sink, const render::Look& look) {
  std::vector<std::string_view> bottom, there;
  for (auto* module : modules())
    if (module->bottom) bottom.push_back(module->name);
  for (auto& info : summary.log->modules()) there.push_back(info.name);
  std::string text =
      summary.bottom ? fmt::format("none of {} can be summed up", listed(bottom)) : "no module that can be summed up";
  note(fmt::format("{}; modules of this log: {}", text, there.empty() ? "none" : listed(there)), sink, look);
  if (summary.bottom && has_daos(*summary.log)) note(native_daos, sink, look);
}

std::string layer_name(const LogSummary& summary, const RowText& row) {
  return summary.bottom ? bottom_modules(summary) : std::string(row.text("module"));
}

std::string marked_name(const LogSummary& summary, const RowText& row) {
  return layer_name(summary, row) + render::marks_of(row);
}

std::string mount_name(const RowText& row) {
  auto path = row.text("mount");
  // The uuids of pool and container would fill a line: eight digits of each tell them apart; JSON and CSV have all.
  if (row.text("fs_type") == "daos" && path.size() == 73)
    return fmt::format("{}…:{}…", path.substr(0, 8), path.substr(37, 8));
  if (path.empty()) return row.text("fs_type").empty() ? "(no known mount)" : "(no path)";
  return path == stream_mount ? "standard streams" : std::string(path);
}

void summary_text(const LogSummary& summary, bool details, render::Sink& sink, const render::Look& look) {
  const Summary& sums = summary.sums;
  auto layers = rows_of(*sums.layers);
  heading_text(summary, sink, look);
  if (layers.empty()) return no_layers_text(summary, sink, look);
  overview_text(summary, layers, sink, look);
  if (summary.bottom) return file_sizes_text(*sums.categories, sink, look);
  time_text(layers, sink, look);
  pattern_text(layers, sink, look);
  access_sizes_text(*sums.access_sizes, details, sink, look);
  common_sizes_text(*sums.common_accesses, sink, look);
  files_text(*sums.categories, details, sink, look);
  mounts_text(summary, details, sink, look);
}

}  // namespace darrow::cli

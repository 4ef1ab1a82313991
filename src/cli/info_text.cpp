// The terminal form of `darrow info`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "cli/info.hpp"
#include "render/text.hpp"
#include "render/units.hpp"

namespace darrow::cli {
namespace {

using render::Align;
using render::Fit;
using render::Look;
using render::Sink;
using render::TextTable;

constexpr std::size_t indent = 2;
constexpr std::size_t most_mounts = 12;
constexpr std::string_view aborted = "unknown (aborted run)";

std::string time_text(std::int64_t seconds) {
  auto text = render::iso_time(seconds);
  return text.empty() ? fmt::format("{} s since 1970", render::human_count(seconds)) : text;
}

std::string problem_count(const std::vector<Problem>& problems) {
  std::string text;
  for (auto severity : {Severity::error, Severity::warning, Severity::note}) {
    auto n = std::count_if(problems.begin(), problems.end(), [&](auto& p) { return p.severity() == severity; });
    if (n > 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", render::counted(n, to_string(severity)));
  }
  return text.empty() ? "none" : text;
}

// Key and value lines; on a terminal long values are broken, of very long ones only the beginning and the end are shown.
class Facts {
 public:
  explicit Facts(const Look& look) : look_(look) {}
  void add(std::string_view key, std::string_view value) {
    std::vector<std::string> lines{render::printable(value)};
    if (look_.width > 0) lines = render::wrap(lines[0], look_.width - indent - longest_key - 2);
    if (lines.size() > most_value_lines) {
      auto last = lines.back();
      lines.resize(most_value_lines - 2);
      lines.insert(lines.end(), {"…", last});
    }
    for (auto& line : lines) {
      table_.row({std::string(key), std::move(line)});
      key = {};
    }
  }
  void render(Sink& sink) const { table_.render(sink, look_, indent); }

 private:
  static constexpr std::size_t longest_key = std::string_view("processes").size();
  static constexpr std::size_t most_value_lines = 5;
  const Look& look_;
  TextTable table_{{{.header = {}}, {.header = {}}}};
};

void job_facts(const Job& job, Facts& facts) {
  facts.add("program", job.exe);
  facts.add("job id", fmt::format("{}", job.jobid));
  facts.add("user id", fmt::format("{}", job.uid));
  facts.add("processes", render::human_count(job.nprocs));
  facts.add("start", time_text(job.start_time_sec));
  facts.add("end", job.end_time_sec == 0 ? std::string(aborted) : time_text(job.end_time_sec));
  facts.add("run time", job.run_time ? render::human_seconds(*job.run_time) : std::string(aborted));
  std::string_view label = "metadata";
  for (auto& [key, value] : job.metadata) {
    if (key == "lib_ver") {
      facts.add("library", value);
    } else if (key == "h") {
      facts.add("hints", value);
    } else {
      facts.add(label, fmt::format("{} = {}", key, value));
      label = {};
    }
  }
}

void facts_of(const Info& info, Sink& sink, const Look& look) {
  const Log& log = *info.log;
  Facts facts(look);
  if (log.job()) job_facts(*log.job(), facts);
  else facts.add("job", "unreadable");
  facts.add("format",
            fmt::format("{}, {} endian, {}", log.format_version(), to_string(log.byte_order()),
                        log.compression() == Compression::none ? "uncompressed" : to_string(log.compression())));
  facts.add("size", log.size() < 1024
                        ? render::counted(static_cast<std::int64_t>(log.size()), "byte")
                        : fmt::format("{} ({} bytes)", render::human_bytes(static_cast<double>(log.size())),
                                      render::human_count(static_cast<std::int64_t>(log.size()))));
  facts.add("names", info.names ? render::human_count(*info.names) : "?");
  facts.add("problems", problem_count(info.problems));
  facts.render(sink);
}

std::string module_note(const Info& info, const ModuleInfo& module) {
  std::string note;
  auto add = [&](std::string_view text) { note += fmt::format("{}{}", note.empty() ? "" : ", ", text); };
  if (module.status == ModuleStatus::unknown_module) add("unknown module");
  if (module.status == ModuleStatus::unknown_version) add("unknown version");
  if (module.partial) add("partial");
  if (module.length == 0) add("no data");
  if (is_damaged(info.problems, module.name)) add("damaged");
  return note;
}

void modules_of(const Info& info, Sink& sink, const Look& look) {
  TextTable table({{.header = "module"},
                   {.header = "version", .align = Align::right},
                   {.header = "records", .align = Align::right},
                   {.header = "size in log", .align = Align::right},
                   {.header = {}}});
  auto modules = info.log->modules();
  for (std::size_t i = 0; i < modules.size(); ++i) {
    auto& module = modules[i];
    table.row({module.name, fmt::format("{}", module.version),
               info.records[i] ? render::human_count(*info.records[i]) : "?",
               render::human_bytes(static_cast<double>(module.length)), module_note(info, module)});
  }
  sink.put('\n');
  if (table.empty()) sink.put("  no module has data\n");
  else table.render(sink, look, indent);
}

// The mounts that names of the log lie on come first.
void mounts_of(const Info& info, Sink& sink, const Look& look) {
  auto mounts = info.log->mounts();
  if (mounts.empty()) return;
  std::vector<std::size_t> order(mounts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return info.names_on_mount[a] > info.names_on_mount[b]; });
  std::size_t shown = mounts.size() > most_mounts ? most_mounts - 1 : mounts.size();
  TextTable table(
      {{.header = "mount", .fit = Fit::cut_middle}, {.header = "type"}, {.header = "names", .align = Align::right}});
  for (std::size_t i = 0; i < shown; ++i) {
    auto& mount = mounts[order[i]];
    auto names = info.names_on_mount[order[i]];
    table.row({mount.path, mount.fs_type, names > 0 ? render::human_count(names) : "-"});
  }
  sink.put('\n');
  table.render(sink, look, indent);
  if (shown < mounts.size()) sink.put(fmt::format("  … and {} more\n", mounts.size() - shown));
}

void problems_of(const Info& info, Sink& sink, const Look& look) {
  if (info.problems.empty()) return;
  TextTable table({{.header = "problem"},
                   {.header = "kind"},
                   {.header = "where"},
                   {.header = "what", .fit = Fit::wrap, .least = 24}});
  auto problems = info.problems;
  std::stable_sort(problems.begin(), problems.end(), [](auto& a, auto& b) { return a.severity() > b.severity(); });
  for (auto& problem : problems) {
    std::string what = problem.message;
    if (problem.offset) what += fmt::format(" ({} {})", problem.inflated ? "inflated byte" : "byte", *problem.offset);
    table.row({std::string(to_string(problem.severity())), std::string(to_string(problem.kind)), problem.region, what});
  }
  sink.put('\n');
  table.render(sink, look, indent);
}

}  // namespace

void info_text(const Info& info, Sink& sink, const Look& look) {
  sink.put(render::bold(render::printable(info.file), look));
  sink.put('\n');
  facts_of(info, sink, look);
  modules_of(info, sink, look);
  mounts_of(info, sink, look);
  problems_of(info, sink, look);
}

}  // namespace darrow::cli

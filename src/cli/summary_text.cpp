// The summary for people: what each module did, its time, its calls, and where the files lie.
#include <fmt/format.h>

#include <algorithm>

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
  return fmt::format("job {}, {}, {}", job.jobid, render::counted(job.nprocs, "process", "processes"),
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

Told mean_time(const std::string& header, const std::string& kind, std::uint8_t spare = 0) {
  return told(header, kind + "_time_mean", &RowText::seconds, spare);
}

// "3.40 ms by 12": the slowest rank in one kind of call.
Told slowest(const std::string& header, const std::string& kind) {
  auto cell = [kind](const RowText& row) {
    auto rank = row.whole(kind + "_time_max_rank");
    return rank ? fmt::format("{} by {}", row.seconds(kind + "_time_max"), *rank) : std::string("-");
  };
  return {{.header = header, .align = render::Align::right, .spare = only_wide + 1}, cell};
}

void time_text(const std::vector<RowText>& layers, render::Sink& sink, const render::Look& look) {
  auto rows = rows_where(layers, [](auto& row) {
    for (auto name : {"read_time", "write_time", "meta_time", "time_by_slowest"})
      if (row.number(name).value_or(0) > 0) return true;
    return false;
  });
  if (rows.empty()) return;
  begin_section("Time in I/O", "process mean; slowest rank; I/O time in unique and shared files", sink, look);
  tell({{{.header = "module"}, [](auto& row) { return std::string(row.text("module")); }},
        mean_time("read", "read"),
        mean_time("write", "write"),
        mean_time("meta", "meta"),
        mean_time("all", "io", only_wide),
        told("slowest", "io_time_max", &RowText::seconds),
        told("rank", "io_time_max_rank", &RowText::count),
        told("× mean", "io_time_imbalance", &RowText::ratio, 2),
        slowest("slowest reader", "read"),
        slowest("slowest writer", "write"),
        slowest("slowest in meta", "meta"),
        told("unique files", "unique_time_by_slowest", &RowText::seconds, 3),
        told("shared files", "shared_time_by_slowest", &RowText::seconds, 3)},
       rows, sink, look);
  bool hidden = std::any_of(rows.begin(), rows.end(), [](auto& row) { return !row.number("io_time_max"); });
  if (hidden) note("slowest rank not known: files that all ranks share have one record of all", sink, look);
}

// Reads or writes of a module.
struct Calls {
  std::string_view op, count;
  std::string way;  // the middle of the names of its metrics
};

void pattern_text(const std::vector<RowText>& layers, render::Sink& sink, const render::Look& look) {
  const Calls both[] = {{"reads", "reads", "_read_share"}, {"writes", "writes", "_write_share"}};
  render::TextTable table({{.header = "module"},
                           {.header = "calls"},
                           {.header = "number", .align = render::Align::right},
                           {.header = "sequential", .align = render::Align::right},
                           {.header = "consecutive", .align = render::Align::right},
                           {.header = "small", .align = render::Align::right},
                           {.header = "unaligned", .align = render::Align::right, .spare = 1},
                           {.header = "in memory", .align = render::Align::right, .spare = 2}});
  for (auto& row : layers) {
    bool first = true;
    for (auto& calls : both) {
      if (row.whole(calls.count).value_or(0) == 0) continue;
      table.row({first ? std::string(row.text("module")) : "", std::string(calls.op), row.count(calls.count),
                 row.share("seq" + calls.way), row.share("consec" + calls.way), row.share("small" + calls.way),
                 first ? row.share("file_unaligned_share") : "", first ? row.share("mem_unaligned_share") : ""});
      first = false;
    }
  }
  if (table.empty()) return;
  begin_section("Access pattern", "part of calls; small: to 100 KiB; unaligned in file, in memory", sink, look);
  table.render(sink, look, 2);
}

void mounts_text(const Table& mounts, bool details, render::Sink& sink, const render::Look& look) {
  constexpr std::size_t most = 8;
  auto rows = rows_of(mounts);
  if (rows.empty()) return;
  std::stable_sort(rows.begin(), rows.end(),
                   [](auto& a, auto& b) { return a.number("bytes").value_or(-1) > b.number("bytes").value_or(-1); });
  std::size_t left = details || rows.size() <= most ? 0 : rows.size() - most;
  rows.erase(rows.end() - static_cast<std::ptrdiff_t>(left), rows.end());
  begin_section("Where the files lie", "by mount, for the modules at the bottom of the stack", sink, look);
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

std::string mount_name(const RowText& row) {
  auto path = row.text("mount");
  // The uuids of pool and container would fill a line: eight digits of each tell them apart; JSON and CSV have all.
  if (row.text("fs_type") == "daos" && path.size() == 73)
    return fmt::format("{}…:{}…", path.substr(0, 8), path.substr(37, 8));
  if (path.empty()) return row.text("fs_type").empty() ? "(no known mount)" : "(no path)";
  return path == "<STD…>" ? "standard streams" : std::string(path);
}

void summary_text(const LogSummary& summary, const Extent& extent, render::Sink& sink, const render::Look& look) {
  const Summary& sums = summary.sums;
  auto layers = rows_of(*sums.layers);
  heading_text(summary, sink, look);
  overview_text(layers, sink, look);
  if (layers.empty()) return;
  if (extent.bottom) return file_sizes_text(*sums.categories, sink, look);
  time_text(layers, sink, look);
  pattern_text(layers, sink, look);
  access_sizes_text(*sums.access_sizes, extent.details, sink, look);
  common_sizes_text(*sums.common_accesses, sink, look);
  files_text(*sums.categories, extent.details, sink, look);
  mounts_text(*sums.mounts, extent.details, sink, look);
}

}  // namespace darrow::cli

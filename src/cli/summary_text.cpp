// The summary for people: what each module did, its time, its calls, and where the files lie.
#include <fmt/format.h>

#include <algorithm>

#include "cli/row_text.hpp"
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

void overview_text(const std::vector<RowText>& layers, render::Sink& sink, const render::Look& look) {
  if (layers.empty()) return sink.put("  no module counted bytes\n");
  render::TextTable table({{.header = "module"},
                           {.header = "files", .align = render::Align::right},
                           {.header = "records", .align = render::Align::right, .spare = 1},
                           {.header = "opens", .align = render::Align::right, .spare = 2},
                           {.header = "other meta", .align = render::Align::right, .spare = 2},
                           {.header = "read", .align = render::Align::right},
                           {.header = "written", .align = render::Align::right},
                           {.header = "I/O time", .align = render::Align::right},
                           {.header = "rate", .align = render::Align::right}});
  for (auto& row : layers)
    table.row({marked_name(row), row.count("files"), row.count("records"), row.count("opens"), row.count("meta_ops"),
               row.bytes("bytes_read"), row.bytes("bytes_written"), row.seconds("time_by_slowest"), row.rate("rate")});
  table.render(sink, look, 2);
  marks_text(layers, sink);
}

Told mean_time(const std::string& header, const std::string& kind, std::uint8_t spare = 0) {
  return told(header, [kind](auto& row) { return row.seconds(kind + "_time_mean"); }, spare);
}

// "3.40 ms by 12": the slowest rank in one kind of call.
Told slowest(const std::string& header, const std::string& kind) {
  auto cell = [kind](const RowText& row) {
    auto rank = row.whole(kind + "_time_max_rank");
    return rank ? fmt::format("{} by {}", row.seconds(kind + "_time_max"), *rank) : std::string("-");
  };
  return told(header, cell, 3);
}

void time_text(const std::vector<RowText>& layers, render::Sink& sink, const render::Look& look) {
  auto rows = rows_where(layers, [](auto& row) {
    for (auto name : {"read_time", "write_time", "meta_time", "time_by_slowest"})
      if (row.number(name).value_or(0) > 0) return true;
    return false;
  });
  if (rows.empty()) return;
  begin_section("Time in I/O", "mean of a process; the slowest rank; by the slowest of each file", sink, look);
  tell({{{.header = "module"}, [](auto& row) { return std::string(row.text("module")); }},
        mean_time("read", "read"),
        mean_time("write", "write"),
        mean_time("meta", "meta"),
        mean_time("all", "io", 2),
        told("slowest", [](auto& row) { return row.seconds("io_time_max"); }),
        told("rank", [](auto& row) { return row.count("io_time_max_rank"); }),
        told("× mean", [](auto& row) { return row.ratio("io_time_imbalance"); }),
        slowest("slowest reader", "read"),
        slowest("slowest writer", "write"),
        slowest("slowest in meta", "meta"),
        told("unique files", [](auto& row) { return row.seconds("unique_time_by_slowest"); }, 1),
        told("shared files", [](auto& row) { return row.seconds("shared_time_by_slowest"); }, 1)},
       rows, sink, look);
  bool hidden = std::any_of(rows.begin(), rows.end(), [](auto& row) { return !row.number("io_time_max"); });
  if (hidden) sink.put("  slowest rank not known: a file that all ranks share has one record for them all\n");
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
                           {.header = "unaligned", .align = render::Align::right},
                           {.header = "in memory", .align = render::Align::right}});
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
  begin_section("Access pattern", "part of the calls; small: up to 100 KiB; unaligned: of both", sink, look);
  table.render(sink, look, 2);
}

std::string mount_name(const RowText& row) {
  auto path = row.text("mount");
  if (path.empty()) return row.text("fs_type").empty() ? "(no known mount)" : "(no path)";
  return path == "<STD…>" ? "standard streams" : std::string(path);
}

void mounts_text(const Table& mounts, bool details, render::Sink& sink, const render::Look& look) {
  constexpr std::size_t most = 8;
  auto rows = rows_of(mounts);
  if (rows.empty()) return;
  std::stable_sort(rows.begin(), rows.end(), [](auto& a, auto& b) {
    return a.number("bytes").value_or(-1) > b.number("bytes").value_or(-1);
  });
  std::size_t left = details || rows.size() <= most ? 0 : rows.size() - most;
  rows.erase(rows.end() - static_cast<std::ptrdiff_t>(left), rows.end());
  begin_section("Where the files lie", "all I/O at the bottom of the stack, by mount", sink, look);
  tell({{{.header = "mount", .fit = Fit::cut_middle, .least = 16}, mount_name},
        {{.header = "type", .fit = Fit::cut_end, .least = 8}, [](auto& row) { return std::string(row.text("fs_type")); }},
        told("files", [](auto& row) { return row.count("files"); }),
        told("reads", [](auto& row) { return row.count("reads"); }, 1),
        told("writes", [](auto& row) { return row.count("writes"); }, 1),
        told("read", [](auto& row) { return row.bytes("bytes_read"); }),
        told("written", [](auto& row) { return row.bytes("bytes_written"); }),
        told("I/O time", [](auto& row) { return row.seconds("time_by_slowest"); }),
        told("rate", [](auto& row) { return row.rate("rate"); })},
       rows, sink, look);
  if (left > 0) sink.put(fmt::format("  and {} with less: --metric mounts tells all\n", left));
}

}  // namespace

void heading_text(const LogSummary& summary, render::Sink& sink, const render::Look& look) {
  sink.put(render::bold(render::printable(summary.file), look));
  sink.put('\n');
  sink.put(job_line(summary.log->job(), look));
  sink.put("\n\n");
}

std::string marked_name(const RowText& row) {
  return std::string(row.text("module")) + (row.flag("partial") ? "*" : "") + (row.flag("damaged") ? "!" : "");
}

void marks_text(const std::vector<RowText>& layers, render::Sink& sink) {
  auto any = [&](std::string_view flag) {
    return std::any_of(layers.begin(), layers.end(), [&](auto& row) { return row.flag(flag); });
  };
  if (any("partial")) sink.put("\n  * partial: records missing, Darshan ran out of memory (MODMEM, MAX_RECORDS)\n");
  if (any("damaged")) sink.put("\n  ! damaged: numbers of what could be read, not to be trusted\n");
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

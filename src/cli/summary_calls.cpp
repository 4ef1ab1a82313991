// The time of a job in I/O calls, and how the calls went through files.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cli/names.hpp"
#include "cli/summary_parts.hpp"
#include "render/units.hpp"

namespace darrow::cli {
namespace {

Told mean_time(const std::string& header, const std::string& kind, std::uint8_t spare = 0) {
  return told(header, kind + "_time_mean", &RowText::seconds, spare, "process mean");
}

// Modules of whose time it is known how long it took, but not who was the slowest in it.
void hidden_text(const std::vector<RowText>& rows, render::Sink& sink, const render::Look& look) {
  std::vector<std::string_view> hidden;
  for (auto& row : rows)
    if (row.number("time_by_slowest") && !row.number("io_time_max")) hidden.push_back(row.text("module"));
  if (!hidden.empty())
    note(fmt::format("slowest rank not known in {}: records of all ranks hide it", listed(hidden)), sink, look);
}

// "3.40 ms by 12": the slowest rank in one kind of call.
Told slowest(const std::string& header, const std::string& kind) {
  auto cell = [kind](const RowText& row) {
    auto rank = row.whole(kind + "_time_max_rank");
    return rank ? fmt::format("{} by {}", row.seconds(kind + "_time_max"), *rank) : std::string("-");
  };
  return {{.header = header, .align = render::Align::right, .spare = only_wide + 1}, cell, "slowest rank"};
}

}  // namespace

void time_text(const std::vector<RowText>& layers, render::Sink& sink, const render::Look& look) {
  auto rows = rows_where(layers, [](auto& row) {
    for (auto name : {"read_time", "write_time", "meta_time", "time_by_slowest"})
      if (row.number(name).value_or(0) > 0) return true;
    return false;
  });
  if (rows.empty()) return;
  const std::string by_slowest = "slowest rank", by_record = "I/O time in records of one rank, of all";
  tell_section("Time in I/O", "",
               {{{.header = "module"}, [](auto& row) { return std::string(row.text("module")); }},
                mean_time("read", "read"),
                mean_time("write", "write"),
                mean_time("meta", "meta"),
                mean_time("all", "io", only_wide),
                told("slowest", "io_time_max", &RowText::seconds, 0, by_slowest),
                told("rank", "io_time_max_rank", &RowText::id),
                told("× mean", "io_time_imbalance", &RowText::ratio, 2),
                slowest("slowest reader", "read"),
                slowest("slowest writer", "write"),
                slowest("slowest in meta", "meta"),
                told("single-rank", "unique_time_by_slowest", &RowText::seconds, 3, by_record),
                told("all-rank", "shared_time_by_slowest", &RowText::seconds, 3, by_record)},
               rows, sink, look);
  hidden_text(rows, sink, look);
}

namespace {

// Reads or writes of a module.
struct Calls {
  std::string_view op, count;
  std::string way;  // the middle of the names of its metrics
};

}  // namespace

// Of the alignment only that of reads and writes together is known: a row of its own, if there are both.
void pattern_text(const std::vector<RowText>& layers, render::Sink& sink, const render::Look& look) {
  const Calls kinds[] = {{"reads", "reads", "_read_share"}, {"writes", "writes", "_write_share"}};
  const std::vector<std::string> remarks = {"", "", "", "", "", "small: to 100 KiB", "unaligned in file", "in memory"};
  render::TextTable table({{.header = "module"},
                           {.header = "calls"},
                           {.header = "number", .align = render::Align::right},
                           {.header = "sequential", .align = render::Align::right},
                           {.header = "consecutive", .align = render::Align::right},
                           {.header = "small", .align = render::Align::right},
                           {.header = "unaligned", .align = render::Align::right, .spare = 1},
                           {.header = "in memory", .align = render::Align::right, .spare = 2}});
  for (auto& row : layers) {
    auto reads = row.whole("reads").value_or(0), writes = row.whole("writes").value_or(0);
    auto in_file = row.share("file_unaligned_share"), in_memory = row.share("mem_unaligned_share");
    bool aligned = row.number("file_unaligned_share") || row.number("mem_unaligned_share");
    bool together = reads != 0 && writes != 0 && aligned;
    bool first = true;
    for (auto& calls : kinds) {
      if (row.whole(calls.count).value_or(0) == 0) continue;
      table.row({first ? std::string(row.text("module")) : "", std::string(calls.op), row.count(calls.count),
                 row.share("seq" + calls.way), row.share("consec" + calls.way), row.share("small" + calls.way),
                 together ? "" : in_file, together ? "" : in_memory});
      first = false;
    }
    if (together) table.row({"", "both", render::human_count(reads + writes), "", "", "", in_file, in_memory});
  }
  if (table.empty()) return;
  std::vector<std::string> said;
  for (auto column : table.shown(look, 2)) said.push_back(remarks[column]);
  begin_section("Access pattern", render::remark_of("part of calls", said), sink, look);
  table.render(sink, look, 2);
}

}  // namespace darrow::cli

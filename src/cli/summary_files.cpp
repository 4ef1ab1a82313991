// The files of a job, by what was done with them and by whom.
#include <fmt/format.h>

#include <array>
#include <map>
#include <string>

#include "cli/summary_parts.hpp"
#include "render/units.hpp"

namespace darrow::cli {
namespace {

struct Words {
  std::string_view category, word;
};
// "read-only" and the like, in the order of the table.
constexpr std::array words = {Words{"all", "all"},
                              Words{"read_only", "read-only"},
                              Words{"write_only", "write-only"},
                              Words{"read_write", "read/write"},
                              Words{"no_io", "no I/O"},
                              Words{"unique", "unique"},
                              Words{"partially_shared", "partly shared"},
                              Words{"shared", "shared"}};

std::string word_of(const RowText& row) {
  for (auto& [category, word] : words)
    if (category == row.text("category")) return std::string(word);
  return std::string(row.text("category"));
}

std::int64_t files_of(const RowText& row) { return row.whole("files").value_or(0); }

// Offsets count from 0.
std::string largest(const RowText& row) {
  auto offset = row.number("max_offset");
  return offset ? render::human_bytes(*offset + 1) : "-";
}

/// The categories of a module that have files.
struct Filed {
  RowText all;
  std::string label;  ///< of the row of all files: the categories that hold all of them, or "all"
  std::vector<RowText> some;
};

std::vector<Filed> filed(const Table& categories) {
  std::vector<Filed> modules;
  for (auto& row : rows_of(categories)) {
    if (row.text("category") == "all") {
      modules.push_back({row, "", {}});
    } else if (files_of(row) > 0 && files_of(row) == files_of(modules.back().all)) {
      auto& label = modules.back().label;
      label += (label.empty() ? "" : ", ") + word_of(row);
    } else if (files_of(row) > 0) {
      modules.back().some.push_back(row);
    }
  }
  std::erase_if(modules, [](auto& module) { return files_of(module.all) == 0; });
  return modules;
}

void categories_text(const std::vector<Filed>& modules, render::Sink& sink, const render::Look& look) {
  begin_section("Files", "what was done with them, and by whom", sink, look);
  render::TextTable table({{.header = "module"},
                           {.header = "kind"},
                           {.header = "files", .align = render::Align::right},
                           {.header = "read", .align = render::Align::right},
                           {.header = "written", .align = render::Align::right},
                           {.header = "mean size", .align = render::Align::right, .spare = 2},
                           {.header = "largest", .align = render::Align::right},
                           {.header = "procs", .align = render::Align::right, .spare = 1}});
  auto add = [&](std::string module, std::string label, const RowText& row) {
    table.row({std::move(module), std::move(label), row.count("files"), row.bytes("bytes_read"),
               row.bytes("bytes_written"), row.bytes("mean_size"), largest(row), row.count("processes")});
  };
  for (auto& module : modules) {
    add(std::string(module.all.text("module")), module.label.empty() ? "all" : module.label, module.all);
    for (auto& row : module.some) add("", word_of(row), row);
  }
  table.render(sink, look, 2);
}

// One row a module: only the number of files.
void numbers_text(const Table& categories, render::Sink& sink, const render::Look& look) {
  begin_section("Files", "numbers by what was done with them (none: no I/O), and by whom", sink, look);
  render::TextTable table({{.header = "module"},
                           {.header = "files", .align = render::Align::right},
                           {.header = "read-only", .align = render::Align::right},
                           {.header = "write-only", .align = render::Align::right},
                           {.header = "both", .align = render::Align::right},
                           {.header = "none", .align = render::Align::right},
                           {.header = "unique", .align = render::Align::right},
                           {.header = "partly", .align = render::Align::right},
                           {.header = "shared", .align = render::Align::right}});
  auto rows = rows_of(categories);
  for (std::size_t first = 0; first + words.size() <= rows.size(); first += words.size()) {
    if (files_of(rows[first]) == 0) continue;
    std::vector<std::string> cells = {std::string(rows[first].text("module"))};
    for (std::size_t i = 0; i < words.size(); ++i) cells.push_back(rows[first + i].count("files"));
    table.row(std::move(cells));
  }
  table.render_blocks(sink, look, 1, 2);
  note("bytes and sizes of each: --module NAME, or --metric categories", sink, look);
}

}  // namespace

void files_text(const Table& categories, bool details, render::Sink& sink, const render::Look& look) {
  constexpr std::size_t most = 12;
  auto modules = filed(categories);
  if (modules.empty()) return;
  std::size_t rows = modules.size();
  for (auto& module : modules) rows += module.some.size();
  if (details || rows <= most) categories_text(modules, sink, look);
  else numbers_text(categories, sink, look);
}

void file_sizes_text(const Table& categories, render::Sink& sink, const render::Look& look) {
  auto rows = rows_where(rows_of(categories), [](auto& row) {
    auto category = row.text("category");
    return category == "all" || category == "read_only" || category == "write_only" || category == "read_write" ||
           category == "no_io";
  });
  if (rows.empty()) return;
  constexpr std::string_view sizes = "sizes as far as accesses tell";
  tell_section("Files", "",
               {{{.header = "kind"}, word_of},
                told("files", "files", &RowText::count),
                told("mean size", "mean_size", &RowText::bytes, 0, std::string(sizes)),
                {{.header = "largest", .align = render::Align::right}, largest, std::string(sizes)},
                told("read", "bytes_read", &RowText::bytes),
                told("written", "bytes_written", &RowText::bytes),
                told("procs", "processes", &RowText::count, 1)},
               rows, sink, look);
}

}  // namespace darrow::cli

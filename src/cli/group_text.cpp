// Groups of records for people.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/group_summary.hpp"
#include "render/row_text.hpp"
#include "render/units.hpp"

namespace darrow::cli {
namespace {

using namespace render;

/// The columns of keys: those between `module` and `jobs`.
std::vector<const Column*> keys_of(const Table& table) {
  std::vector<const Column*> keys;
  for (std::size_t i = 1; i < table.columns.size() && table.columns[i].name != "jobs"; ++i)
    keys.push_back(&table.columns[i]);
  return keys;
}

/// Whether two rows of a module are of jobs with the same id.
bool ids_repeat(const Table& table) {
  std::set<std::pair<std::string_view, std::int64_t>> seen;
  auto ids = table.find("jobid")->values<std::int64_t>();
  for (std::int64_t row = 0; row < table.rows; ++row)
    if (!seen.emplace(table.columns[0].text(row), ids[static_cast<std::size_t>(row)]).second) return true;
  return false;
}

std::string last_part(std::string_view path) {
  auto slash = path.rfind('/');
  return std::string(slash == path.npos ? path : path.substr(slash + 1));
}

std::vector<Told> key_columns(const Table& table) {
  std::vector<Told> told_of;
  auto keys = keys_of(table);
  auto has = [&](std::string_view name) {
    return std::ranges::any_of(keys, [&](auto* key) { return key->name == name; });
  };
  for (const Column* key : keys) {
    const std::string& name = key->name;
    if (name == "id" && has("name")) continue;
    if (has("log") && (name == "start_time" || name == "end_time")) continue;
    if (name == "log" && !ids_repeat(table)) continue;  // the job says it
    if (name == "log") {
      told_of.push_back({{.header = "log", .fit = Fit::cut_middle, .least = 16, .spare = 1},
                         [](auto& row) { return last_part(row.text("log")); }});
    } else if (name == "name") {
      told_of.push_back({{.header = "file", .fit = Fit::cut_middle, .least = 24}, [](auto& row) {
                           auto text = row.text("name");
                           return text.empty() ? "(id " + row.id("id") + ")" : std::string(text);
                         }});
    } else if (name == "exe" && has("log")) {
      told_of.push_back({{.header = "program", .fit = Fit::cut_end, .least = 12, .spare = 2},
                         [](auto& row) { return last_part(row.text("exe")); }});
    } else if (name == "run_time") {
      told_of.push_back(told("run time", name, &RowText::seconds, 5));
    } else if (key->type == ColumnType::utf8) {
      told_of.push_back({{.header = name, .fit = Fit::cut_middle, .least = 12}, [name](auto& row) {
                           auto text = row.text(name);
                           return text.empty() ? std::string("-") : std::string(text);
                         }});
    } else {
      std::uint8_t spare = !has("log") ? 0 : name == "nprocs" ? 4 : name == "uid" ? 3 : 0;
      told_of.push_back(told(name, name, &RowText::id, spare));
    }
  }
  return told_of;
}

/// The metrics that people look at, or those that they chose with all their digits.
void add_metrics(const Table& table, const ChosenMetrics& chosen, std::vector<Told>& columns) {
  if (!chosen.everything()) {
    for (auto name : chosen.columns(Part::layers))
      if (metric_of(Part::layers, name)) columns.push_back(told(std::string(name), std::string(name), &RowText::exact));
    return;
  }
  if (!table.find("name")) columns.push_back(told("files", "files", &RowText::count));
  columns.push_back(told("reads", "reads", &RowText::count, only_wide));
  columns.push_back(told("writes", "writes", &RowText::count, only_wide));
  columns.push_back(told("read", "bytes_read", &RowText::bytes));
  columns.push_back(told("written", "bytes_written", &RowText::bytes));
  columns.push_back(told("I/O time", "time_by_slowest", &RowText::seconds));
  columns.push_back(told("rate", "rate", &RowText::rate, 1));
}

}  // namespace

void groups_text(const Gathered& gathered, const GroupSummary::Groups& groups, const ChosenMetrics& chosen, Sink& sink,
                 const Look& look) {
  const Table& table = *groups.table;
  sink.put(bold(fmt::format("{} log{}", gathered.logs, gathered.logs == 1 ? "" : "s"), look));
  if (!gathered.repeated.empty())
    sink.put(fmt::format(", {} more that {} the same as another", gathered.repeated.size(),
                         gathered.repeated.size() == 1 ? "is" : "are"));
  sink.put('\n');
  if (table.rows == 0) {
    sink.put('\n');
    return note(
        std::ranges::any_of(groups.left_out, [](auto left) { return left > 0; }) ? "no groups shown" : "no records",
        sink, look);
  }
  bool several = gathered.logs > 1;
  std::size_t module = 0;
  for (std::int64_t first = 0, last = 0; first < table.rows; first = last, ++module) {
    std::vector<RowText> rows;
    auto name = table.columns[0].text(first);
    for (; last < table.rows && table.columns[0].text(last) == name; ++last) rows.emplace_back(table, last);
    auto columns = key_columns(table);
    if (columns.empty()) columns.push_back({{.header = ""}, [](auto&) { return std::string("all"); }});
    bool of_jobs = table.find("log") != nullptr;
    if (several && !of_jobs) columns.push_back(told("jobs", "jobs", &RowText::count));
    add_metrics(table, chosen, columns);
    begin_section(name, "", sink, look);
    tell(columns, rows, sink, look, true);
    if (auto left = groups.left_out[module]) note(fmt::format("and {} more: --limit shows them", left), sink, look);
  }
}

}  // namespace darrow::cli

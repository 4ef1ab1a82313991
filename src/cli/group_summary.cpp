// `darrow summary --by`: many logs in one table.
#include "cli/group_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/exit_code.hpp"
#include "cli/logs.hpp"
#include "cli/names.hpp"
#include "cli/output.hpp"
#include "cli/parts.hpp"
#include "cli/summary.hpp"
#include "render/number.hpp"
#include "render/table.hpp"

namespace darrow::cli {
namespace {

constexpr std::size_t shown_rows = 20;  // of each module, to people
constexpr std::size_t most_failures = 20;

Result<GroupSummaryOptions> options_of(const SummaryRequest& request) {
  const GroupRequest& groups = request.groups;
  GroupSummaryOptions options;
  options.keys = groups.keys;
  options.patterns = groups.patterns;
  options.bottom = request.bottom;
  options.ids = groups.ids;
  options.names = groups.names.find;
  options.excluded = groups.names.exclude;
  auto modules = named_modules(request.modules, request.bottom);
  if (!modules) return modules.error();
  for (auto* module : *modules) options.modules.emplace_back(module->name);
  for (const auto& range : groups.ranks) options.ranks.emplace_back(range.first, range.last);
  bool by_pattern = std::ranges::any_of(groups.keys, [](auto& key) { return key.kind == GroupKey::Kind::pattern; });
  if (by_pattern && groups.patterns.empty())
    return plain_error(ErrorCode::invalid_argument, "--by pattern needs patterns: --pattern NAME=REGEX");
  if (auto error = Grouping(options.keys, options.patterns).check()) return *error;
  return options;
}

/// The columns that are told to machines: all, or module, keys, jobs and the chosen metrics.
std::vector<const Column*> columns_of(const Table& table, const ChosenMetrics& chosen) {
  std::vector<const Column*> columns;
  auto metrics = chosen.columns(Part::layers);
  bool is_key = true;
  for (const auto& column : table.columns) {
    if (is_key || chosen.everything() || std::ranges::find(metrics, column.name) != metrics.end())
      columns.push_back(&column);
    if (column.name == "jobs") is_key = false;
  }
  return columns;
}

void groups_json(const Gathered& gathered, const Table& table, const std::vector<const Column*>& columns,
                 render::JsonWriter& json) {
  json.begin_object();
  json.member("logs", gathered.logs);
  json.key("groups");
  json.begin_array();
  for (std::int64_t row = 0; row < table.rows; ++row) {
    json.begin_object(render::JsonWriter::Layout::inline_);
    for (auto* column : columns) {
      json.key(column->name);
      // Ids as text, for readers whose numbers are doubles.
      if (column->type == ColumnType::u64 && column->valid(row))
        json.value(render::NumberText(column->values<std::uint64_t>()[static_cast<std::size_t>(row)]));
      else render::cell_json(*column, row, json);
    }
    json.end_object();
  }
  json.end_array();
  json.key("repeated");
  json.begin_array();
  for (const auto& [file, same] : gathered.repeated) {
    json.begin_object(render::JsonWriter::Layout::inline_);
    json.member("file", file);
    json.member("same_as", same);
    json.end_object();
  }
  json.end_array();
  json.key("failures");
  json.begin_array();
  for (const auto& failure : gathered.failures) {
    json.begin_object(render::JsonWriter::Layout::inline_);
    json.member("file", failure.error.file);
    json.member("region", failure.error.region);
    json.member("code", to_string(failure.error.code));
    json.member("reason", failure.error.message);
    json.member("counted", failure.counted);
    json.end_object();
  }
  json.end_array();
  json.key("problems");
  json_problems(gathered.sums.problems(), json);
  json.end_object();
  json.finish();
}

void groups_csv(const Table& table, const std::vector<const Column*>& columns, render::CsvWriter& csv) {
  for (auto* column : columns) csv.cell(column->name);
  csv.end_row();
  for (std::int64_t row = 0; row < table.rows; ++row) {
    for (auto* column : columns) render::cell_csv(*column, row, csv);
    csv.end_row();
  }
}

void complain_about(const std::vector<Failure>& failures) {
  for (std::size_t i = 0; i < std::min(failures.size(), most_failures); ++i) complain(failures[i].error.describe());
  if (failures.size() > most_failures)
    complain(fmt::format("{} more failures: --format json tells all", failures.size() - most_failures));
}

}  // namespace

int run_group_summary(const SummaryRequest& request) {
  auto fail = [](const Error& error) {
    complain("summary: " + error.message);
    return usage;
  };
  auto options = options_of(request);
  if (!options) return fail(options.error());
  auto chosen = ChosenMetrics::parse(request.metrics);
  if (!chosen) return fail(chosen.error());
  for (auto part : chosen->tables())
    if (!chosen->everything() && part != Part::layers)
      return fail(plain_error(ErrorCode::invalid_argument,
                              fmt::format("groups have metrics of layers, and no table {}", to_string(part))));
  std::string sort = request.groups.sort.empty() ? "bytes" : request.groups.sort;
  if (auto known = GroupSummary(*options).groups(sort); !known) return fail(known.error());  // before all is read
  Gathered gathered = gather(request.logs, *options, request.open, request.fail_partial, request.groups.threads);
  auto limit = request.groups.limit;
  if (!limit && request.format == Format::table) limit = shown_rows;
  auto groups = gathered.sums.groups(sort, limit);
  if (!groups) return fail(groups.error());
  const Table& table = *groups->table;
  {
    Output out;
    render::JsonWriter json(out.sink());
    render::CsvWriter csv(out.sink(), out.terminal());
    switch (request.format) {
      case Format::table: groups_text(gathered, *groups, *chosen, out.sink(), out.look()); break;
      case Format::csv: groups_csv(table, columns_of(table, *chosen), csv); break;
      case Format::json: groups_json(gathered, table, columns_of(table, *chosen), json); break;
    }
  }
  for (const auto& problem : gathered.sums.problems()) complain(fmt::format("{}: {}", problem.region, problem.message));
  complain_about(gathered.failures);
  if (gathered.logs == 0) return nothing;
  return gathered.failures.empty() ? done : lost;
}

}  // namespace darrow::cli

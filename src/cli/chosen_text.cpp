// Chosen metrics for people, with all their digits.
#include <algorithm>

#include "cli/summary_parts.hpp"
#include "darrow/metrics.hpp"
#include "render/text.hpp"

namespace darrow::cli {
namespace {

using render::Align;

/// On terminals, long texts leave room for the columns before them.
std::string fitting(const std::string& text, const render::Look& look) {
  constexpr std::size_t before = 44, least = 20;
  return look.width > 0 ? render::cut_middle(text, std::max(look.width, before + least) - before) : text;
}

/// What a column stands for.
std::string label(const LogSummary& summary, Part part, const RowText& row, const render::Look& look) {
  return part == Part::mounts ? fitting(render::printable(mount_name(row)), look) : marked_name(summary, row);
}

/// Ranks are no amounts.
std::string cell(const RowText& row, std::string_view column, const Metric* metric) {
  return metric && metric->unit == "rank" ? row.id(column) : row.exact(column);
}

/// A row a metric, a column a module or mount.
void by_metric(const LogSummary& summary, Part part, const std::vector<std::string_view>& columns, render::Sink& sink,
               const render::Look& look) {
  const Table& table = part_of(summary.sums, part);
  auto rows = rows_of(table);
  std::vector<render::TextColumn> headers = {{.header = "metric"}, {.header = "unit"}};
  for (auto& row : rows) headers.push_back({.header = label(summary, part, row, look), .align = Align::right});
  render::TextTable text(std::move(headers));
  for (auto name : columns) {
    auto* metric = metric_of(part, name);
    if (!metric && name != "fs_type") continue;
    std::vector<std::string> cells = {std::string(name), metric ? std::string(metric->unit) : ""};
    for (auto& row : rows) cells.push_back(fitting(cell(row, name, metric), look));
    text.row(std::move(cells));
  }
  text.render_blocks(sink, look, 2, 2);
  if (part == Part::layers) marks_text(rows, sink, look);
}

/// The table as it is, with units in the headers.
void as_table(const LogSummary& summary, Part part, const std::vector<std::string_view>& columns, render::Sink& sink,
              const render::Look& look) {
  const Table& table = part_of(summary.sums, part);
  std::vector<render::TextColumn> headers;
  std::size_t keys = 0;
  for (auto name : columns) {
    auto* metric = metric_of(part, name);
    bool text = !metric || metric->type == ColumnType::utf8;
    keys += text ? 1 : 0;
    headers.push_back({.header = std::string(name), .align = text ? Align::left : Align::right});
  }
  render::TextTable rows(std::move(headers));
  std::vector<std::string> units;
  for (auto name : columns) {
    auto* metric = metric_of(part, name);
    units.emplace_back(metric ? metric->unit : "");
  }
  rows.row(std::move(units));
  for (auto& row : rows_of(table)) {
    std::vector<std::string> cells;
    for (auto name : columns)
      cells.push_back(name == "module" ? layer_name(summary, row) : cell(row, name, metric_of(part, name)));
    rows.row(std::move(cells));
  }
  rows.render_blocks(sink, look, keys, 2);
}

}  // namespace

void metrics_text(const LogSummary& summary, const ChosenMetrics& chosen, render::Sink& sink,
                  const render::Look& look) {
  heading_text(summary, sink, look);
  auto tables = chosen.tables();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    auto part = tables[i];
    const Table& table = part_of(summary.sums, part);
    if (i > 0) sink.put('\n');
    if (tables.size() > 1) {
      sink.put(render::bold(to_string(part), look));
      sink.put('\n');
    }
    if (summary.sums.layers->rows == 0) no_layers_text(summary, sink, look);
    else if (table.rows == 0) sink.put("  nothing was recorded\n");
    else if (part == Part::layers || part == Part::mounts) by_metric(summary, part, chosen.columns(part), sink, look);
    else as_table(summary, part, chosen.columns(part), sink, look);
  }
}

}  // namespace darrow::cli

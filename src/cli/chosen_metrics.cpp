#include "cli/chosen_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/logs.hpp"
#include "cli/names.hpp"
#include "darrow/metrics.hpp"

namespace darrow::cli {
namespace {

/// Where the metrics of a table come from: mounts have those of layers.
MetricTable metrics_of(Part part) {
  switch (part) {
    case Part::layers:
    case Part::mounts: return MetricTable::layers;
    case Part::categories: return MetricTable::categories;
    case Part::access_sizes: return MetricTable::access_sizes;
    case Part::common_accesses: return MetricTable::common_accesses;
  }
  return {};
}

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Error unknown(std::string_view name) {
  std::string message = fmt::format("no metric is called \"{}\"", name);
  for (auto part : parts)
    if (part != Part::layers && metric_of(part, name))
      return plain_error(ErrorCode::invalid_argument,
                         fmt::format("{0} for a module; the table {1} has it: --metric {1}", message, to_string(part)));
  std::vector<std::string_view> known;
  for (auto& metric : metrics())
    if (metric.table == MetricTable::layers) known.push_back(metric.name);
  for (auto part : parts) known.push_back(to_string(part));
  if (auto near = nearest(name, known); !near.empty()) message += fmt::format("; near it: {}", listed(near));
  return plain_error(ErrorCode::invalid_argument, message + "; darrow modules --metrics lists them");
}

}  // namespace

std::string_view to_string(Part part) {
  return part == Part::mounts ? std::string_view("mounts") : to_string(metrics_of(part));
}

const Table& part_of(const Summary& summary, Part part) {
  switch (part) {
    case Part::layers: break;
    case Part::categories: return *summary.categories;
    case Part::access_sizes: return *summary.access_sizes;
    case Part::common_accesses: return *summary.common_accesses;
    case Part::mounts: return *summary.mounts;
  }
  return *summary.layers;
}

std::vector<std::string_view> columns_of(Part part) {
  std::vector<std::string_view> columns = {"module"};
  if (part == Part::mounts) columns = {"mount", "fs_type"};
  if (part == Part::categories) columns.push_back("category");
  for (auto& metric : metrics())
    if (metric.table == metrics_of(part)) columns.push_back(metric.name);
  if (part == Part::layers) columns.insert(columns.end(), {"partial", "damaged"});
  return columns;
}

const Metric* metric_of(Part part, std::string_view column) { return find_metric(metrics_of(part), column); }

Result<ChosenMetrics> ChosenMetrics::parse(const std::vector<std::string>& names) {
  ChosenMetrics chosen;
  bool all_of_layers = false;
  for (auto& name : names) {
    chosen.everything_ = false;
    auto table = std::find_if(parts.begin(), parts.end(), [&](Part part) { return to_string(part) == name; });
    const Metric* metric = find_metric(MetricTable::layers, name);
    if (table == parts.end() && !metric) return unknown(name);
    auto part = table == parts.end() ? Part::layers : *table;
    chosen.has_[static_cast<std::size_t>(part)] = true;
    if (table == parts.end()) chosen.of_layers_.push_back(metric->name);
    else all_of_layers |= part == Part::layers;
  }
  if (all_of_layers) chosen.of_layers_.clear();
  return chosen;
}

std::vector<Part> ChosenMetrics::tables() const {
  std::vector<Part> list;
  for (auto part : parts)
    if (has(part)) list.push_back(part);
  return list;
}

std::vector<std::string_view> ChosenMetrics::columns(Part part) const {
  auto columns = columns_of(part);
  if (part == Part::layers && !of_layers_.empty())
    std::erase_if(columns, [&](auto name) { return metric_of(part, name) && !contains(of_layers_, name); });
  return columns;
}

}  // namespace darrow::cli

#include "cli/metrics.hpp"

#include <algorithm>
#include <string>

namespace darrow::cli {
namespace {

using Layout = render::JsonWriter::Layout;

std::vector<const Metric*> metrics_for(std::span<const Module* const> modules) {
  std::vector<const Metric*> list;
  for (auto& metric : metrics())
    if (std::any_of(modules.begin(), modules.end(), [&](auto* module) { return metric.applies_to(*module); }))
      list.push_back(&metric);
  return list;
}

std::string joined(const std::vector<std::string_view>& names, std::string_view between) {
  std::string text;
  for (auto name : names) text.append(text.empty() ? "" : between).append(name);
  return text;
}

void names_json(const std::vector<std::string_view>& names, render::JsonWriter& json) {
  json.begin_array(Layout::inline_);
  for (auto name : names) json.value(name);
  json.end_array();
}

void role_json(Role role, std::span<const Module* const> modules, render::JsonWriter& json) {
  json.begin_object();
  for (auto* module : modules)
    if (auto counters = counters_in(*module, role); module->instead.empty() && !counters.empty()) {
      json.key(module->name);
      names_json(counters, json);
    }
  json.end_object();
}

/// A table of the metrics of one kind of table.
void table_text(MetricTable table, const std::vector<const Metric*>& list, render::Sink& sink,
                const render::Look& look) {
  render::TextTable text({{.header = "metric"},
                          {.header = "unit"},
                          {.header = "formula", .fit = render::Fit::wrap, .least = 36},
                          {.header = "meaning", .fit = render::Fit::below, .least = 50}});
  for (auto* metric : list)
    if (metric->table == table)
      text.row({std::string(metric->name), std::string(metric->unit), std::string(metric->formula),
                std::string(metric->doc)});
  if (text.empty()) return;
  sink.put('\n');
  sink.put(render::bold(to_string(table), look));
  sink.put('\n');
  text.render(sink, look, 2);
}

void roles_text(const Module& module, render::Sink& sink, const render::Look& look) {
  render::TextTable text({{.header = "role"}, {.header = "counters", .fit = render::Fit::wrap, .least = 40}});
  for (auto role : roles_of_metrics())
    if (auto counters = counters_in(module, role); !counters.empty())
      text.row({std::string(to_string(role)), joined(counters, " ")});
  if (text.empty()) return;
  sink.put('\n');
  sink.put(render::bold("where they come from", look));
  sink.put('\n');
  text.render(sink, look, 2);
}

}  // namespace

std::vector<Role> roles_of_metrics() {
  std::vector<Role> roles;
  for (std::size_t r = 0; r < role_count; ++r) {
    auto role = static_cast<Role>(r);
    auto all = metrics();
    if (std::any_of(all.begin(), all.end(), [&](auto& metric) {
          return std::find(metric.inputs.begin(), metric.inputs.end(), role) != metric.inputs.end();
        }))
      roles.push_back(role);
  }
  return roles;
}

std::vector<std::string_view> counters_in(const Module& module, Role role) {
  std::vector<std::string_view> names;
  for (auto& field : module.fields) {
    if (field.role != role) continue;
    names.push_back(field.name);
    for (auto& group : module.groups) {
      if (group.kind != GroupKind::top || group.members[0] != field.name) continue;
      names.clear();
      auto take = [&](std::string_view first, std::size_t number) {
        auto* from = find_field(module.fields, first);
        for (std::size_t i = 0; from && i < number; ++i) names.push_back(from[i].name);
      };
      take(group.members[0], std::size_t{group.slots} * group.keys);
      take(group.members[1], group.slots);
    }
  }
  return names;
}

void metrics_dictionary_text(std::span<const Module* const> modules, render::Sink& sink, const render::Look& look) {
  auto list = metrics_for(modules);
  if (modules.size() == 1) {
    auto& module = *modules[0];
    sink.put(render::bold(module.name, look));
    if (list.empty()) return sink.put(std::string(": no metrics, for ").append(module.instead).append("\n"));
    sink.put(": its metrics, and the counters that they come from\n");
  } else {
    sink.put(
        "Metrics by table. Names in formulas are roles of counters or other metrics;\n"
        "darrow modules NAME --metrics tells which counters of a module have a role.\n");
  }
  for (auto table :
       {MetricTable::layers, MetricTable::categories, MetricTable::access_sizes, MetricTable::common_accesses})
    table_text(table, list, sink, look);
  if (modules.size() == 1) roles_text(*modules[0], sink, look);
}

void metrics_csv(std::span<const Module* const> modules, render::CsvWriter& csv) {
  csv.header({"metric", "table", "type", "unit", "module", "inputs", "formula", "meaning"});
  for (auto* metric : metrics_for(modules))
    for (auto* module : modules) {
      if (!metric->applies_to(*module)) continue;
      render::Sink inputs;
      render::JsonWriter json(inputs);
      json.begin_object(Layout::inline_);
      for (auto role : metric->inputs) {
        json.key(to_string(role));
        names_json(counters_in(*module, role), json);
      }
      json.end_object();
      csv.cell(metric->name);
      csv.cell(to_string(metric->table));
      csv.cell(metric->type == ColumnType::utf8 ? "text" : metric->type == ColumnType::f64 ? "f64" : "i64");
      csv.cell(metric->unit);
      csv.cell(module->name);
      csv.cell(inputs.text());
      csv.cell(metric->formula);
      csv.cell(metric->doc);
      csv.end_row();
    }
}

void metrics_json(std::span<const Module* const> modules, render::JsonWriter& json) {
  json.begin_object();
  json.key("metrics");
  json.begin_array();
  for (auto* metric : metrics_for(modules)) {
    json.begin_object();
    json.member("name", metric->name);
    json.member("table", to_string(metric->table));
    json.member("type", metric->type == ColumnType::utf8 ? "text" : metric->type == ColumnType::f64 ? "f64" : "i64");
    json.member("unit", metric->unit);
    json.member("formula", metric->formula);
    json.member("meaning", metric->doc);
    json.key("modules");
    std::vector<std::string_view> names;
    for (auto* module : modules)
      if (metric->applies_to(*module)) names.push_back(module->name);
    names_json(names, json);
    json.key("inputs");
    names.clear();
    for (auto role : metric->inputs) names.push_back(to_string(role));
    names_json(names, json);
    json.end_object();
  }
  json.end_array();
  json.key("roles");
  json.begin_object();
  for (auto role : roles_of_metrics()) {
    json.key(to_string(role));
    role_json(role, modules, json);
  }
  json.end_object();
  json.end_object();
  json.finish();
}

}  // namespace darrow::cli

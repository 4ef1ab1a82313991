// `darrow modules`: the counter dictionary.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/metrics.hpp"
#include "cli/modules.hpp"
#include "cli/names.hpp"
#include "cli/output.hpp"
#include "darrow/module.hpp"

namespace darrow::cli {
namespace {

std::vector<const Module*> chosen(const std::string& name) {
  if (name.empty()) return {modules().begin(), modules().end()};
  if (auto* module = find_module(name)) return {module};
  return {};
}

// Whether `name` is `pattern` with something in the place of each {placeholder}.
bool matches(std::string_view pattern, std::string_view name) {
  auto open = pattern.find('{');
  if (open == pattern.npos) return pattern == name;
  if (name.substr(0, open) != pattern.substr(0, open)) return false;
  pattern.remove_prefix(pattern.find('}', open) + 1);
  for (auto end = open + 1; end <= name.size(); ++end)
    if (matches(pattern, name.substr(end))) return true;
  return false;
}

}  // namespace

std::vector<Counter> counters(const Module& module) {
  std::vector<Counter> list;
  auto add = [&](std::string_view part, std::span<const Field> fields, bool stored) {
    for (auto& field : fields) list.push_back({part, &field, !stored || !field.in(module.current())});
  };
  add("record", module.fields, true);
  add("header", module.header, true);
  for (auto& repeat : module.repeats) add(repeat.name, repeat.fields, repeat.in(module.current()));
  return list;
}

bool is_column(const Counter& counter) { return !counter.old && !counter.field->hidden; }

std::int64_t column_count(const Module& module) {
  auto all = counters(module);
  return std::count_if(all.begin(), all.end(), is_column);
}

bool in_family(const Module& module, const Field& field) {
  return std::any_of(module.families.begin(), module.families.end(),
                     [&](auto& family) { return matches(family.pattern, field.name); });
}

int run_modules(const ModulesOptions& options) {
  auto list = chosen(options.name);
  if (list.empty()) {
    complain(fmt::format("modules: no module is called \"{}\"; known: {}", options.name, all_modules()));
    return usage;
  }
  Output out;
  bool counters = options.all || !options.name.empty(), metrics = options.metrics;
  switch (options.format) {
    case Format::table:
      if (metrics) metrics_dictionary_text(list, out.sink(), out.look());
      else if (counters) counters_text(list, options.all, out.sink(), out.look());
      else modules_text(list, out.sink(), out.look());
      break;
    case Format::csv: {
      render::CsvWriter csv(out.sink(), out.terminal());
      if (metrics) metrics_csv(list, csv);
      else if (counters) counters_csv(list, csv);
      else modules_csv(list, csv);
      break;
    }
    case Format::json: {
      render::JsonWriter json(out.sink());
      if (metrics) metrics_json(list, json);
      else modules_json(list, json);
      break;
    }
  }
  return done;
}

}  // namespace darrow::cli

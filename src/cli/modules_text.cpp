// The counter dictionary for people.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cli/modules.hpp"
#include "render/units.hpp"

namespace darrow::cli {
namespace {

using render::Align;
using render::Fit;

std::string own(std::string_view text) { return std::string(text); }

// "sum", or nothing where an aggregate has no such value.
std::string rule_text(Rule rule) { return rule == Rule::none ? "-" : own(to_string(rule)); }

// How a column is reached: what repeats within a record, or stands in a record of its own, has the name of that before it.
std::string label(const Module& module, const Counter& counter) {
  auto column = counter.field->label();
  bool top = counter.part == "record" || counter.part == column || module.shape == Shape::segments;
  return top ? own(column) : fmt::format("{}.{}", counter.part, column);
}

void families_text(const Module& module, render::Sink& sink, const render::Look& look) {
  render::TextTable table({{.header = "family"},
                           {.header = "counters", .align = Align::right},
                           {.header = "type"},
                           {.header = "unit", .fit = Fit::wrap, .least = 7},
                           {.header = "rule"},
                           {.header = "meaning", .fit = Fit::below, .least = 36}});
  for (auto& family : module.families)
    table.row({own(family.pattern), render::human_count(family.members), own(to_string(family.type)), own(family.unit),
               rule_text(family.rule), own(family.doc)});
  sink.put('\n');
  table.render(sink, look, 2);
}

void fields_text(const Module& module, bool all, render::Sink& sink, const render::Look& look) {
  render::TextTable table({{.header = "counter"},
                           {.header = "type"},
                           {.header = "unit", .fit = Fit::wrap, .least = 7},
                           {.header = "rule"},
                           {.header = "null"},
                           {.header = "since"},
                           {.header = "meaning", .fit = Fit::below, .least = 36}});
  for (auto& counter : counters(module)) {
    auto* field = counter.field;
    if (!is_column(counter) || (!all && in_family(module, *field))) continue;
    table.row({label(module, counter), own(to_string(field->type)), own(field->unit), rule_text(field->rule),
               field->minus_one_is_null ? "-1" : "", field->first > 1 ? fmt::format("v{}", field->first) : "",
               own(field->doc)});
  }
  if (table.empty()) return;
  sink.put('\n');
  table.render(sink, look, 2);
}

}  // namespace

void modules_text(ModuleList list, render::Sink& sink, const render::Look& look) {
  render::TextTable table({{.header = "module"},
                           {.header = "id", .align = Align::right},
                           {.header = "version", .align = Align::right},
                           {.header = "counters", .align = Align::right},
                           {.header = "meaning", .fit = Fit::wrap}});
  for (auto* module : list)
    table.row({own(module->name), fmt::format("{}", module->id), fmt::format("{}", module->current()),
               render::human_count(column_count(*module)), own(module->doc)});
  table.render(sink, look);
}

void counters_text(ModuleList list, bool all, render::Sink& sink, const render::Look& look) {
  bool first = true;
  for (auto* module : list) {
    if (!first) sink.put('\n');
    first = false;
    sink.put(fmt::format("{} (id {}, version {}): {}\n", render::bold(module->name, look), module->id,
                         module->current(), module->doc));
    fields_text(*module, all, sink, look);
    if (!all && !module->families.empty()) families_text(*module, sink, look);
  }
}

}  // namespace darrow::cli

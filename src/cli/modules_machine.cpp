// The counter dictionary as CSV and JSON.
#include <optional>

#include "cli/modules.hpp"

namespace darrow::cli {
namespace {

using Layout = render::JsonWriter::Layout;
constexpr int still = 255;  // Field::last and Repeat::last: still stored

std::optional<int> last_version(int last) {
  if (last == still) return {};
  return last;
}

std::optional<std::int64_t> absent(const Field& field) {
  if (field.absent_is_null || field.first == 1) return {};
  return field.absent;
}

std::optional<std::string_view> role(const Field& field) {
  if (field.role == Role::none) return {};
  return to_string(field.role);
}

void field_json(const Counter& counter, render::JsonWriter& json) {
  auto& field = *counter.field;
  json.begin_object(Layout::inline_);
  json.member("name", field.name);
  json.member("column", field.label());
  json.member("part", counter.part);
  json.member("type", to_string(field.type));
  json.member("unit", field.unit);
  json.member("meaning", field.doc);
  json.member("rule", to_string(field.rule));
  json.member("minus_one_is_null", field.minus_one_is_null);
  json.member("first_version", field.first);
  json.member("last_version", last_version(field.last));
  json.member("absent", absent(field));
  json.member("hidden", field.hidden);
  json.member("role", role(field));
  json.end_object();
}

void repeat_json(const Repeat& repeat, render::JsonWriter& json) {
  json.begin_object(Layout::inline_);
  json.member("name", repeat.name);
  json.key("counts");
  json.begin_array();
  for (auto count : repeat.counts)
    if (!count.empty()) json.value(count);
  json.end_array();
  json.member("first_version", repeat.first);
  json.member("last_version", last_version(repeat.last));
  json.end_object();
}

void family_json(const Family& family, render::JsonWriter& json) {
  json.begin_object(Layout::inline_);
  json.member("pattern", family.pattern);
  json.member("type", to_string(family.type));
  json.member("rule", to_string(family.rule));
  json.member("unit", family.unit);
  json.member("meaning", family.doc);
  json.member("members", family.members);
  json.end_object();
}

template <typename List, typename F>
void array(std::string_view name, const List& list, render::JsonWriter& json, F element) {
  json.key(name);
  json.begin_array();
  for (auto& item : list) element(item, json);
  json.end_array();
}

void module_json(const Module& module, render::JsonWriter& json) {
  json.begin_object();
  json.member("id", module.id);
  json.member("name", module.name);
  json.member("sql_name", module.sql_name);
  json.member("meaning", module.doc);
  json.member("current_version", module.current());
  array("versions", module.versions, json, [](const Version& version, render::JsonWriter& j) {
    j.begin_object(Layout::inline_);
    j.member("version", version.number);
    j.member("fixed_bytes", version.fixed_bytes);
    j.end_object();
  });
  array("fields", counters(module), json, field_json);
  array("repeats", module.repeats, json, repeat_json);
  array("families", module.families, json, family_json);
  json.end_object();
}

}  // namespace

void modules_json(ModuleList list, render::JsonWriter& json) {
  json.begin_object();
  json.key("modules");
  json.begin_array();
  for (auto* module : list) module_json(*module, json);
  json.end_array();
  json.end_object();
  json.finish();
}

void modules_csv(ModuleList list, render::CsvWriter& csv) {
  csv.header({"module", "sql_name", "id", "current_version", "counters", "meaning"});
  for (auto* module : list) {
    csv.cell(module->name);
    csv.cell(module->sql_name);
    csv.cell(module->id);
    csv.cell(module->current());
    csv.cell(column_count(*module));
    csv.cell(module->doc);
    csv.end_row();
  }
}

void counters_csv(ModuleList list, render::CsvWriter& csv) {
  csv.header({"module", "name", "column", "part", "type", "unit", "rule", "minus_one_is_null", "first_version",
              "last_version", "absent", "hidden", "role", "meaning"});
  for (auto* module : list)
    for (auto& [part, field, old] : counters(*module)) {
      csv.cell(module->name);
      csv.cell(field->name);
      csv.cell(field->label());
      csv.cell(part);
      csv.cell(to_string(field->type));
      csv.cell(field->unit);
      csv.cell(to_string(field->rule));
      csv.cell(field->minus_one_is_null);
      csv.cell(field->first);
      csv.cell(last_version(field->last));
      csv.cell(absent(*field));
      csv.cell(field->hidden);
      csv.cell(role(*field));
      csv.cell(field->doc);
      csv.end_row();
    }
}

}  // namespace darrow::cli

#include "aggregate/given_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "aggregate/rows.hpp"
#include "base/invalid_argument.hpp"
#include "base/memory.hpp"
#include "darrow/aggregate.hpp"
#include "table/build.hpp"
#include "table/cast.hpp"
#include "table/join.hpp"

namespace darrow {
namespace {

/// Names of columns that only tables of one module have, and the module.
const std::map<std::string_view, const Module*>& own_columns() {
  static const auto& columns = *new std::map<std::string_view, const Module*>([] {
    std::map<std::string_view, const Module*> own;
    std::set<std::string_view> common;
    for (const Module* module : modules())
      for (const auto& f : module->fields) {
        auto [at, is_new] = own.try_emplace(f.label(), module);
        if (!is_new && at->second != module) common.insert(f.label());
      }
    for (auto name : common) own.erase(name);
    return own;
  }());
  return columns;
}

std::string needed_of(const Module& module, std::string_view column) {
  return fmt::format("the table lacks column {}, which the aggregation of {} needs", column, module.name);
}

/// `id` or `rank`: there, and never null.
Result<Column> base_column(const Table& table, const Field& field, const Module& module, std::string_view hint) {
  const Column* there = table.find(field.name);
  if (!there) return invalid_argument(module.name, fmt::format("{}: {}", needed_of(module, field.name), hint));
  auto column = cast(*there, field, module.name);
  if (!column || column->null_count == 0) return column;
  std::int64_t row = 0;
  while (column->valid(row)) ++row;
  return invalid_argument(module.name, fmt::format("column {}, row {}: null; {}", field.name, row, hint));
}

/// Whether all values are 0: adding up is faster then.
bool is_zero(const Column& column) {
  if (column.null_count || (column.type != ColumnType::i64 && column.type != ColumnType::f64)) return false;
  auto words = column.values<std::uint64_t>();
  while (!words.empty()) {
    auto block = words.first(std::min<std::size_t>(words.size(), 512));
    words = words.subspan(block.size());
    std::uint64_t bits = 0;
    for (auto word : block) bits |= word;
    if (bits) return false;
  }
  return true;
}

Column null_column(std::int64_t rows) {
  Column c;
  c.length = c.null_count = rows;
  c.validity = validity_none(rows);
  NewBuffer zeros(static_cast<std::size_t>(rows) * 8);
  std::fill_n(zeros.as<std::int64_t>(), rows, 0);
  c.data = zeros.buffer();
  return c;
}

/// Positions of the fields of a group.
std::vector<std::size_t> members_of(const Module& module, const Group& group) {
  std::vector<std::size_t> positions;
  if (group.kind != GroupKind::top) {
    for (auto name : group.members)
      if (!name.empty()) positions.push_back(position_of(module, name));
    return positions;
  }
  auto value = position_of(module, group.members[0]), count = position_of(module, group.members[1]);
  for (std::size_t i = 0; i < std::size_t{group.slots} * group.keys; ++i) positions.push_back(value + i);
  for (std::size_t i = 0; i < group.slots; ++i) positions.push_back(count + i);
  return positions;
}

/// What the rule of a group needs beside its own fields.
std::vector<std::size_t> needs_of(const Module& module, const Group& group) {
  std::vector<std::size_t> positions;
  if (group.kind != GroupKind::fastest && group.kind != GroupKind::slowest && group.kind != GroupKind::variance)
    return positions;
  for (Role role : {Role::read_time, Role::write_time, Role::meta_time, Role::bytes_read, Role::bytes_written})
    if (const Field* f = find_role(module.fields, role))
      positions.push_back(static_cast<std::size_t>(f - module.fields.data()));
  return positions;
}

/// Counters that only make sense together have to be there together.
std::optional<Error> check_groups(const Module& module, const std::vector<bool>& there) {
  for (const auto& group : module.groups) {
    auto members = members_of(module, group);
    auto first = std::find_if(members.begin(), members.end(), [&](auto p) { return there[p]; });
    if (first == members.end()) continue;
    auto needed = needs_of(module, group);
    needed.insert(needed.begin(), members.begin(), members.end());
    for (auto p : needed)
      if (!there[p])
        return invalid_argument(
            module.name, fmt::format("column {} needs column {}, which the table lacks: keep it, or leave out both",
                                     module.fields[*first].label(), module.fields[p].label()));
  }
  return {};
}

Result<Column> list_column_of(const Column& list, const Field& field, const Module& module) {
  if (list.type != ColumnType::list && list.null_count == list.length) {  // nothing but nulls, of whatever type
    Column nothing =
        list_column(std::string(field.label()), std::vector<std::int32_t>(static_cast<std::size_t>(list.length) + 1),
                    value_column<std::int64_t>({}, {}));
    nothing.field = &field;
    return nothing;
  }
  if (list.type != ColumnType::list)
    return invalid_argument(module.name, fmt::format("column {} holds no lists", list.name));
  const Piece all[] = {{&list, 0, list.length}};
  Column column = list.null_count ? join(all) : list;
  auto items = cast(column.children[0], field, module.name, column.offsets.as<std::int32_t>());
  if (!items) return items.error();
  column.children = {std::move(*items)};
  column.name = field.label();
  column.field = &field;
  return column;
}

}  // namespace

Result<const Module*> module_of(const Table& table) {
  if (table.module) return table.module;
  std::map<const Module*, std::string_view> found;  // and a column of each
  for (const auto& column : table.columns)
    if (auto at = own_columns().find(column.name); at != own_columns().end()) found.try_emplace(at->second, at->first);
  if (found.empty())
    return invalid_argument({},
                            "no column is a counter of a module: tell the module, and keep the names of its counters");
  if (found.size() > 1) {
    std::string list;
    for (const auto& [module, column] : found)
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", module->name, column);
    return invalid_argument(
        {}, fmt::format("columns of several modules, {}: aggregate the records of one at a time", list));
  }
  return found.begin()->first;
}

Result<GivenTable> given_table(const Table& table, const Module& module) {
  bool has_own = std::ranges::any_of(module.fields, [&](const Field& f) { return table.find(f.label()) != nullptr; });
  if (auto other = module_of(table); !has_own && other && *other != &module)
    return invalid_argument(module.name,
                            fmt::format("the table has columns of {}, and none of {}", (*other)->name, module.name));
  GivenTable given;
  Table& out = given.table;
  out.name = module.name;
  out.module = &module;
  out.version = module.current();
  out.rows = table.rows;
  auto id = base_column(table, id_field, module, "it tells which records are of one file");
  if (!id) return id.error();
  auto rank = base_column(table, rank_field, module, "it tells whose record it is, -1 is that of all ranks");
  if (!rank) return rank.error();
  out.columns = {std::move(*id), std::move(*rank)};
  std::vector<bool> there(module.fields.size());
  std::optional<Column> null;
  for (std::size_t i = 0; i < module.fields.size(); ++i) {
    const Field& f = module.fields[i];
    if (!f.in(module.current()) || f.hidden || !f.is_number()) continue;
    if (const Column* column = table.find(f.label())) {
      auto values = cast(*column, f, module.name);
      if (!values) return values.error();
      there[i] = true;
      values->all_zero = is_zero(*values);
      out.columns.push_back(std::move(*values));
      continue;
    }
    if (!null) null = null_column(table.rows);
    out.columns.push_back(*null);
    out.columns.back().name = f.label();
    out.columns.back().field = &f;
    out.columns.back().type = column_type(f.type);
    given.absent.emplace_back(f.label());
  }
  if (auto error = check_groups(module, there)) return *error;
  for (const auto& group : module.groups)
    if (group.kind == GroupKind::top && !there[position_of(module, group.members[0])])
      given.absent.emplace_back(group.list);
  for (const auto& repeat : module.repeats) {
    const Field& f = repeat.fields[0];
    if (!repeat.in(module.current()) || repeat.fields.size() != 1 || f.rule != Rule::sum) continue;
    const Column* list = table.find(f.label());
    if (!list) return invalid_argument(module.name, needed_of(module, f.label()));
    auto column = list_column_of(*list, f, module);
    if (!column) return column.error();
    out.columns.push_back(std::move(*column));
  }
  for (const auto& column : table.columns)
    if (!out.find(column.name)) out.columns.push_back(column);
  return given;
}

}  // namespace darrow

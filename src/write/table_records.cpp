#include "write/table_records.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/invalid_argument.hpp"
#include "base/memory.hpp"
#include "darrow/log.hpp"
#include "darrow/name_hash.hpp"
#include "modules/fixups.hpp"
#include "table/build.hpp"
#include "table/cast.hpp"
#include "table/join.hpp"

namespace darrow {
namespace table_records {

/// An error if a row is null.
std::optional<Error> without_nulls(const Column& c, const Module& module) {
  if (c.null_count == 0) return {};
  std::int64_t row = 0;
  while (c.valid(row)) ++row;
  return invalid_argument(module.name, fmt::format("column {}, row {}: null, a value is needed", c.name, row));
}

Result<Column> id_column(const Table& table, const Module& module) {
  if (const Column* ids = table.find(id_field.name)) {
    auto column = cast(*ids, id_field, module.name);
    if (!column) return column;
    if (auto e = without_nulls(*column, module)) return *e;
    return column;
  }
  const Column* names = table.find("name");
  if (!names) return invalid_argument(module.name, "no column \"id\", nor a column \"name\" that it could be made of");
  if (names->type != ColumnType::utf8 && names->type != ColumnType::dictionary)
    return invalid_argument(module.name, "column name holds no text");
  if (auto e = without_nulls(*names, module)) return *e;
  NewBuffer hashes(static_cast<std::size_t>(table.rows) * sizeof(std::uint64_t));
  for (std::int64_t r = 0; r < table.rows; ++r) hashes.as<std::uint64_t>()[r] = record_id(names->text(r));
  Column column;
  column.name = id_field.name;
  column.type = ColumnType::u64;
  column.length = table.rows;
  column.field = &id_field;
  column.data = hashes.buffer();
  return column;
}

Result<Column> rank_column(const Table& table, const Module& module) {
  const Column* ranks = table.find(rank_field.name);
  if (!ranks) return invalid_argument(module.name, "no column \"rank\": -1 stands for all ranks");
  auto column = cast(*ranks, rank_field, module.name);
  if (!column) return column;
  if (auto e = without_nulls(*column, module)) return *e;
  return column;
}

Column constant_column(const Field& field, std::int64_t value, std::int64_t rows) {
  Column c;
  c.name = field.label();
  c.field = &field;
  c.length = rows;
  c.type = field.type == Type::f64 ? ColumnType::f64 : field.type == Type::u64 ? ColumnType::u64 : ColumnType::i64;
  NewBuffer out(static_cast<std::size_t>(rows) * 8);
  if (field.type == Type::f64) std::fill_n(out.as<double>(), rows, static_cast<double>(value));
  else std::fill_n(out.as<std::int64_t>(), rows, value);
  c.data = out.buffer();
  return c;
}

Result<Column> field_column(const Table& table, const Field& field, const Module& module,
                            std::span<const std::int32_t> lists) {
  if (const Column* there = table.find(field.label())) return cast(*there, field, module.name, lists);
  if (field.needed())
    return invalid_argument(module.name, fmt::format("no column \"{}\", which is needed", field.label()));
  if (!field.is_number()) {
    TextBuilder nothing{std::string(field.label())};
    for (std::int64_t r = 0; r < table.rows; ++r) nothing.add_valid("");
    Column c = std::move(nothing).finish();
    c.field = &field;
    return c;
  }
  Column c = constant_column(field, field.unset(), table.rows);
  if (!field.takes_null()) {  // no value says "not recorded": another version may do without it
    c.validity = validity_none(c.length);
    c.null_count = c.length;
  }
  return c;
}

}  // namespace table_records

namespace {

using namespace table_records;

std::vector<std::int64_t> offsets_of(const Column& list) {
  auto offsets = list.offsets.as<std::int32_t>();
  return {offsets.begin(), offsets.end()};
}

/// A list column of a table; null lists are empty.
Result<Column> find_list(const Table& table, std::string_view name, const Module& module) {
  const Column* list = table.find(name);
  if (!list) return invalid_argument(module.name, fmt::format("no column \"{}\", which is needed", name));
  if (list->null_count == list->length && list->type != ColumnType::list)  // nothing but nulls, of whatever type
    return list_column(std::string(name), std::vector<std::int32_t>(static_cast<std::size_t>(list->length) + 1),
                       Column{});
  if (list->type != ColumnType::list)
    return invalid_argument(module.name, fmt::format("column {} holds no lists", name));
  if (list->null_count == 0) return *list;
  const Piece all[] = {{list, 0, list->length}};
  return join(all);
}

/// Lists of nothing, for that many rows.
Elements no_elements(const Repeat& repeat, const Repeat* owned, std::int64_t rows) {
  Elements e;
  e.repeat = &repeat;
  e.offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const auto& f : repeat.fields) {
    Column none = f.is_number() ? constant_column(f, 0, 0) : TextBuilder(std::string(f.label())).finish();
    none.field = &f;
    e.columns.push_back(std::move(none));
  }
  if (owned)
    e.columns.push_back(
        list_column(std::string(owned->fields[0].label()), {0}, constant_column(owned->fields[0], 0, 0)));
  return e;
}

/// A list of structures: its fields, and the lists that its elements own (Lustre's targets).
Result<Elements> structure_elements(const Table& table, const Repeat& repeat, const Repeat* owned,
                                    const Module& module) {
  auto list = find_list(table, repeat.name, module);
  if (!list) return list.error();
  const Column& item = list->children[0];
  if (item.length == 0) return no_elements(repeat, owned, list->length);
  if (item.type != ColumnType::structure)
    return invalid_argument(module.name, fmt::format("column {} holds no lists of structures", repeat.name));
  Table inner;
  inner.name = repeat.name;
  inner.rows = item.length;
  inner.columns = item.children;
  Elements e;
  e.repeat = &repeat;
  e.offsets = offsets_of(*list);
  auto lists = list->offsets.as<std::int32_t>();
  for (const auto& f : repeat.fields) {
    auto column = field_column(inner, f, module, lists);
    if (!column) return column.error();
    e.columns.push_back(std::move(*column));
  }
  if (!owned) return e;
  const Field& field = owned->fields[0];
  auto targets = find_list(inner, field.label(), module);
  if (!targets) return targets.error();
  std::vector<std::int32_t> rows;  // of the table, as offsets of all targets
  for (auto component : lists) rows.push_back(targets->offsets.as<std::int32_t>()[static_cast<std::size_t>(component)]);
  auto values = cast(targets->children[0], field, module.name, rows);
  if (!values) return values.error();
  Column column = *targets;
  column.children = {std::move(*values)};
  e.columns.push_back(std::move(column));
  return e;
}

Result<Elements> plain_elements(const Table& table, const Repeat& repeat, const Module& module) {
  const Field& field = repeat.fields[0];
  auto list = find_list(table, field.label(), module);
  if (!list) return list.error();
  auto values = cast(list->children[0], field, module.name, list->offsets.as<std::int32_t>());
  if (!values) return values.error();
  Elements e;
  e.repeat = &repeat;
  e.offsets = offsets_of(*list);
  e.columns.push_back(std::move(*values));
  return e;
}

/// The list whose elements that field alone counts, or null.
const Elements* counted_by(const Field& field, const std::vector<Elements>& elements) {
  for (const auto& e : elements)
    if (e.repeat->counts[0] == field.name) return &e;
  return nullptr;
}

/// A field that counts elements: where the table does not tell, the lengths of the lists do.
Result<Column> count_column(const Table& table, const Field& field, const Elements& elements, const Module& module) {
  const Column* there = table.find(field.label());
  auto told = there ? cast(*there, field, module.name) : constant_column(field, 0, table.rows);
  if (!told || (there && told->null_count == 0)) return told;
  Column lengths = constant_column(field, 0, table.rows);
  NewBuffer out(static_cast<std::size_t>(table.rows) * sizeof(std::int64_t));
  for (std::int64_t r = 0; r < table.rows; ++r) {
    auto row = static_cast<std::size_t>(r);
    bool is_told = there && told->valid(r);
    out.as<std::int64_t>()[r] =
        is_told ? told->values<std::int64_t>()[row] : elements.offsets[row + 1] - elements.offsets[row];
  }
  lengths.data = out.buffer();
  return lengths;
}

Records new_records(const Module& module, std::int64_t rows) {
  Records records;
  records.module = &module;
  records.version = module.current();
  records.rows = rows;
  return records;
}

/// An error if a table has nothing of this module: it is one of another.
std::optional<Error> check_columns(const Table& table, const Module& module) {
  static constexpr std::string_view common[] = {"id", "rank", "name", "mount", "fs_type"};
  for (const auto& name : column_names(module))
    if (table.find(name) && std::ranges::find(common, name) == std::end(common)) return {};
  return invalid_argument(module.name, "the table has no column of this module");
}

/// Id and rank, with which every record starts.
std::optional<Error> add_base(Records& records, const Table& table, const Module& module) {
  auto ids = id_column(table, module);
  if (!ids) return ids.error();
  auto ranks = rank_column(table, module);
  if (!ranks) return ranks.error();
  records.columns = {std::move(*ids), std::move(*ranks)};
  return {};
}

}  // namespace

Result<Records> records_of(const Table& table, const Module& module) {
  if (auto e = check_columns(table, module)) return *e;
  if (module.shape == Shape::segments) return segment_records(table, module);
  Records records = new_records(module, table.rows);
  if (auto e = add_base(records, table, module)) return *e;
  const Repeat* owned = nullptr;  // a plain list behind one of structures belongs to these
  bool has_structures = false;
  for (const auto& repeat : module.repeats)
    if (repeat.in(module.current())) {
      has_structures |= repeat.fields.size() > 1;
      if (has_structures && repeat.fields.size() == 1) owned = &repeat;
    }
  for (const auto& repeat : module.repeats) {
    if (!repeat.in(module.current()) || &repeat == owned) continue;
    auto elements = repeat.fields.size() == 1 ? plain_elements(table, repeat, module)
                                              : structure_elements(table, repeat, owned, module);
    if (!elements) return elements.error();
    records.elements.push_back(std::move(*elements));
  }
  if (auto why = contradiction(records); !why.empty()) return invalid_argument(module.name, why);
  for (const auto& f : module.fields) {
    if (!f.in(module.current()) || f.hidden) continue;
    const Elements* counted = counted_by(f, records.elements);
    auto column = counted ? count_column(table, f, *counted, module) : field_column(table, f, module);
    if (!column) return column.error();
    records.columns.push_back(std::move(*column));
  }
  return records;
}

Result<Records> header_of(const Table& table, const Module& module) {
  if (module.header.empty()) return invalid_argument(module.name, "this module has no header record");
  if (table.rows > 1)
    return invalid_argument(module.name, fmt::format("{} rows of the header record, there is one", table.rows));
  Records records = new_records(module, table.rows);
  if (auto e = add_base(records, table, module)) return *e;
  records.columns.push_back(constant_column(module.header[0], module.header_magic, table.rows));
  for (const auto& f : module.header.subspan(1)) {
    if (f.type == Type::pad) continue;
    auto column = field_column(table, f, module);
    if (!column) return column.error();
    if (auto e = without_nulls(*column, module)) return *e;
    records.columns.push_back(std::move(*column));
  }
  return records;
}

}  // namespace darrow

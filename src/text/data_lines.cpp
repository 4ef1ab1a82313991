#include "text/data_lines.hpp"

#include <algorithm>
#include <stdexcept>

#include "darrow/log.hpp"
#include "text/escape.hpp"

namespace darrow::util_text {
namespace {

using Kind = LineValue::Kind;

/// Whether a field is a counter, as their names tell: other fields are in lower case.
bool is_counter(const Field& field, const Module& module) {
  return field.in(module.current()) && !field.hidden && field.is_number() && field.name[0] >= 'A' &&
         field.name[0] <= 'Z';
}

const Column& column_of(const Table& table, std::string_view name) {
  if (const Column* column = table.find(name)) return *column;
  throw std::logic_error("a table without the columns of its lines");
}

std::string state_words(std::int64_t flags) {
  if (flags == -1) return "N/A";
  std::string words;
  for (int bit = 0; bit < 63 && !component_state(bit).empty(); ++bit)
    if (flags >> bit & 1) words.append(words.empty() ? "" : ",").append(component_state(bit));
  return words.empty() ? "0" : words;
}

LineValue words(std::string_view text) {
  LineValue value;
  value.kind = Kind::text;
  value.words = text;
  return value;
}

/// A number of a column of any type that counters have.
LineValue number(const Column& column, std::int64_t row) {
  auto r = static_cast<std::size_t>(row);
  LineValue value;
  switch (column.type) {
    case ColumnType::u64:
      value.kind = Kind::u64;
      value.integer = static_cast<std::int64_t>(column.values<std::uint64_t>()[r]);
      break;
    case ColumnType::f64:
      value.kind = Kind::f64;
      value.real = column.values<double>()[r];
      break;
    case ColumnType::i32: value.integer = column.values<std::int32_t>()[r]; break;
    case ColumnType::u32: value.integer = column.values<std::uint32_t>()[r]; break;
    default: value.integer = column.values<std::int64_t>()[r];
  }
  return value;
}

bool is_text(const Column& column) {
  return column.type == ColumnType::utf8 || column.type == ColumnType::binary || column.type == ColumnType::dictionary;
}

/// Whether values of that type lie in memory as put_integer() and put_fixed6() take them.
std::optional<Kind> plain_kind(const Column& column) {
  switch (column.type) {
    case ColumnType::i64: return Kind::i64;
    case ColumnType::u64: return Kind::u64;
    case ColumnType::f64: return Kind::f64;
    default: return {};
  }
}

}  // namespace

std::vector<const Field*> line_counters(const Module& module) {
  std::vector<const Field*> counters;
  for (bool floats : {false, true})
    for (const auto& field : module.fields)
      if (is_counter(field, module) && (field.type == Type::f64) == floats) counters.push_back(&field);
  return counters;
}

std::vector<std::string> line_columns(const Module& module) {
  auto names = column_names(module, TableOptions::Part::records);
  std::erase_if(names, [](const auto& n) { return n == "name" || n == "mount" || n == "fs_type" || n == "layer"; });
  return names;
}

void RecordLines::add(std::string_view name, const Column* column, Show show) {
  Scalar scalar{.name = std::string(name), .column = column, .show = show};
  if (auto kind = plain_kind(*column); kind && show == Show::plain) {
    scalar.kind = *kind;
    scalar.values = column->data.data;
  }
  scalars_.push_back(std::move(scalar));
}

void RecordLines::add(std::span<const ParserLine> lines, const Table& table, bool synced) {
  for (const auto& line : lines)
    if (synced || !line.if_synced) add(line.name, &column_of(table, line.column), line.show);
}

RecordLines::RecordLines(const Table& table, bool synced) {
  const Module& module = *table.module;
  const ParserText& text = parser_text(module);
  add(text.before, table, synced);
  for (const Field* field : line_counters(module))
    if (synced || text.synced.empty() || !field->name.ends_with(text.synced))
      add(field->name, &column_of(table, field->label()), Show::plain);
  add(text.behind, table, synced);
  for (const auto& list : text.lists)
    lists_.push_back(
        {list.name, &column_of(table, list.column), list.count.empty() ? nullptr : &column_of(table, list.count)});
  if (!text.components) return;

  components_ = text.components;
  component_list_ = &column_of(table, components_->column);
  const auto& parts = component_list_->children[0].children;
  auto part = [&](std::string_view name) -> const Column& {
    auto at = std::find_if(parts.begin(), parts.end(), [&](const Column& c) { return c.name == name; });
    if (at == parts.end()) throw std::logic_error("components without a part of their lines");
    return *at;
  };
  for (const auto& line : components_->parts)
    component_parts_.push_back({.name = std::string(line.name), .column = &part(line.column), .show = line.show});
  component_targets_ = &part(components_->list.column);
}

RecordLines RecordLines::of_header(const Table& table, bool synced) {
  RecordLines lines;
  lines.add(parser_text(*table.module).header, table, synced);
  return lines;
}

LineValue RecordLines::value_of(const Scalar& scalar, std::int64_t row, std::string& held) {
  const Column& column = *scalar.column;
  if (is_text(column)) {
    auto text = column.text(row);
    if (has_controls(text)) {  // names are escaped elsewhere; these texts have no raw form
      held = escape_controls(text);
      return words(held);
    }
    return words(scalar.show == Show::text && text.empty() ? "N/A" : text);
  }
  LineValue value = number(column, row);
  switch (scalar.show) {
    case Show::plain:
    case Show::text: return value;
    case Show::pattern: return words(stripe_pattern_word(value.integer));
    case Show::memory: return words(memory_mode_word(value.integer));
    case Show::cluster: return words(cluster_mode_word(value.integer));
    case Show::consistent: return LineValue{.integer = (value.integer >> 31 & 1) == 0 ? 1 : 0};
    case Show::flags: held = state_words(value.integer); return words(held);
  }
  return value;
}

void RecordLines::write(std::int64_t row, std::string_view start, std::string_view end, TextBuffer& out) const {
  // What stands between two lines of a record is the same each time, so that a line takes three copies.
  const std::string between = std::string(end).append(start);
  out.put(start);
  const auto line = [&](std::string_view name, const LineValue& value) {
    char* to = out.room(name.size() + 1 + value.most() + between.size());
    std::memcpy(to, name.data(), name.size());
    to += name.size();
    *to++ = '\t';
    to = value.put(to);
    std::memcpy(to, between.data(), between.size());
    out.wrote(to + between.size());
  };
  const auto r = static_cast<std::size_t>(row);
  for (const auto& s : scalars_) {
    if (!s.values) {
      std::string held;
      line(s.name, value_of(s, row, held));
      continue;
    }
    char* to = out.room(s.name.size() + 1 + longest_number + between.size());
    std::memcpy(to, s.name.data(), s.name.size());
    to += s.name.size();
    *to++ = '\t';
    switch (s.kind) {
      case Kind::f64: to = put_fixed6(to, static_cast<const double*>(s.values)[r]); break;
      case Kind::u64: to = put_integer(to, static_cast<const std::uint64_t*>(s.values)[r]); break;
      default: to = put_integer(to, static_cast<const std::int64_t*>(s.values)[r]);
    }
    std::memcpy(to, between.data(), between.size());
    out.wrote(to + between.size());
  }
  each_of_lists(row, line);
  out.take_back(start.size());
}

}  // namespace darrow::util_text

#include "log/shape.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/memory.hpp"
#include "modules/tables.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

using Part = TableOptions::Part;

bool is_column(const Field& f, const Module& module) { return f.in(module.current()) && !f.hidden; }

/// Whether the elements of this list are one column of plain values.
bool is_plain(const Repeat& repeat) { return repeat.fields.size() == 1; }

std::string_view list_name(const Repeat& repeat) { return is_plain(repeat) ? repeat.fields[0].label() : repeat.name; }

/// Lists of the current version that are columns: targets of Lustre files belong to their components.
bool is_list_column(const Repeat& repeat, const Module& module) {
  return repeat.in(module.current()) && !(&module == &tables::lustre && is_plain(repeat));
}

bool has_layer(const Module& module) { return &module == &tables::heatmap; }

Column list_column(Elements elements) {
  const Repeat& repeat = *elements.repeat;
  Column item;
  if (is_plain(repeat)) {
    item = std::move(elements.columns[0]);
  } else {
    item.type = ColumnType::structure;
    item.length = elements.offsets.back();
    item.children = std::move(elements.columns);
  }
  Column list;
  list.name = list_name(repeat);
  list.type = ColumnType::list;
  list.length = static_cast<std::int64_t>(elements.offsets.size()) - 1;
  list.field = is_plain(repeat) ? item.field : nullptr;
  item.name = "item";
  if (elements.offsets.back() > INT32_MAX) throw std::length_error("more than 2^31 list elements in one column");
  NewBuffer offsets(elements.offsets.size() * sizeof(std::int32_t));
  for (std::size_t i = 0; i < elements.offsets.size(); ++i)
    offsets.as<std::int32_t>()[i] = static_cast<std::int32_t>(elements.offsets[i]);
  list.offsets = offsets.buffer();
  list.children.push_back(std::move(item));
  return list;
}

Table new_table(const Records& records, std::int64_t rows) {
  Table t;
  t.name = records.module->name;
  t.module = records.module;
  t.version = records.version;
  t.rows = rows;
  return t;
}

/// Values of a column, each repeated counts[row] times.
template <typename T>
Column repeat_values(const Column& column, std::span<const std::int64_t> counts, std::int64_t rows) {
  NewBuffer out(static_cast<std::size_t>(rows) * sizeof(T));
  auto* at = out.as<T>();
  auto values = column.values<T>();
  for (std::size_t r = 0; r < counts.size(); ++r) at = std::fill_n(at, counts[r], values[r]);
  Column c = column;
  c.length = rows;
  c.data = out.buffer();
  return c;
}

Column repeat_text(const Column& column, std::span<const std::int64_t> counts, std::int64_t rows) {
  DictionaryBuilder dictionary;
  NewBuffer out(static_cast<std::size_t>(rows) * sizeof(std::int32_t));
  auto* at = out.as<std::int32_t>();
  for (std::size_t r = 0; r < counts.size(); ++r)
    if (counts[r]) at = std::fill_n(at, counts[r], dictionary.number(column.text(static_cast<std::int64_t>(r))));
  Column c = dictionary_column(column.name, std::move(dictionary).finish(), rows, out.buffer());
  c.field = column.field;
  return c;
}

/// For each segment: what it is, and its number among those of its record that are the same.
struct Numbering {
  Column op, segment;
};
Numbering number_segments(const Elements& segments, std::span<const std::int64_t> writes) {
  DictionaryBuilder ops;
  const std::int32_t write = ops.number("write"), read = ops.number("read");
  const std::int64_t rows = segments.offsets.back();
  NewBuffer op(static_cast<std::size_t>(rows) * sizeof(std::int32_t)),
      segment(static_cast<std::size_t>(rows) * sizeof(std::int64_t));
  auto* op_at = op.as<std::int32_t>();
  auto* segment_at = segment.as<std::int64_t>();
  auto number = [&](std::int64_t first, std::int64_t end, std::int32_t which) {
    if (first >= end) return;
    op_at = std::fill_n(op_at, end - first, which);
    for (std::int64_t i = first; i < end; ++i) *segment_at++ = i;
  };
  for (const auto& run : segments.runs) {  // the writes of a record come before its reads
    const std::int64_t written = writes[static_cast<std::size_t>(run.row)], end = run.first + run.count;
    number(run.first, std::min(end, written), write);
    number(std::max<std::int64_t>(run.first - written, 0), end - written, read);
  }
  Numbering n;
  n.op = dictionary_column("op", std::move(ops).finish(), rows, op.buffer());
  n.segment.name = "segment";
  n.segment.length = rows;
  n.segment.data = segment.buffer();
  return n;
}

}  // namespace

std::vector<std::string> column_names(const Module& module, Part part) {
  std::vector<std::string> names{"id", "rank"};
  if (part == Part::header) {
    for (const auto& f : module.header)
      if (is_column(f, module)) names.emplace_back(f.label());
    return names;
  }
  if (part == Part::rows && module.shape == Shape::segments) {
    names.insert(names.end(), {"host", "op", "segment"});
    for (const auto& f : module.repeats[0].fields) names.emplace_back(f.label());
    names.insert(names.end(), {"name", "mount", "fs_type"});
    return names;
  }
  names.insert(names.end(), {"name", "mount", "fs_type"});
  if (has_layer(module)) names.emplace_back("layer");
  for (const auto& f : module.fields)
    if (is_column(f, module)) names.emplace_back(f.label());
  if (module.shape == Shape::records)
    for (const auto& r : module.repeats)
      if (is_list_column(r, module)) names.emplace_back(list_name(r));
  return names;
}

Table record_table(Records records, NameColumns* names, const Selection& selection) {
  Table t = new_table(records, records.rows);
  auto add = [&](Column c) {
    if (selection.has(c.name)) t.columns.push_back(std::move(c));
  };
  add(std::move(records.columns[0]));
  add(std::move(records.columns[1]));
  if (names) {
    if (selection.has("name")) add(names->name());
    if (!selection.all() && selection.has("name_bytes")) add(names->name_bytes());
    if (selection.has("mount")) add(names->mount());
    if (selection.has("fs_type")) add(names->fs_type());
    if (has_layer(*records.module) && selection.has("layer")) add(names->layer());
  }
  for (std::size_t i = 2; i < records.columns.size(); ++i)
    if (is_column(*records.columns[i].field, *records.module)) add(std::move(records.columns[i]));
  for (auto& e : records.elements) add(list_column(std::move(e)));
  return t;
}

Table segment_table(Records records, NameColumns* names, const Selection& selection) {
  const Repeat& repeat = records.module->repeats[0];
  auto writes = records.find(repeat.counts[0])->values<std::int64_t>();
  Elements& elements = records.elements[0];
  std::int64_t rows = elements.offsets.back();
  std::vector<std::int64_t> counts;
  for (std::size_t r = 0; r + 1 < elements.offsets.size(); ++r)
    counts.push_back(elements.offsets[r + 1] - elements.offsets[r]);

  Table t = new_table(records, rows);
  if (selection.has("id")) t.columns.push_back(repeat_values<std::uint64_t>(records.columns[0], counts, rows));
  if (selection.has("rank")) t.columns.push_back(repeat_values<std::int64_t>(records.columns[1], counts, rows));
  if (selection.has("host")) t.columns.push_back(repeat_text(*records.find("hostname"), counts, rows));
  if (selection.has("op") || selection.has("segment")) {
    Numbering numbering = number_segments(elements, writes);
    if (selection.has("op")) t.columns.push_back(std::move(numbering.op));
    if (selection.has("segment")) t.columns.push_back(std::move(numbering.segment));
  }
  for (auto& c : elements.columns) t.columns.push_back(std::move(c));
  if (names)
    for (auto& c : names->repeated(counts, selection)) t.columns.push_back(std::move(c));
  return t;
}

}  // namespace darrow

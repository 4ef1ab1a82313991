#include "diff/row_lines.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>

namespace darrow::diffing {
namespace {

using util_text::LineValue;

void assign(const LineValue& from, DiffValue& to) {
  switch (from.kind) {
    case LineValue::Kind::i64: to = from.integer; break;
    case LineValue::Kind::u64: to = static_cast<std::uint64_t>(from.integer); break;
    case LineValue::Kind::f64: to = from.real; break;
    case LineValue::Kind::text: to = std::string(from.words); break;
  }
}

}  // namespace

void RowLines::take(const util_text::RecordLines& lines, std::int64_t row) {
  used_ = 0;
  lines.each(row, [&](std::string_view name, const LineValue& value) { assign(value, next(name)); });
}

DiffValue& RowLines::next(std::string_view name) {
  if (used_ == lines_.size()) lines_.emplace_back();
  lines_[used_].name.assign(name);
  return lines_[used_++].value;
}

void RowLines::add(const Column& column, std::int64_t row) {
  DiffValue& value = next(column.name);
  const auto r = static_cast<std::size_t>(row);
  switch (column.type) {
    case ColumnType::u64: value = column.values<std::uint64_t>()[r]; break;
    case ColumnType::i64: value = column.values<std::int64_t>()[r]; break;
    case ColumnType::f64: value = column.values<double>()[r]; break;
    case ColumnType::u32: value = std::int64_t{column.values<std::uint32_t>()[r]}; break;
    case ColumnType::i32: value = std::int64_t{column.values<std::int32_t>()[r]}; break;
    default: value = std::string(column.text(row));
  }
}

std::vector<const Column*> columns_without_lines(const Table& table, bool is_header) {
  const Module& module = *table.module;
  const ParserText& text = parser_text(module);
  std::set<std::string_view> told = {id_field.name, rank_field.name};
  auto tell = [&](std::span<const ParserLine> lines) {
    for (const auto& line : lines) told.insert(line.column);
  };
  if (is_header) {
    tell(text.header);
  } else {
    for (const Field* field : util_text::line_counters(module)) told.insert(field->label());
    for (auto lines : {text.before, text.behind, text.lists}) tell(lines);
  }
  if (text.components) told.insert(text.components->column);
  std::vector<const Column*> columns;
  for (const auto& column : table.columns)
    if (!told.contains(column.name)) columns.push_back(&column);
  return columns;
}

void each_pair(const RowLines& a, const RowLines& b,
               const std::function<void(const HeldLine*, const HeldLine*)>& each) {
  const std::size_t both = std::min(a.size(), b.size());
  std::size_t same = 0;
  while (same < both && a[same].name == b[same].name) ++same;
  for (std::size_t i = 0; i < same; ++i) each(&a[i], &b[i]);
  if (same == a.size() && same == b.size()) return;

  std::map<std::string_view, const HeldLine*> rest;
  for (std::size_t i = same; i < b.size(); ++i) rest.emplace(b[i].name, &b[i]);
  for (std::size_t i = same; i < a.size(); ++i) {
    auto found = rest.find(a[i].name);
    each(&a[i], found == rest.end() ? nullptr : found->second);
    if (found != rest.end()) rest.erase(found);
  }
  for (std::size_t i = same; i < b.size(); ++i)
    if (rest.contains(b[i].name)) each(nullptr, &b[i]);
}

}  // namespace darrow::diffing

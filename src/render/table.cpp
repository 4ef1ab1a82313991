#include "render/table.hpp"

#include <string>

namespace darrow::render {
namespace {

bool flag(const Column& column, std::int64_t row) {
  return (std::to_integer<unsigned>(column.data.data[row >> 3]) >> (row & 7)) & 1u;
}

template <typename T>
T at(const Column& column, std::int64_t row) {
  return column.values<T>()[static_cast<std::size_t>(row)];
}

std::string hexadecimal(std::string_view bytes) {
  std::string out;
  for (unsigned char byte : bytes) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

// Calls `value` with a row of a column that holds plain values and is valid there.
template <typename F>
void plain(const Column& column, std::int64_t row, F value) {
  switch (column.type) {
    case ColumnType::boolean: return value(flag(column, row));
    case ColumnType::i32: return value(at<std::int32_t>(column, row));
    case ColumnType::u32: return value(at<std::uint32_t>(column, row));
    case ColumnType::i64: return value(at<std::int64_t>(column, row));
    case ColumnType::u64: return value(at<std::uint64_t>(column, row));
    case ColumnType::f64: return value(at<double>(column, row));
    case ColumnType::utf8:
    case ColumnType::dictionary: return value(column.text(row));
    case ColumnType::binary: return value(std::string_view(hexadecimal(column.text(row))));
    case ColumnType::list:
    case ColumnType::structure: return;
  }
}

void inline_json(const Column& column, std::int64_t row, JsonWriter& json) {
  if (column.type == ColumnType::list) {
    auto offsets = column.offsets.as<std::int32_t>();
    auto i = static_cast<std::size_t>(row);
    json.begin_array(JsonWriter::Layout::inline_);
    for (std::int64_t child = offsets[i]; child < offsets[i + 1]; ++child) cell_json(column.children[0], child, json);
    json.end_array();
  } else {
    json.begin_object(JsonWriter::Layout::inline_);
    for (auto& child : column.children) {
      json.key(child.name);
      cell_json(child, row, json);
    }
    json.end_object();
  }
}

bool nested(const Column& column) { return column.type == ColumnType::list || column.type == ColumnType::structure; }

}  // namespace

void cell_json(const Column& column, std::int64_t row, JsonWriter& json) {
  if (!column.valid(row)) json.null();
  else if (nested(column)) inline_json(column, row, json);
  else plain(column, row, [&](auto v) { json.value(v); });
}

void cell_csv(const Column& column, std::int64_t row, CsvWriter& csv) {
  if (!column.valid(row)) return csv.null();
  if (!nested(column)) return plain(column, row, [&](auto v) { csv.cell(v); });
  Sink text;
  JsonWriter json(text);
  cell_json(column, row, json);
  csv.cell(text.text());
}

void table_json(const Table& table, JsonWriter& json) {
  json.begin_array();
  for (std::int64_t row = 0; row < table.rows; ++row) {
    json.begin_object(JsonWriter::Layout::inline_);
    for (auto& column : table.columns) {
      json.key(column.name);
      cell_json(column, row, json);
    }
    json.end_object();
  }
  json.end_array();
}

void table_csv(const Table& table, CsvWriter& csv) {
  for (auto& column : table.columns) csv.cell(column.name);
  csv.end_row();
  for (std::int64_t row = 0; row < table.rows; ++row) {
    for (auto& column : table.columns) cell_csv(column, row, csv);
    csv.end_row();
  }
}

std::optional<std::int64_t> whole(const Table& table, std::string_view name, std::int64_t row) {
  const Column* column = table.find(name);
  if (!column || !column->valid(row)) return {};
  std::optional<std::int64_t> number;
  plain(*column, row, [&](auto v) {
    if constexpr (std::is_integral_v<decltype(v)>) number = static_cast<std::int64_t>(v);
  });
  return number;
}

std::optional<double> real(const Table& table, std::string_view name, std::int64_t row) {
  const Column* column = table.find(name);
  if (!column || !column->valid(row) || column->type != ColumnType::f64) return {};
  return at<double>(*column, row);
}

}  // namespace darrow::render

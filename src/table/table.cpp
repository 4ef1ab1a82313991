#include "darrow/table.hpp"

#include <set>

namespace darrow {
namespace {

void add_buffers(const Column& column, std::set<std::pair<const std::byte*, std::size_t>>& seen, std::size_t& bytes) {
  for (const Buffer* b : {&column.validity, &column.offsets, &column.data})
    if (!b->empty() && seen.emplace(b->data, b->size).second) bytes += b->size;
  for (const auto& child : column.children) add_buffers(child, seen, bytes);
  if (column.dictionary) add_buffers(*column.dictionary, seen, bytes);
}

}  // namespace

std::string_view Column::text(std::int64_t row) const {
  if (!valid(row)) return {};
  auto i = static_cast<std::size_t>(row);
  if (type == ColumnType::dictionary) return dictionary->text(data.as<std::int32_t>()[i]);
  auto begin = static_cast<std::size_t>(offsets.as<std::int32_t>()[i]);
  auto end = static_cast<std::size_t>(offsets.as<std::int32_t>()[i + 1]);
  return {reinterpret_cast<const char*>(data.data) + begin, end - begin};
}

Column without_rows(const Column& column) {
  Column out;
  out.name = column.name;
  out.type = column.type;
  out.field = column.field;
  out.stored_nulls = column.stored_nulls;
  for (const auto& child : column.children) out.children.push_back(without_rows(child));
  if (column.dictionary) out.dictionary = std::make_shared<const Column>(without_rows(*column.dictionary));
  return out;
}

const Column* Table::find(std::string_view column) const {
  for (const auto& c : columns)
    if (c.name == column) return &c;
  return nullptr;
}

std::size_t Table::bytes() const {
  std::set<std::pair<const std::byte*, std::size_t>> seen;
  std::size_t bytes = 0;
  for (const auto& c : columns) add_buffers(c, seen, bytes);
  return bytes;
}

}  // namespace darrow

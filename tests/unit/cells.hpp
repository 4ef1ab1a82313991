/// Cells of tables as text, to compare tables.
#pragma once

#include <fmt/format.h>

#include <string>

#include "darrow/table.hpp"

namespace darrow::test {

/// A value as text; a null shows what is stored behind it.
inline std::string cell(const Column& c, std::int64_t row) {
  auto i = static_cast<std::size_t>(row);
  std::string text = c.valid(row) ? "" : "null ";
  switch (c.type) {
    case ColumnType::boolean:
      text += std::to_integer<int>(c.data.data[i / 8] >> (i % 8) & std::byte{1}) ? "1" : "0";
      break;
    case ColumnType::i32:
    case ColumnType::u32: text += fmt::format("{}", c.values<std::int32_t>()[i]); break;
    case ColumnType::i64:
    case ColumnType::u64:
    case ColumnType::f64: text += fmt::format("{:x}", c.values<std::uint64_t>()[i]); break;
    case ColumnType::utf8:
    case ColumnType::binary:
    case ColumnType::dictionary: text += c.text(row); break;
    case ColumnType::list: {
      auto offsets = c.offsets.as<std::int32_t>();
      for (auto e = offsets[i]; e < offsets[i + 1]; ++e) text += fmt::format("[{}]", cell(c.children[0], e));
      break;
    }
    case ColumnType::structure:
      for (const auto& child : c.children) text += fmt::format("({})", cell(child, row));
  }
  return text;
}

}  // namespace darrow::test

#include "group/key_parts.hpp"

#include <fmt/format.h>

#include "base/invalid_argument.hpp"
#include "table/build.hpp"

namespace darrow {

Result<const Column*> column_of(const Table& rows, std::string_view name) {
  const Column* column = rows.find(name);
  if (!column) return invalid_argument(rows.name, fmt::format("the table lacks column {}, by which to group", name));
  return column;
}

Result<const Column*> text_column(const Table& rows, std::string_view name) {
  auto column = column_of(rows, name);
  if (column && (*column)->null_count < (*column)->length && (*column)->type != ColumnType::utf8 &&
      (*column)->type != ColumnType::dictionary)
    return invalid_argument(rows.name, fmt::format("column {} holds no text", name));
  return column;
}

std::uint32_t Texts::number(std::optional<std::string_view> text) {
  if (!text) {
    if (none_ == unknown_number) none_ = add({});
    return none_;
  }
  auto known = numbers_.find(std::string(*text));
  if (known != numbers_.end()) return known->second;
  auto number = add(std::string(*text));
  numbers_.emplace(*text, number);
  return number;
}

Column Texts::column(std::string name, std::span<const std::uint32_t> numbers) const {
  TextBuilder texts(std::move(name));
  for (auto n : numbers) texts_[n] ? texts.add_valid(*texts_[n]) : texts.add_null();
  return std::move(texts).finish();
}

std::uint32_t Texts::add(std::optional<std::string> text) {
  texts_.push_back(std::move(text));
  return static_cast<std::uint32_t>(texts_.size() - 1);
}

}  // namespace darrow

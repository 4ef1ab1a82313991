#include "aggregate/key_table.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <optional>

#include "table/build.hpp"

namespace darrow {
namespace {

bool is_text(ColumnType type) { return type == ColumnType::utf8 || type == ColumnType::dictionary; }

std::size_t mixed(std::size_t hash, std::size_t more) { return (hash ^ more) * 0x9e3779b97f4a7c15u; }

std::uint64_t word_of(const Column& column, std::int64_t row) {
  return column.values<std::uint64_t>()[static_cast<std::size_t>(row)];
}

std::size_t hash_of(const Column& column, std::int64_t row) {
  if (!column.valid(row)) return 1;
  return is_text(column.type) ? std::hash<std::string_view>()(column.text(row)) : word_of(column, row);
}

template <typename T>
int order(T a, T b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

template <typename T>
Column numbers_column(std::string name, std::span<const std::uint32_t> rows, const std::vector<std::uint8_t>& known,
                      const std::vector<std::uint64_t>& words) {
  std::vector<std::optional<T>> values;
  for (auto row : rows) values.push_back(known[row] ? std::optional(std::bit_cast<T>(words[row])) : std::nullopt);
  return value_column<T>(std::move(name), values);
}

}  // namespace

void KeyTable::Values::add(const Column& column, std::int64_t row) {
  known.push_back(column.valid(row));
  if (!is_text(type)) {
    words.push_back(known.back() ? word_of(column, row) : 0);
    return;
  }
  if (known.back()) texts += column.text(row);
  words.push_back(texts.size());
}

std::size_t KeyTable::Values::hash(std::size_t row) const {
  if (!known[row]) return 1;
  return is_text(type) ? std::hash<std::string_view>()(text(row)) : words[row];
}

bool KeyTable::Values::equal(std::size_t row, const Column& column, std::int64_t other) const {
  if (!known[row] || !column.valid(other)) return known[row] == column.valid(other);
  return is_text(type) ? text(row) == column.text(other) : words[row] == word_of(column, other);
}

std::size_t KeyTable::hash(std::size_t row) const {
  std::size_t hash = 0;
  for (const auto& values : values_) hash = mixed(hash, values.hash(row));
  return hash;
}

/// Makes room for as many rows again.
void KeyTable::index_all() {
  slots_.assign(std::bit_ceil(4 * rows_ + 64), 0);
  for (std::size_t row = 0; row < rows_; ++row) {
    std::size_t at = hash(row);
    while (slots_[at &= slots_.size() - 1]) ++at;
    slots_[at] = static_cast<std::uint32_t>(row + 1);
  }
}

std::vector<std::uint32_t> KeyTable::number(const Table& keys) {
  if (values_.empty())
    for (const auto& column : keys.columns) {
      auto& values = values_.emplace_back();
      values.name = column.name;
      values.type = column.type;
      values.field = column.field;
    }
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(keys.rows));
  if (rows_ == 0) {  // all are new, and nobody may ever look for them
    for (std::size_t k = 0; k < values_.size(); ++k)
      for (std::int64_t r = 0; r < keys.rows; ++r) values_[k].add(keys.columns[k], r);
    rows_ = numbers.size();
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
  }
  for (std::int64_t r = 0; r < keys.rows; ++r) {
    if (2 * rows_ >= slots_.size()) index_all();
    std::size_t at = 0;
    for (const auto& column : keys.columns) at = mixed(at, hash_of(column, r));
    auto is_row = [&](std::size_t row) {
      for (std::size_t k = 0; k < values_.size(); ++k)
        if (!values_[k].equal(row, keys.columns[k], r)) return false;
      return true;
    };
    while (slots_[at &= slots_.size() - 1] && !is_row(slots_[at] - 1)) ++at;
    if (!slots_[at]) {
      for (std::size_t k = 0; k < values_.size(); ++k) values_[k].add(keys.columns[k], r);
      slots_[at] = static_cast<std::uint32_t>(++rows_);
    }
    numbers[static_cast<std::size_t>(r)] = slots_[at] - 1;
  }
  return numbers;
}

Table KeyTable::rows() const {
  std::vector<std::uint32_t> all(rows_);
  std::iota(all.begin(), all.end(), 0u);
  return rows(all);
}

Table KeyTable::rows(std::span<const std::uint32_t> numbers) const {
  Table table;
  table.name = "keys";
  table.rows = static_cast<std::int64_t>(numbers.size());
  for (const auto& v : values_) {
    if (v.type == ColumnType::f64) {
      table.columns.push_back(numbers_column<double>(v.name, numbers, v.known, v.words));
    } else if (v.type == ColumnType::u64) {
      table.columns.push_back(numbers_column<std::uint64_t>(v.name, numbers, v.known, v.words));
    } else if (!is_text(v.type)) {
      table.columns.push_back(numbers_column<std::int64_t>(v.name, numbers, v.known, v.words));
    } else {
      TextBuilder texts(v.name);
      for (auto row : numbers) v.known[row] ? texts.add_valid(v.text(row)) : texts.add_null();
      table.columns.push_back(std::move(texts).finish());
    }
    table.columns.back().field = v.field;
  }
  return table;
}

std::size_t KeyTable::column(std::string_view name) const {
  auto found = std::ranges::find(values_, name, &Values::name);
  return static_cast<std::size_t>(found - values_.begin());
}

int KeyTable::compare(std::uint32_t a, std::uint32_t b, std::size_t column) const {
  const auto& v = values_[column];
  if (!v.known[a] || !v.known[b]) return order(v.known[a], v.known[b]);
  if (is_text(v.type)) return v.text(a).compare(v.text(b));
  if (v.type == ColumnType::f64) return order(std::bit_cast<double>(v.words[a]), std::bit_cast<double>(v.words[b]));
  if (v.type == ColumnType::u64) return order(v.words[a], v.words[b]);
  return order(static_cast<std::int64_t>(v.words[a]), static_cast<std::int64_t>(v.words[b]));
}

int KeyTable::compare(std::uint32_t a, std::uint32_t b) const {
  for (std::size_t k = 0; k < values_.size(); ++k)
    if (int different = compare(a, b, k)) return different;
  return 0;
}

}  // namespace darrow

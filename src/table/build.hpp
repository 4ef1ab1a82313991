/// Columns from values: for small tables, texts and validity. Record data does not go through here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/memory.hpp"
#include "darrow/table.hpp"

namespace darrow {

/// The type of the column that holds a field: utf8 for what is no number.
ColumnType column_type(Type type);

/// Builds a utf8 column row by row. Text that is not UTF-8 is escaped as \xNN.
class TextBuilder {
 public:
  explicit TextBuilder(std::string name) : name_(std::move(name)) {}
  /// Throws std::length_error when all text together would pass 2 GiB.
  void add(std::string_view text);
  /// For text known to be UTF-8.
  void add_valid(std::string_view text);
  void add_null();
  std::int64_t size() const { return static_cast<std::int64_t>(offsets_.size()) - 1; }
  Column finish(ColumnType type = ColumnType::utf8) &&;

 private:
  std::string name_, text_;
  std::vector<std::int32_t> offsets_{0};
  std::vector<std::int64_t> nulls_;
};

/// Gives each distinct text a number: the values of a dictionary column.
class DictionaryBuilder {
 public:
  /// The number of the text, new or known.
  std::int32_t number(std::string_view text);
  std::shared_ptr<const Column> finish() &&;

 private:
  TextBuilder texts_{"dictionary"};
  std::unordered_map<std::string, std::int32_t> numbers_;
};

/// A dictionary column from indices (−1: null), one a row.
Column dictionary_column(std::string name, std::shared_ptr<const Column> values, std::int64_t length, Buffer indices);

/// A column of fixed-width values. T: std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, double, or bool (one bit a row).
template <typename T>
Column value_column(std::string name, const std::vector<std::optional<T>>& values);

/// A list column: row r has the items offsets[r] up to offsets[r + 1]. REQUIRES: `offsets` starts with 0 and ascends to the number of items.
Column list_column(std::string name, const std::vector<std::int32_t>& offsets, Column items);

/// Validity of `length` rows, all valid but the given rows. Empty if there are none.
Buffer validity_without(std::int64_t length, const std::vector<std::int64_t>& nulls);
/// Validity of `length` rows, all null.
Buffer validity_none(std::int64_t length);

}  // namespace darrow

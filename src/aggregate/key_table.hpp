/// Distinct rows of keys, numbered in the order of their first appearance.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/table.hpp"

namespace darrow {

/// Holds rows of any table of keys by their values: whole numbers, times, texts, or nothing.
class KeyTable {
 public:
  std::size_t size() const { return rows_; }
  /// The numbers of all rows of a table with always the same columns; those that are new are added.
  /// REQUIRES: the rows of one table are distinct.
  std::vector<std::uint32_t> number(const Table& keys);
  /// The rows with these numbers.
  Table rows(std::span<const std::uint32_t> numbers) const;
  /// All of them.
  Table rows() const;
  /// The order of two rows: by their columns, nothing first.
  int compare(std::uint32_t a, std::uint32_t b) const;
  /// The order of their values in one column.
  int compare(std::uint32_t a, std::uint32_t b, std::size_t column) const;
  /// The position of a column. REQUIRES: there is one of that name, and a row.
  std::size_t column(std::string_view name) const;
  /// Whether a value is there.
  bool has(std::uint32_t row, std::size_t column) const { return values_[column].known[row]; }

 private:
  struct Values {
    std::string name;
    ColumnType type = ColumnType::i64;
    const Field* field = nullptr;
    std::vector<std::uint8_t> known;
    std::vector<std::uint64_t> words;  ///< numbers by their bits, or where texts end
    std::string texts;

    std::string_view text(std::size_t row) const {
      auto begin = row ? words[row - 1] : 0;
      return std::string_view(texts).substr(begin, words[row] - begin);
    }
    void add(const Column& column, std::int64_t row);
    std::size_t hash(std::size_t row) const;
    bool equal(std::size_t row, const Column& column, std::int64_t other) const;
  };
  std::size_t hash(std::size_t row) const;
  void index_all();
  std::vector<Values> values_;
  std::size_t rows_ = 0;
  std::vector<std::uint32_t> slots_;  ///< number + 1, or 0; empty until a second table comes
};

}  // namespace darrow

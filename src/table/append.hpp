/// Rows of many tables put together into growing columns.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/growing_bytes.hpp"
#include "darrow/table.hpp"

namespace darrow {

/// One column that grows.
class ColumnAppender {
 public:
  /// For columns of this one's name, type and field; its rows are left aside.
  explicit ColumnAppender(const Column& like);

  /// Adds rows begin up to end of a column of the same type. REQUIRES: fits(column, begin, end).
  void append(const Column& column, std::int64_t begin, std::int64_t end);
  /// Adds rows of one text, or null. REQUIRES: a dictionary; `text` is UTF-8.
  void append_text(const std::string_view* text, std::int64_t rows);
  /// Adds rows of one number, or null. REQUIRES: type i64.
  void append_number(const std::int64_t* number, std::int64_t rows);
  /// Whether 32-bit offsets and dictionaries can take these rows too.
  bool fits(const Column& column, std::int64_t begin, std::int64_t end) const;

  std::int64_t length() const { return length_; }
  /// Bytes of all buffers so far.
  std::size_t bytes() const;
  /// All rows as a column; the appender is empty again.
  Column finish();

 private:
  /// Finds texts without making strings of them.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Numbers = std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>>;

  void append_validity(const Column& column, std::int64_t begin, std::int64_t end);
  void add_valid(std::int64_t rows);
  void add_null(std::int64_t rows);
  void append_offsets(const Column& column, std::int64_t begin, std::int64_t end);
  void append_bits(const Column& column, std::int64_t begin, std::int64_t end);
  void append_indices(const Column& column, std::int64_t begin, std::int64_t end);
  /// The number of a text in the dictionary, new or known.
  std::int32_t number_of(std::string_view text);

  Column like_;  ///< without rows
  std::size_t width_;
  std::int64_t length_ = 0, null_count_ = 0;
  bool stored_nulls_ = true;
  GrowingBytes validity_, offsets_, data_;
  std::vector<ColumnAppender> children_;
  std::unique_ptr<ColumnAppender> values_;  ///< of a dictionary
  Numbers numbers_;
  std::vector<std::int32_t> renumbered_;  ///< of the dictionary that is appended: its texts' numbers here
};

}  // namespace darrow

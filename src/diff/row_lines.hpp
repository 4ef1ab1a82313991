/// The lines of a row, held to be compared with those of another.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "darrow/diff.hpp"
#include "text/data_lines.hpp"

namespace darrow::diffing {

struct HeldLine {
  std::string name;
  DiffValue value;
};

/// Keeps its memory from row to row.
class RowLines {
 public:
  void take(const util_text::RecordLines& lines, std::int64_t row);
  /// Adds the value of a column of numbers or text, by the name of the column.
  void add(const Column& column, std::int64_t row);
  /// No lines: a record that is not there.
  void clear() { used_ = 0; }
  std::size_t size() const { return used_; }
  const HeldLine& operator[](std::size_t i) const { return lines_[i]; }

 private:
  DiffValue& next(std::string_view name);

  std::vector<HeldLine> lines_;
  std::size_t used_ = 0;
};

/// The columns of a table that no line tells of, such as parts of names. `is_header`: of the record that opens the region.
std::vector<const Column*> columns_without_lines(const Table& table, bool is_header);

/// Calls each(line of a, line of b) for each name, in the order of a, then those that only b has; null: there is none.
void each_pair(const RowLines& a, const RowLines& b, const std::function<void(const HeldLine*, const HeldLine*)>& each);

}  // namespace darrow::diffing

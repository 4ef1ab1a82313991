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
  /// No lines: a record that is not there.
  void clear() { used_ = 0; }
  std::size_t size() const { return used_; }
  const HeldLine& operator[](std::size_t i) const { return lines_[i]; }

 private:
  std::vector<HeldLine> lines_;
  std::size_t used_ = 0;
};

/// Calls each(line of a, line of b) for each name, in the order of a, then those that only b has; null: there is none.
void each_pair(const RowLines& a, const RowLines& b, const std::function<void(const HeldLine*, const HeldLine*)>& each);

}  // namespace darrow::diffing

/// What stands before the counter and behind the value in the lines of a record.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "darrow/table.hpp"
#include "modules/parser_text.hpp"
#include "text/head.hpp"

namespace darrow::util_text {

/// For the rows of one table after the other.
class RowPlaces {
 public:
  explicit RowPlaces(const Source& source) : source_(source) {}

  /// Begins a table with the columns `id`, `rank` and those of the module's ParserText. It has to stay until the next one.
  void begin(const Table& table);
  /// "POSIX TAB rank TAB id TAB". Valid until the next call.
  std::string_view start(std::int64_t row);
  /// "TAB name TAB mount TAB type" and the line end. Valid until the next call.
  std::string_view end(std::int64_t row);
  /// What stands for the name.
  std::string name(std::int64_t row) const;

 private:
  /// Pool and container, or UNKNOWN.
  std::string pool(std::int64_t row) const;

  const Source& source_;
  const Table* table_ = nullptr;
  const ParserText* text_ = nullptr;
  std::vector<std::int64_t> positions_;  ///< of the rows' names
  std::string start_, end_;
};

}  // namespace darrow::util_text

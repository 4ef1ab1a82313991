/// Builds a column of lists of texts.
#pragma once

#include "table/build.hpp"

namespace darrow {

/// Row by row: the texts of a row, then its end.
class TextLists {
 public:
  void add(std::string_view text) { items_.add(text); }
  void end_row() { offsets_.push_back(static_cast<std::int32_t>(items_.size())); }
  Column finish(std::string name) && { return list_column(std::move(name), offsets_, std::move(items_).finish()); }

 private:
  TextBuilder items_{"item"};
  std::vector<std::int32_t> offsets_{0};
};

}  // namespace darrow

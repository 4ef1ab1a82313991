/// Decoded records of one module: columns in the module's own fields, before names and mounts are added.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "darrow/table.hpp"

namespace darrow {

/// Elements of one record that follow one another.
struct ElementRun {
  std::int64_t row;    ///< of the record
  std::int64_t first;  ///< number of the first one among all elements of the record, from 0
  std::int64_t count;
};

/// The elements stored behind the records, e.g. all DXT segments: record r owns elements offsets[r] … offsets[r + 1].
struct Elements {
  const Repeat* repeat = nullptr;
  std::vector<std::int64_t> offsets{0};
  std::vector<ElementRun> runs;  ///< which elements of their records these are, in order; of decoded records only
  std::vector<Column> columns;

  Column* find(std::string_view field) {
    for (auto& c : columns)
      if (c.field->name == field) return &c;
    return nullptr;
  }
};

/// Rows are records. Columns hold each decoded field, those of old versions and hidden ones included.
struct Records {
  const Module* module = nullptr;
  int version = 0;
  std::int64_t rows = 0;
  bool continued =
      false;  ///< the first row is the record that was the last one of the batch before: more of its elements
  std::vector<Column> columns;
  std::vector<Elements> elements;

  /// Records that were in no batch before.
  std::int64_t new_rows() const { return rows - (continued ? 1 : 0); }
  /// The column of a field by its counter name, or null if it was not decoded.
  Column* find(std::string_view field) {
    for (auto& c : columns)
      if (c.field->name == field) return &c;
    return nullptr;
  }
  Elements* find_elements(std::string_view repeat) {
    for (auto& e : elements)
      if (e.repeat->name == repeat) return &e;
    return nullptr;
  }
};

}  // namespace darrow

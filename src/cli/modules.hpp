/// The counter dictionary in each format.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "darrow/module.hpp"
#include "render/csv.hpp"
#include "render/json.hpp"
#include "render/text_table.hpp"

namespace darrow::cli {

/// A field and the part of a module's data that it stands in: "record", "header", or the name of a Repeat.
struct Counter {
  std::string_view part;
  const Field* field;
  bool old = false;  ///< not stored by the current version
};
/// All fields of a module, in disk order.
std::vector<Counter> counters(const Module& module);
/// Whether it is a column of the module's tables.
bool is_column(const Counter& counter);
std::int64_t column_count(const Module& module);
/// Whether it is one of the counters that a family stands for.
bool in_family(const Module& module, const Field& field);

using ModuleList = std::span<const Module* const>;

/// A line a module.
void modules_text(ModuleList list, render::Sink& sink, const render::Look& look);
void modules_csv(ModuleList list, render::CsvWriter& csv);
/// A line a counter that is a column of the tables; families stand for their members unless `all`.
void counters_text(ModuleList list, bool all, render::Sink& sink, const render::Look& look);
/// A line a stored field, also those that are no columns.
void counters_csv(ModuleList list, render::CsvWriter& csv);
/// Everything of each module.
void modules_json(ModuleList list, render::JsonWriter& json);

}  // namespace darrow::cli

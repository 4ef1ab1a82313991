/// The dictionary of metrics in each format.
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "darrow/metrics.hpp"
#include "darrow/module.hpp"
#include "render/csv.hpp"
#include "render/json.hpp"
#include "render/text_table.hpp"

namespace darrow::cli {

/// The roles that some metric needs, in their order.
std::vector<Role> roles_of_metrics();
/// The counters of a module in a role; all values and counts of its common accesses for that role. Empty if it has none.
std::vector<std::string_view> counters_in(const Module& module, Role role);

/// Of all modules whose records combine, or of one, with the counters that it has for each role.
void metrics_dictionary_text(std::span<const Module* const> modules, render::Sink& sink, const render::Look& look);
/// A row for each metric and module that it applies to.
void metrics_csv(std::span<const Module* const> modules, render::CsvWriter& csv);
/// The metrics, and the counters of each role.
void metrics_json(std::span<const Module* const> modules, render::JsonWriter& json);

}  // namespace darrow::cli

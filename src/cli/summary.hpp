/// What `darrow summary` tells of a log, in each format.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/chosen_metrics.hpp"
#include "darrow/log.hpp"
#include "darrow/summary.hpp"
#include "render/csv.hpp"
#include "render/json.hpp"
#include "render/text_table.hpp"

namespace darrow::cli {

/// One log, summed up.
struct LogSummary {
  std::string file;
  std::shared_ptr<const Log> log;
  Summary sums = {};
  std::vector<Problem> problems = {};
  std::vector<Error> unmet = {};  ///< modules that were asked for and are not there
  bool bottom = false;            ///< summed up as the bottom layer
};

/// Everything, as sections for people; of the bottom layer what it did and its files. `details`: nothing is folded for
/// want of room.
void summary_text(const LogSummary& summary, bool details, render::Sink& sink, const render::Look& look);
/// The chosen metrics with all their digits.
void metrics_text(const LogSummary& summary, const ChosenMetrics& chosen, render::Sink& sink, const render::Look& look);

void summary_json(const LogSummary& summary, const ChosenMetrics& chosen, render::JsonWriter& json);

/// CSV of one table; a row a row, or one for a log that has none or could not be read.
void summary_csv_header(const std::vector<std::string_view>& columns, render::CsvWriter& csv);
void summary_csv(const LogSummary& summary, Part part, const std::vector<std::string_view>& columns,
                 render::CsvWriter& csv);
void summary_csv_failure(const std::string& file, const Error& error, std::size_t columns, render::CsvWriter& csv);

}  // namespace darrow::cli

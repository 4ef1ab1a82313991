// The summary as JSON and CSV.
#include <algorithm>

#include "cli/parts.hpp"
#include "cli/summary.hpp"
#include "render/number.hpp"
#include "render/table.hpp"

namespace darrow::cli {
namespace {

void rows_json(const Table& table, const std::vector<std::string_view>& columns, render::JsonWriter& json) {
  json.begin_array();
  for (std::int64_t row = 0; row < table.rows; ++row) {
    json.begin_object(render::JsonWriter::Layout::inline_);
    for (auto name : columns) {
      json.key(name);
      render::cell_json(*table.find(name), row, json);
    }
    json.end_object();
  }
  json.end_array();
}

/// The only row of an aggregate; null if there were no records. Unsigned numbers are ids: text, for readers whose numbers
/// are doubles.
void record_json(const Table& record, render::JsonWriter& json) {
  if (record.rows == 0) return json.null();
  json.begin_object(render::JsonWriter::Layout::inline_);
  for (auto& column : record.columns) {
    json.key(column.name);
    if (column.type == ColumnType::u64 && column.valid(0))
      json.value(render::NumberText(column.values<std::uint64_t>()[0]));
    else render::cell_json(column, 0, json);
  }
  json.end_object();
}

}  // namespace

void summary_json(const LogSummary& summary, const ChosenMetrics& chosen, render::JsonWriter& json) {
  json.begin_object();
  json.member("file", summary.file);
  json.key("job");
  json_job(summary.log->job(), json);
  for (auto part : chosen.tables()) {
    json.key(part == Part::layers ? "modules" : to_string(part));
    rows_json(part_of(summary.sums, part), chosen.columns(part), json);
  }
  if (chosen.everything()) {
    json.key("records");
    json.begin_object();
    for (auto& record : summary.sums.records) {
      json.key(record->name);
      record_json(*record, json);
    }
    json.end_object();
  }
  json.key("problems");
  json_problems(summary.problems, json);
  json.end_object();
}

namespace {

// A row for a log without rows: every log has one.
void csv_without_rows(const std::string& file, const Job* job, std::size_t columns, std::string_view status,
                      render::CsvWriter& csv) {
  csv.cell(file);
  csv_job(job, csv);
  for (std::size_t column = 0; column < columns; ++column) csv.null();
  csv.cell(status);
  csv.end_row();
}

}  // namespace

void summary_csv_header(const std::vector<std::string_view>& columns, render::CsvWriter& csv) {
  csv.cell("log");
  csv_job_header(csv);
  for (auto name : columns) csv.cell(name);
  csv.cell("status");
  csv.end_row();
}

void summary_csv_failure(const std::string& file, const Error& error, std::size_t columns, render::CsvWriter& csv) {
  csv_without_rows(file, nullptr, columns, to_string(error.code), csv);
}

void summary_csv(const LogSummary& summary, Part part, const std::vector<std::string_view>& columns,
                 render::CsvWriter& csv) {
  const Table& table = part_of(summary.sums, part);
  for (std::int64_t row = 0; row < table.rows; ++row) {
    csv.cell(summary.file);
    csv_job(summary.log->job(), csv);
    for (auto name : columns) render::cell_csv(*table.find(name), row, csv);
    csv.cell("read");
    csv.end_row();
  }
  if (table.rows > 0) return;
  bool nothing = summary.sums.layers->rows == 0;
  csv_without_rows(summary.file, summary.log->job(), columns.size(), nothing ? "no_modules" : "no_rows", csv);
}

}  // namespace darrow::cli

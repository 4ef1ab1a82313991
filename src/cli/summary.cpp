// `darrow summary`: what a job did, per module.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/each_log.hpp"
#include "darrow/summary.hpp"
#include "render/table.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "render/units.hpp"

namespace darrow::cli {
namespace {

using render::Align;

struct LogSummary {
  std::string file;
  std::shared_ptr<const Log> log;
  std::shared_ptr<const Table> modules = {};
  std::vector<Problem> problems = {};
};

struct SummaryCommand {
  static constexpr bool lists_problems = false;
  static Result<LogSummary> read(const std::string& argument, const OpenOptions& options);
  static void text(const LogSummary& summary, render::Sink& sink, const render::Look& look);
  static void csv_header(render::CsvWriter& csv);
  static void csv(const LogSummary& summary, render::CsvWriter& csv);
  static void csv_failure(const std::string& file, const Error& error, render::CsvWriter& csv);
  static void json(const LogSummary& summary, render::JsonWriter& json);
};

Result<LogSummary> SummaryCommand::read(const std::string& argument, const OpenOptions& options) {
  auto log = open_log(argument, options);
  if (!log) return log.error();
  LogSummary summary{.file = display_name(argument), .log = *log};
  if (options.strict)  // a summary reads some regions only; strict judges all
    for (auto& problem : summary.log->verify())
      if (problem.severity() == Severity::error) return as_error(summary.file, problem);
  auto sums = summarize(*summary.log);
  if (!sums) return sums.error();
  summary.modules = sums->layers;
  summary.problems = std::move(sums->problems);
  // Those of header and job, which a summary reads too.
  for (auto& problem : summary.log->problems())
    if (std::find(summary.problems.begin(), summary.problems.end(), problem) == summary.problems.end())
      summary.problems.push_back(problem);
  return summary;
}

// The command line without the folders of its program.
std::string_view program_and_arguments(std::string_view command) {
  auto slash = command.substr(0, command.find_first_of(" \t\n")).rfind('/');
  if (slash != command.npos) command.remove_prefix(slash + 1);
  while (command.ends_with(' ')) command.remove_suffix(1);
  return command;
}

std::string job_facts(const Job& job) {
  return fmt::format("job {}, {}, {}", job.jobid, render::counted(job.nprocs, "process", "processes"),
                     job.run_time ? render::human_seconds(*job.run_time) : "run time unknown (aborted run)");
}

// "program arguments, job 123, 4 processes, 12.3 s"
std::string heading(const Job* job, const render::Look& look) {
  if (!job) return "job record unreadable";
  std::string program = render::printable(program_and_arguments(job->exe)), facts = job_facts(*job);
  if (program.empty()) return facts;
  facts.insert(0, ", ");
  if (look.width > 0) program = render::cut_end(program, look.width - std::min(look.width, render::cells(facts)));
  return program + facts;
}

template <typename T>
std::string shown(const std::optional<T>& value, std::string (*format)(T)) {
  return value ? format(*value) : "-";
}

void SummaryCommand::text(const LogSummary& summary, render::Sink& sink, const render::Look& look) {
  const Table& modules = *summary.modules;
  sink.put(render::bold(render::printable(summary.file), look));
  sink.put('\n');
  sink.put(heading(summary.log->job(), look));
  sink.put("\n\n");

  render::TextTable table({{.header = "module"},
                           {.header = "files", .align = Align::right},
                           {.header = "records", .align = Align::right},
                           {.header = "read", .align = Align::right},
                           {.header = "written", .align = Align::right},
                           {.header = "I/O time", .align = Align::right},
                           {.header = "rate", .align = Align::right}});
  bool partial = false, damaged = false;
  for (std::int64_t row = 0; row < modules.rows; ++row) {
    bool is_partial = render::whole(modules, "partial", row).value_or(0) != 0;
    bool is_damaged = render::whole(modules, "damaged", row).value_or(0) != 0;
    partial |= is_partial;
    damaged |= is_damaged;
    auto bytes = [&](std::string_view name) -> std::optional<double> { return render::whole(modules, name, row); };
    table.row({std::string(modules.find("module")->text(row)) + (is_partial ? "*" : "") + (is_damaged ? "!" : ""),
               shown(render::whole(modules, "files", row), render::human_count),
               shown(render::whole(modules, "records", row), render::human_count),
               shown(bytes("bytes_read"), render::human_bytes), shown(bytes("bytes_written"), render::human_bytes),
               shown(render::real(modules, "time_by_slowest", row), render::human_seconds),
               shown(render::real(modules, "rate", row), render::human_rate)});
  }
  if (table.empty()) sink.put("  no module counted bytes\n");
  else table.render(sink, look, 2);
  if (partial) sink.put("\n  * partial: records missing, Darshan ran out of memory (MODMEM, MAX_RECORDS)\n");
  if (damaged) sink.put("\n  ! damaged: numbers of what could be read, not to be trusted\n");
}

void SummaryCommand::json(const LogSummary& summary, render::JsonWriter& json) {
  json.begin_object();
  json.member("file", summary.file);
  json.key("job");
  json_job(summary.log->job(), json);
  json.key("modules");
  render::table_json(*summary.modules, json);
  json.key("problems");
  json_problems(summary.problems, json);
  json.end_object();
}

constexpr std::array columns = {"module",
                                "files",
                                "records",
                                "bytes_read",
                                "bytes_written",
                                "time_by_slowest",
                                "unique_time_by_slowest",
                                "shared_time_by_slowest",
                                "slowest_rank",
                                "rate",
                                "partial",
                                "damaged"};

void SummaryCommand::csv_header(render::CsvWriter& csv) {
  csv.cell("log");
  csv_job_header(csv);
  for (auto name : columns) csv.cell(name);
  csv.cell("status");
  csv.end_row();
}

namespace {

// A row for a log without modules: every log has one.
void csv_without_module(const std::string& file, const Job* job, std::string_view status, render::CsvWriter& csv) {
  csv.cell(file);
  csv_job(job, csv);
  for (std::size_t column = 0; column < columns.size(); ++column) csv.null();
  csv.cell(status);
  csv.end_row();
}

}  // namespace

void SummaryCommand::csv_failure(const std::string& file, const Error& error, render::CsvWriter& csv) {
  csv_without_module(file, nullptr, to_string(error.code), csv);
}

void SummaryCommand::csv(const LogSummary& summary, render::CsvWriter& csv) {
  for (std::int64_t row = 0; row < summary.modules->rows; ++row) {
    csv.cell(summary.file);
    csv_job(summary.log->job(), csv);
    for (auto name : columns) render::cell_csv(*summary.modules->find(name), row, csv);
    csv.cell("read");
    csv.end_row();
  }
  if (summary.modules->rows == 0) csv_without_module(summary.file, summary.log->job(), "no_modules", csv);
}

}  // namespace

int run_summary(const LogOptions& options) { return each_log<SummaryCommand>(options); }

}  // namespace darrow::cli

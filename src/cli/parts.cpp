#include "cli/parts.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "render/units.hpp"

namespace darrow::cli {
namespace {

using Layout = render::JsonWriter::Layout;

/// None for an absurd time, and for the end of an aborted run.
std::optional<std::string> iso(std::int64_t seconds, std::int64_t nanoseconds) {
  auto text = render::iso_time(seconds, nanoseconds);
  if (text.empty()) return {};
  return text;
}

std::optional<std::string> start(const Job& job) { return iso(job.start_time_sec, job.start_time_nsec); }
std::optional<std::string> end(const Job& job) {
  if (job.end_time_sec == 0) return {};
  return iso(job.end_time_sec, job.end_time_nsec);
}

void json_metadata(const Job& job, render::JsonWriter& json) {
  json.begin_object();
  for (auto& [key, value] : job.metadata) json.member(key, value);
  json.end_object();
}

}  // namespace

void begin_logs(render::JsonWriter& json) {
  json.begin_object();
  json.key("logs");
  json.begin_array();
}

void end_logs(render::JsonWriter& json) {
  json.end_array();
  json.end_object();
  json.finish();
}

void json_failure(const std::string& file, const Error& error, render::JsonWriter& json) {
  json.begin_object();
  json.member("file", file);
  json.key("error");
  json.begin_object(Layout::inline_);
  json.member("code", to_string(error.code));
  json.member("message", error.message);
  json.member("region", error.region.empty() ? std::nullopt : std::optional(error.region));
  json.member("offset", error.offset);
  json.end_object();
  json.end_object();
}

void json_job(const Job* job, render::JsonWriter& json) {
  if (!job) return json.null();
  json.begin_object();
  json.member("exe", job->exe);
  json.member("jobid", job->jobid);
  json.member("uid", job->uid);
  json.member("nprocs", job->nprocs);
  json.member("start", start(*job));
  json.member("end", end(*job));
  json.member("start_time_sec", job->start_time_sec);
  json.member("start_time_nsec", job->start_time_nsec);
  json.member("end_time_sec", job->end_time_sec);
  json.member("end_time_nsec", job->end_time_nsec);
  json.member("run_time", job->run_time);
  json.key("metadata");
  json_metadata(*job, json);
  json.end_object();
}

void json_problems(std::span<const Problem> problems, render::JsonWriter& json) {
  json.begin_array();
  for (auto& problem : problems) {
    json.begin_object(Layout::inline_);
    json.member("severity", to_string(problem.severity()));
    json.member("kind", to_string(problem.kind));
    json.member("region", problem.region);
    json.key("module");
    if (problem.module.empty()) json.null();
    else json.value(problem.module);
    json.member("offset", problem.offset);
    json.key("offset_of");
    if (problem.offset) json.value(problem.inflated ? "inflated" : "file");
    else json.null();
    json.member("count", problem.count);
    json.member("message", problem.message);
    json.end_object();
  }
  json.end_array();
}

void csv_job_header(render::CsvWriter& csv) {
  for (auto name : {"jobid", "uid", "nprocs", "start", "end", "run_time", "exe"}) csv.cell(name);
}

void csv_job(const Job* job, render::CsvWriter& csv) {
  if (!job) {
    for (std::size_t column = 0; column < job_columns; ++column) csv.null();
    return;
  }
  csv.cell(job->jobid);
  csv.cell(job->uid);
  csv.cell(job->nprocs);
  csv.cell(start(*job));
  csv.cell(end(*job));
  csv.cell(job->run_time);
  csv.cell(job->exe);
}

}  // namespace darrow::cli

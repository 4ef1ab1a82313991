// `darrow analyze`: how many logs are used in what way.
#include "cli/analyze.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/parts.hpp"

namespace darrow::cli {
namespace {

using Layout = render::JsonWriter::Layout;

constexpr std::size_t most_failures = 20;

/// The uses that threads found, in the order of the logs.
std::vector<LogUse> in_order(std::vector<std::vector<LogUse>>& of_workers) {
  std::vector<LogUse> all;
  for (auto& uses : of_workers) std::ranges::move(uses, std::back_inserter(all));
  std::ranges::sort(all, {}, &LogUse::number);
  return all;
}

Analysis analyze(const AnalyzeRequest& request) {
  std::vector<std::vector<LogUse>> of_workers(workers(request.threads));
  auto take = [&](const LogItem& item) -> std::optional<Failure> {
    auto use = use_of(item);
    if (!use) return Failure{use.error()};
    of_workers[item.worker].push_back(std::move(*use));
    return {};
  };
  auto read = read_many(request.logs, {.open = request.open, .threads = request.threads}, take);
  Analysis analysis{.logs = in_order(of_workers),
                    .damaged = {},
                    .not_logs = {},
                    .unreadable = {},
                    .repeated = std::move(read.repeated)};
  for (auto& failure : read.failures) {
    auto code = failure.error.code;
    auto& list = code == ErrorCode::not_a_log ? analysis.not_logs
                 : code == ErrorCode::io      ? analysis.unreadable
                                              : analysis.damaged;
    list.push_back(std::move(failure));
  }
  return analysis;
}

void json_failures(std::string_view key, const std::vector<Failure>& failures, render::JsonWriter& json) {
  json.key(key);
  json.begin_array();
  for (const auto& [error, counted] : failures) {
    json.begin_object(Layout::inline_);
    json.member("file", error.file);
    json.member("region", error.region);
    json.member("code", to_string(error.code));
    json.member("reason", error.message);
    json.end_object();
  }
  json.end_array();
}

void json_counts(const Analysis& analysis, render::JsonWriter& json) {
  json.member("logs", analysis.logs.size());
  json.key("access");
  json.begin_object(Layout::inline_);
  for (std::size_t i = 0; i < accesses; ++i) json.member(access_names[i].name, analysis.count(static_cast<Access>(i)));
  json.end_object();
  json.key("io_shares");
  json.begin_array();
  auto counts = analysis.shares();
  for (std::size_t i = 0; i < share_buckets; ++i) {
    json.begin_object(Layout::inline_);
    json.member("above", i ? std::optional(share_ends[i - 1]) : std::nullopt);
    json.member("up_to", i < share_ends.size() ? std::optional(share_ends[i]) : std::nullopt);
    json.member("logs", counts[i]);
    json.end_object();
  }
  json.end_array();
  json.member("io_share_unknown", counts[share_buckets]);
}

void analysis_json(const Analysis& analysis, render::JsonWriter& json) {
  json.begin_object();
  json_counts(analysis, json);
  json.key("each");
  json.begin_array();
  for (const auto& use : analysis.logs) {
    json.begin_object(Layout::inline_);
    json.member("file", use.file);
    json.key("job");
    json_job(&use.job, json);
    json.member("io_time", use.io_time);
    json.member("io_share", use.io_share);
    for (std::size_t i = 0; i < accesses; ++i) json.member(access_names[i].name, use.has[i]);
    json.end_object();
  }
  json.end_array();
  json.key("repeated");
  json.begin_array();
  for (const auto& [file, same] : analysis.repeated) {
    json.begin_object(Layout::inline_);
    json.member("file", file);
    json.member("same_as", same);
    json.end_object();
  }
  json.end_array();
  json_failures("damaged", analysis.damaged, json);
  json_failures("not_logs", analysis.not_logs, json);
  json_failures("unreadable", analysis.unreadable, json);
  json.end_object();
  json.finish();
}

void analysis_csv(const Analysis& analysis, render::CsvWriter& csv) {
  csv.cell("log");
  csv_job_header(csv);
  csv.cell("io_time");
  csv.cell("io_share");
  for (const auto& access : access_names) csv.cell(access.name);
  csv.cell("status");
  csv.end_row();
  for (const auto& use : analysis.logs) {
    csv.cell(use.file);
    csv_job(&use.job, csv);
    csv.cell(use.io_time);
    csv.cell(use.io_share);
    for (bool has : use.has) csv.cell(has);
    csv.cell("read");
    csv.end_row();
  }
  for (const auto* failures : {&analysis.damaged, &analysis.unreadable})
    for (const auto& failure : *failures) {
      csv.cell(failure.error.file);
      csv_job(nullptr, csv);
      for (std::size_t i = 0; i < accesses + 2; ++i) csv.null();
      csv.cell(failure.error.message);
      csv.end_row();
    }
}

void complain_of(const std::vector<Failure>& failures) {
  for (std::size_t i = 0; i < std::min(failures.size(), most_failures); ++i) complain(failures[i].error.describe());
  if (failures.size() > most_failures)
    complain(fmt::format("{} more failures: --format json tells all", failures.size() - most_failures));
}

/// Every file is a log, and none is missed.
int run_upstream(const AnalyzeRequest& request) {
  std::vector<std::vector<LogUse>> of_workers(workers(request.threads));
  auto take = [&](const LogItem& item) -> std::optional<Failure> {
    of_workers[item.worker].push_back(upstream_use_of(item));
    return {};
  };
  ManyLogsOptions options{.open = request.open, .threads = request.threads, .once = false, .every_file = true};
  auto read = read_many(request.logs, options, take);
  Analysis analysis{.logs = in_order(of_workers), .damaged = {}, .not_logs = {}, .unreadable = {}, .repeated = {}};
  std::int64_t files = 0;
  bool is_there = true;
  for (const auto& [error, counted] : read.failures) {
    bool is_directory = error.file == request.logs[0] && error.code == ErrorCode::io;  // with nothing in it, or none
    is_there &= !is_directory || error.system_error == 0;
    files += !is_directory;
  }
  files += static_cast<std::int64_t>(analysis.logs.size());
  complain_of(read.failures);
  Output out;
  upstream_analysis_text(analysis, files, request.logs[0], out.sink());
  return is_there ? done : nothing;
}

}  // namespace

std::int64_t Analysis::count(Access access) const {
  return std::ranges::count_if(logs, [&](const LogUse& use) { return use.has[static_cast<std::size_t>(access)]; });
}

std::array<std::int64_t, share_buckets + 1> Analysis::shares() const {
  std::array<std::int64_t, share_buckets + 1> counts = {};
  for (const auto& use : logs) ++counts[use.io_share ? share_bucket(*use.io_share) : share_buckets];
  return counts;
}

int run_analyze(const AnalyzeRequest& request) {
  if (request.compat && request.logs.size() > 1) {
    complain("analyze: darshan-analyzer takes one directory, and so does --compat");
    return usage;
  }
  if (request.compat && request.format != Format::table) {
    complain("analyze: --compat prints what darshan-analyzer prints, and has no other --format");
    return usage;
  }
  if (request.compat) return run_upstream(request);
  Analysis analysis = analyze(request);
  {
    Output out;
    render::JsonWriter json(out.sink());
    render::CsvWriter csv(out.sink(), out.terminal());
    switch (request.format) {
      case Format::table: analysis_text(analysis, out.sink(), out.look()); break;
      case Format::csv: analysis_csv(analysis, csv); break;
      case Format::json: analysis_json(analysis, json); break;
    }
  }
  complain_of(analysis.unreadable);
  complain_of(analysis.damaged);
  bool any_failed = !analysis.damaged.empty() || !analysis.unreadable.empty();
  if (analysis.logs.empty() && !any_failed) complain_of(analysis.not_logs);  // told only if there is no log
  if (analysis.logs.empty()) return nothing;
  return any_failed ? lost : done;
}

}  // namespace darrow::cli

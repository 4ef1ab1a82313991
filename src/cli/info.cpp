#include "cli/info.hpp"

#include <algorithm>

#include "cli/each_log.hpp"

namespace darrow::cli {
namespace {

struct InfoCommand {
  static constexpr bool lists_problems = true;
  static Result<Info> read(const std::string& argument, const OpenOptions& options);
  static void text(const Info& info, render::Sink& sink, const render::Look& look) { info_text(info, sink, look); }
  static void csv_header(render::CsvWriter& csv);
  static void csv(const Info& info, render::CsvWriter& csv);
  static void csv_failure(const std::string& file, const Error& error, render::CsvWriter& csv);
  static void json(const Info& info, render::JsonWriter& json);
};

std::optional<std::int64_t> count_records(const Log& log, const ModuleInfo& module) {
  if (module.status != ModuleStatus::readable) return {};
  if (module.length == 0) return 0;
  auto records = log.records(module.name);
  return records ? std::optional(*records) : std::nullopt;
}

Result<Info> InfoCommand::read(const std::string& argument, const OpenOptions& options) {
  auto log = open_log(argument, options);
  if (!log) return log.error();
  Info info{.file = display_name(argument), .log = *log};
  info.problems = info.log->verify();
  if (options.strict)
    if (auto error = first_error(info.file, info.problems)) return *error;
  for (auto& module : info.log->modules()) info.records.push_back(count_records(*info.log, module));
  info.names_on_mount.resize(info.log->mounts().size());
  if (auto names = info.log->names()) {
    info.names = (*names)->size();
    for (std::int64_t i = 0; i < *info.names; ++i)
      if (auto mount = (*names)->mount(i); mount >= 0) ++info.names_on_mount[static_cast<std::size_t>(mount)];
  }
  return info;
}

void InfoCommand::json(const Info& info, render::JsonWriter& json) {
  using Layout = render::JsonWriter::Layout;
  const Log& log = *info.log;
  json.begin_object();
  json.member("file", info.file);
  json.key("format");
  json.begin_object(Layout::inline_);
  json.member("version", log.format_version());
  json.member("byte_order", to_string(log.byte_order()));
  json.member("compression", to_string(log.compression()));
  json.member("bytes", log.size());
  json.end_object();
  json.key("job");
  json_job(log.job(), json);
  json.key("modules");
  json.begin_array();
  for (std::size_t i = 0; i < info.records.size(); ++i) {
    auto& module = log.modules()[i];
    json.begin_object(Layout::inline_);
    json.member("module", module.name);
    json.member("id", module.id);
    json.member("version", module.version);
    json.member("records", info.records[i]);
    json.member("bytes", module.length);
    json.member("partial", module.partial);
    json.member("status", to_string(module.status));
    json.end_object();
  }
  json.end_array();
  json.key("mounts");
  json.begin_array();
  for (std::size_t i = 0; i < info.names_on_mount.size(); ++i) {
    json.begin_object(Layout::inline_);
    json.member("path", log.mounts()[i].path);
    json.member("fs_type", log.mounts()[i].fs_type);
    json.member("names", info.names_on_mount[i]);
    json.end_object();
  }
  json.end_array();
  json.member("names", info.names);
  json.key("problems");
  json_problems(info.problems, json);
  json.end_object();
}

void InfoCommand::csv(const Info& info, render::CsvWriter& csv) {
  auto modules = info.log->modules();
  for (std::size_t i = 0; i < std::max<std::size_t>(modules.size(), 1); ++i) {
    csv.cell(info.file);
    csv_job(info.log->job(), csv);
    if (modules.empty()) {
      for (int column = 0; column < 5; ++column) csv.null();
      csv.cell("no_modules");
    } else {
      csv.cell(modules[i].name);
      csv.cell(modules[i].version);
      csv.cell(info.records[i]);
      csv.cell(modules[i].length);
      csv.cell(modules[i].partial);
      csv.cell(to_string(modules[i].status));
    }
    csv.end_row();
  }
}

void InfoCommand::csv_header(render::CsvWriter& csv) {
  csv.cell("log");
  csv_job_header(csv);
  for (auto name : {"module", "version", "records", "bytes", "partial", "status"}) csv.cell(name);
  csv.end_row();
}

void InfoCommand::csv_failure(const std::string& file, const Error& error, render::CsvWriter& csv) {
  csv.cell(file);
  for (std::size_t column = 0; column < job_columns + 5; ++column) csv.null();
  csv.cell(to_string(error.code));
  csv.end_row();
}

}  // namespace

int run_info(const LogOptions& options) { return each_log(InfoCommand{}, options); }

}  // namespace darrow::cli

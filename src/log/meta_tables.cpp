#include "log/meta_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "table/build.hpp"

namespace darrow {
namespace {

Table new_table(std::string name, std::size_t rows) {
  Table t;
  t.name = std::move(name);
  t.rows = static_cast<std::int64_t>(rows);
  return t;
}

template <typename T>
void add(Table& table, std::string name, std::vector<std::optional<T>> values) {
  table.columns.push_back(value_column<T>(std::move(name), values));
}

void add(Table& table, std::string name, const std::vector<std::optional<std::string>>& texts) {
  TextBuilder builder(std::move(name));
  for (const auto& t : texts) t ? builder.add(*t) : builder.add_null();
  table.columns.push_back(std::move(builder).finish());
}

/// One value for each element.
template <typename T, typename Elements, typename Function>
std::vector<std::optional<T>> each(const Elements& elements, Function value) {
  std::vector<std::optional<T>> values;
  for (const auto& e : elements) values.push_back(value(e));
  return values;
}

std::optional<std::string> metadata_of(const Job& job, std::string_view key) {
  for (const auto& [k, v] : job.metadata)
    if (k == key) return v;
  return {};
}

}  // namespace

std::string_view to_string(ModuleStatus status) {
  switch (status) {
    case ModuleStatus::readable: return "readable";
    case ModuleStatus::unknown_module: return "unknown_module";
    case ModuleStatus::unknown_version: return "unknown_version";
  }
  return "unknown";
}

Table job_table(const Log::State& state) {
  std::vector<Job> jobs;
  if (state.job) jobs.push_back(*state.job);
  Table t = new_table("job", jobs.size());
  using I = std::int64_t;
  using S = std::optional<std::string>;
  auto of_log = [&](std::string_view text) {
    return each<std::string>(jobs, [&](const Job&) { return S(std::string(text)); });
  };
  add(t, "jobid", each<I>(jobs, [](const Job& j) { return j.jobid; }));
  add(t, "uid", each<I>(jobs, [](const Job& j) { return j.uid; }));
  add(t, "nprocs", each<I>(jobs, [](const Job& j) { return j.nprocs; }));
  add(t, "start_time_sec", each<I>(jobs, [](const Job& j) { return j.start_time_sec; }));
  add(t, "start_time_nsec", each<I>(jobs, [](const Job& j) { return j.start_time_nsec; }));
  auto ended = [](const Job& j, I value) { return j.end_time_sec ? std::optional(value) : std::nullopt; };
  add(t, "end_time_sec", each<I>(jobs, [&](const Job& j) { return ended(j, j.end_time_sec); }));
  add(t, "end_time_nsec", each<I>(jobs, [&](const Job& j) { return ended(j, j.end_time_nsec); }));
  add(t, "run_time", each<double>(jobs, [](const Job& j) { return j.run_time; }));
  add(t, "exe", each<std::string>(jobs, [](const Job& j) { return S(j.exe); }));
  add(t, "lib_ver", each<std::string>(jobs, [](const Job& j) { return metadata_of(j, "lib_ver"); }));
  add(t, "hints", each<std::string>(jobs, [](const Job& j) { return metadata_of(j, "h"); }));
  add(t, "format_version", of_log(state.header.version_text));
  add(t, "byte_order", of_log(to_string(state.header.byte_order)));
  add(t, "compression", of_log(to_string(state.header.compression)));
  return t;
}

Table mounts_table(const Log::State& state) {
  Table t = new_table("mounts", state.mounts.size());
  add(t, "path", each<std::string>(state.mounts, [](const Mount& m) { return m.path; }));
  add(t, "fs_type", each<std::string>(state.mounts, [](const Mount& m) { return m.fs_type; }));
  return t;
}

Table modules_table(const Log::State& state) {
  const auto& modules = state.modules;
  Table t = new_table("modules", modules.size());
  add(t, "id", each<std::int64_t>(modules, [](const ModuleInfo& m) { return m.id; }));
  add(t, "module", each<std::string>(modules, [](const ModuleInfo& m) { return m.name; }));
  add(t, "version", each<std::int64_t>(modules, [](const ModuleInfo& m) { return m.version; }));
  add(t, "partial", each<bool>(modules, [](const ModuleInfo& m) { return m.partial; }));
  add(t, "status", each<std::string>(modules, [](const ModuleInfo& m) { return std::string(to_string(m.status)); }));
  add(t, "offset", each<std::uint64_t>(modules, [](const ModuleInfo& m) { return m.offset; }));
  add(t, "length", each<std::uint64_t>(modules, [](const ModuleInfo& m) { return m.length; }));
  return t;
}

Table names_table(const MountedNames& names, bool name_bytes) {
  std::vector<std::optional<std::uint64_t>> ids;
  TextBuilder texts("name"), bytes("name_bytes");
  for (std::int64_t i = 0; i < names.size(); ++i) {
    ids.push_back(names.id(i));
    texts.add(names.name(i));
    if (name_bytes) bytes.add_valid(names.name(i));
  }
  Table t = new_table("names", ids.size());
  add(t, "id", std::move(ids));
  t.columns.push_back(std::move(texts).finish());
  if (name_bytes) t.columns.push_back(std::move(bytes).finish(ColumnType::binary));
  return t;
}

Table problems_table(const std::vector<Problem>& problems) {
  Table t = new_table("problems", problems.size());
  using S = std::optional<std::string>;
  add(t, "severity",
      each<std::string>(problems, [](const Problem& p) { return std::string(to_string(p.severity())); }));
  add(t, "kind", each<std::string>(problems, [](const Problem& p) { return std::string(to_string(p.kind)); }));
  add(t, "module", each<std::string>(problems, [](const Problem& p) { return p.module.empty() ? S() : S(p.module); }));
  add(t, "region", each<std::string>(problems, [](const Problem& p) { return p.region; }));
  add(t, "offset", each<std::uint64_t>(problems, [](const Problem& p) { return p.offset; }));
  add(t, "offset_of", each<std::string>(problems, [](const Problem& p) {
        return p.offset ? S(p.inflated ? "inflated" : "file") : S();
      }));
  add(t, "count", each<std::int64_t>(problems, [](const Problem& p) { return p.count; }));
  add(t, "message", each<std::string>(problems, [](const Problem& p) { return p.message; }));
  return t;
}

Result<std::shared_ptr<const Table>> Log::State::read_other(std::string_view name, const TableOptions& options,
                                                            const Log& log, bool read) {
  Table table;
  if (name == "job" || name == "jobs") {
    table = job_table(*this);
  } else if (name == "mounts") {
    table = mounts_table(*this);
  } else if (name == "modules") {
    table = modules_table(*this);
  } else if (name == "problems") {
    table = problems_table(log.problems());
  } else if (name == "names") {
    auto names = read ? read_names() : std::make_shared<const MountedNames>(NameTable(), mounts);
    if (!names) return names.error();
    bool bytes = std::ranges::count(options.columns, "name_bytes") > 0;
    table = names_table(**names, options.name_bytes || bytes);
  } else {
    std::string there;
    for (const auto& m : modules) there += (there.empty() ? "" : ", ") + m.name;
    return error(
        ErrorCode::not_found, "",
        fmt::format("no module or table \"{}\" in this log; its modules: {}", name, there.empty() ? "none" : there));
  }
  if (options.ids || options.ranks || options.keep)
    return error(ErrorCode::invalid_argument, "", fmt::format("rows of \"{}\" have no id and rank to select by", name));
  for (const auto& c : options.columns)
    if (!table.find(c)) return error(ErrorCode::invalid_argument, "", fmt::format("no column \"{}\" in {}", c, name));
  std::erase_if(table.columns, [&](const Column& c) {
    return !options.columns.empty() && !std::ranges::count(options.columns, c.name);
  });
  return std::make_shared<const Table>(std::move(table));
}

}  // namespace darrow

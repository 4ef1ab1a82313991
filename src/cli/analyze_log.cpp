// What `darrow analyze` takes of one log.
#include <algorithm>
#include <array>
#include <span>

#include "cli/analyze.hpp"
#include "cli/logs.hpp"
#include "darrow/metrics.hpp"
#include "darrow/module.hpp"
#include "darrow/name_hash.hpp"
#include "darrow/summary.hpp"

namespace darrow::cli {
namespace {

bool has_data(const Log& log, std::initializer_list<std::string_view> modules) {
  return std::ranges::any_of(modules, [&](auto name) {
    auto* info = log.module(name);
    return info && info->length > 0;
  });
}

/// Whether the interfaces above POSIX were used.
void add_interfaces(const Log& log, std::array<bool, accesses>& has) {
  has[static_cast<std::size_t>(Access::mpiio)] = has_data(log, {"MPI-IO"});
  has[static_cast<std::size_t>(Access::pnetcdf)] = has_data(log, {"PNETCDF_FILE", "PNETCDF_VAR"});
  has[static_cast<std::size_t>(Access::hdf5)] = has_data(log, {"H5F", "H5D"});
}

bool is_stream(std::uint64_t id) {
  static const std::array streams = {record_id("<STDIN>"), record_id("<STDOUT>"), record_id("<STDERR>")};
  return std::ranges::find(streams, id) != streams.end();
}

/// What the modules did through which data leaves the program: group 0 are files, group 1 standard streams.
Result<Activity> bottom_activity(const Log& log) {
  Activity activity(log.job()->nprocs);
  std::optional<Error> failed;
  for (const auto& info : log.modules()) {
    if (!info.module || !info.module->bottom || info.status != ModuleStatus::readable || info.length == 0) continue;
    TableOptions options;
    options.columns = Activity::columns(*info.module);
    auto rows = log.scan(info.name, options, [&](const Table& batch) {
      std::vector<std::uint32_t> groups;
      for (auto id : batch.find("id")->values<std::uint64_t>()) groups.push_back(is_stream(id) ? 1 : 0);
      if (failed || batch.rows == 0) return;
      if (auto added = activity.add(batch, groups); !added) failed = added.error();
    });
    if (!rows) return rows.error();
    if (failed) return *failed;
  }
  return activity;
}

/// Whether a problem concerns what is counted: the header, the job, or a module through which data leaves the program.
bool matters(const Problem& problem) {
  if (problem.region == "names") return false;
  if (problem.region == "header" || problem.region == "job") return true;
  const Module* module = find_module(problem.region);
  return module && module->bottom;
}

}  // namespace

std::size_t share_bucket(double share) {
  std::size_t bucket = 0;
  while (bucket < share_ends.size() && !(share <= share_ends[bucket])) ++bucket;
  return bucket;
}

Result<LogUse> use_of(const LogItem& item) {
  const Log& log = *item.log;
  if (!log.job()) return lost_in(log, item.file).value_or(plain_error(ErrorCode::corrupt, "no job can be read"));
  LogUse use{.file = item.file, .number = item.number, .job = *log.job(), .io_time = {}, .io_share = {}};
  auto activity = bottom_activity(log);
  if (!activity) return activity.error();
  if (auto error = lost_in(log, item.file, matters)) return *error;
  add_interfaces(log, use.has);
  if (auto facts = activity->facts(); !facts.empty()) {
    auto has = [&](Category category) {
      return facts[0].files[static_cast<std::size_t>(category)].files.value_or(0) > 0;
    };
    use.has[static_cast<std::size_t>(Access::shared)] = has(Category::shared);
    use.has[static_cast<std::size_t>(Access::partly)] = has(Category::partially_shared);
    use.has[static_cast<std::size_t>(Access::unique)] = has(Category::unique);
  }
  Facts all = activity->total();
  use.io_time = 0;
  for (Role role : {Role::read_time, Role::write_time, Role::meta_time}) *use.io_time += all.time(role).value_or(0);
  auto run_time = use.job.run_time.value_or(0);
  if (use.job.nprocs >= 1 && run_time > 0)
    use.io_share = *use.io_time / (run_time * static_cast<double>(use.job.nprocs));
  return use;
}

LogUse upstream_use_of(const LogItem& item) {
  const Log& log = *item.log;
  LogUse use{.file = item.file, .number = item.number, .job = {}, .io_time = {}, .io_share = {}};
  add_interfaces(log, use.has);
  const ModuleInfo* info = log.module("POSIX");
  if (!log.job() || !info || info->length == 0 || info->status != ModuleStatus::readable) return use;
  std::vector<std::string> times;
  for (Role role : {Role::read_time, Role::write_time, Role::meta_time})
    times.emplace_back(find_role(info->module->fields, role)->label());
  TableOptions options;
  options.columns = times;
  options.columns.emplace_back("rank");
  options.upstream_values = true;
  double sum = 0;
  auto add = [&](const Table& batch) {
    auto ranks = batch.find("rank")->values<std::int64_t>();
    for (std::size_t row = 0; row < ranks.size(); ++row) {
      use.has[static_cast<std::size_t>(ranks[row] == -1 ? Access::shared : Access::unique)] = true;
      double of_record = 0;
      for (const auto& name : times) of_record += batch.find(name)->values<double>()[row];
      sum += of_record;
    }
  };
  if (auto rows = log.scan(info->name, options, add); !rows || *rows == 0) return use;
  auto lasted = static_cast<double>(log.job()->end_time_sec - log.job()->start_time_sec);
  use.io_share = sum / log.job()->run_time.value_or(lasted);
  return use;
}

}  // namespace darrow::cli

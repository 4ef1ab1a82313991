#include "darrow/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/guarded.hpp"
#include "base/id_hash.hpp"
#include "base/invalid_argument.hpp"
#include "base/problem_sink.hpp"
#include "base/utf8.hpp"
#include "darrow/summary.hpp"
#include "format/names.hpp"
#include "merge/heatmaps.hpp"
#include "merge/job.hpp"
#include "merge/reduce.hpp"
#include "merge/repeated.hpp"
#include "merge/scan.hpp"

namespace darrow {
namespace {

using merging::Logs;
using merging::Runs;

/// All logs but those with the content of one before them.
std::vector<std::shared_ptr<const Log>> distinct(Logs logs, std::vector<Problem>& problems) {
  using Look = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint64_t>;
  auto look_of = [](const Log& log) {
    const Job& job = *log.job();
    return Look{job.jobid, job.start_time_sec, job.start_time_nsec, log.size()};
  };
  std::map<Look, int> alike;
  for (const auto& log : logs) ++alike[look_of(*log)];
  std::set<std::pair<Look, std::uint32_t>> seen;
  std::vector<std::shared_ptr<const Log>> kept;
  std::string example;
  for (const auto& log : logs) {
    auto look = look_of(*log);
    bool is_new = alike[look] == 1 || seen.insert({look, log->digest()}).second;  // all of a log is read for its digest
    if (is_new) kept.push_back(log);
    else if (example.empty()) example = log->path();
  }
  auto repeated = static_cast<std::int64_t>(logs.size() - kept.size());
  if (repeated)
    ProblemSink("job", "", problems)
        .add(ProblemKind::log_repeated,
             fmt::format("logs with the content of another one, taken once: {}, such as {}", repeated, example),
             repeated);
  return kept;
}

/// One merge, step by step.
class Merge {
 public:
  Merge(Logs logs, Runs runs, const MergeOptions& options, Merged& merged)
      : logs_(logs), runs_(std::move(runs)), options_(options), merged_(merged) {}

  std::optional<Error> run() {
    merging::compare_jobs(logs_, merged_.problems);
    if (runs_.several()) tell_runs();
    if (auto error = add_job()) return error;
    if (auto error = add_names()) return error;
    for (const auto& name : modules())
      if (auto error = add_module(name)) return error;
    if (!options_.write.strict) return {};
    for (const auto& problem : merged_.problems)
      if (problem.severity() != Severity::note) return invalid_argument(problem.region, problem.message);
    return {};
  }

 private:
  void tell_runs() {
    auto count = static_cast<std::int64_t>(runs_.all.size());
    ProblemSink("job", "", merged_.problems)
        .add(ProblemKind::ranks_renumbered,
             fmt::format("logs of {} runs: their {} processes are numbered through, and times count from the start of "
                         "each",
                         count, runs_.nprocs),
             count);
  }

  std::optional<Error> add_job() {
    auto job = merging::merged_job(logs_, runs_, options_.end_time, merged_.problems);
    if (!job) return job.error();
    merged_.writer.set_mounts(merging::merged_mounts(logs_, *job, merged_.problems));
    merged_.writer.set_job(std::move(*job));
    return {};
  }

  std::optional<Error> add_names();
  /// All that any log has, by id.
  std::vector<std::string> modules() const;
  std::optional<Error> add_module(const std::string& name);
  std::optional<Error> add_records(const std::string& name, const Module& module);
  std::optional<Error> add_heatmaps(const std::string& name, const merging::EvenHeatmaps& heatmaps);
  std::optional<Error> add_opaque(const std::string& name);
  std::optional<Error> choose_version(const Module& module);
  std::optional<Error> compare_headers(const Module& module);
  bool has_data(const Log& log, const std::string& name, bool readable) const {
    const ModuleInfo* info = log.module(name);
    return info && info->length > 0 && (info->status == ModuleStatus::readable) == readable;
  }
  ProblemSink sink(std::string_view module) { return {std::string(module), std::string(module), merged_.problems}; }

  Logs logs_;
  Runs runs_;
  const MergeOptions& options_;
  Merged& merged_;
};

/// Names in the order in which they come up. Where logs do not agree the first one stays, as within a log.
std::optional<Error> Merge::add_names() {
  std::unordered_map<std::uint64_t, std::string_view, IdHash> known;  // into the logs
  std::int64_t conflicts = 0, left_out = 0;
  std::string example, first_left_out;
  for (const auto& log : logs_) {
    auto names = log->names();
    if (!names) return names.error();
    for (std::int64_t i = 0; i < (*names)->size(); ++i) {
      auto id = (*names)->id(i);
      auto name = (*names)->name(i);
      if (!NameWriter::fits(name)) {
        if (left_out++ == 0) first_left_out = fmt::format("that of id {} in {}", id, log->path());
        continue;
      }
      auto [at, is_new] = known.try_emplace(id, name);
      bool differs = !is_new && at->second != name && !name.empty();
      if (differs && !at->second.empty()) {
        if (conflicts++ == 0)
          example = fmt::format("id {} is \"{}\" and in {} \"{}\"", id, escape_utf8(at->second), log->path(),
                                escape_utf8(name));
        continue;
      }
      if (differs) at->second = name;
      merged_.writer.add_name(id, name);
    }
  }
  ProblemSink problems("names", "", merged_.problems);
  if (left_out)
    problems.add(
        ProblemKind::name_left_out,
        fmt::format("names that no log can hold, too long or with a NUL: {}, such as {}", left_out, first_left_out),
        left_out);
  if (conflicts)
    problems.add(ProblemKind::name_conflict,
                 fmt::format("names that logs give differently, the first is taken: {}; {}", conflicts, example),
                 conflicts);
  return {};
}

std::vector<std::string> Merge::modules() const {
  std::map<int, std::string> found;
  for (const auto& log : logs_)
    for (const auto& info : log->modules()) {
      // darshan-merge marks the example module as partial, which no job has.
      bool is_mark = info.module && info.module->example && info.length == 0;
      if (!is_mark) found.try_emplace(info.id, info.name);
    }
  std::vector<std::string> names;
  for (auto& [id, name] : found) names.push_back(std::move(name));
  return names;
}

std::optional<Error> Merge::add_module(const std::string& name) {
  for (const auto& log : logs_)
    if (const ModuleInfo* info = log->module(name); info && info->partial)
      if (auto set = merged_.writer.set_partial(name); !set) return set.error();
  if (const Module* module = find_module(name))
    if (auto error = add_records(name, *module)) return error;
  return add_opaque(name);
}

std::optional<Error> Merge::add_records(const std::string& name, const Module& module) {
  if (auto error = choose_version(module)) return error;
  if (auto error = compare_headers(module)) return error;
  if (auto error = merging::tell_repeated(logs_, runs_, name, merged_.problems)) return error;
  auto heatmaps = merging::EvenHeatmaps::find(logs_, runs_, module);
  if (!heatmaps) return heatmaps.error();
  if (heatmaps->any()) return add_heatmaps(name, *heatmaps);
  merging::Reduced reduced;
  if (options_.reduce_shared) {
    auto found = merging::reduce_shared(logs_, runs_, module, merged_.problems);
    if (!found) return found.error();
    reduced = std::move(*found);
    if (reduced.rows.rows > 0)
      if (auto added = merged_.writer.add(name, reduced.rows); !added) return added.error();
  }
  for (std::size_t log = 0; log < logs_.size(); ++log) {
    if (!has_data(*logs_[log], name, true)) continue;
    if (options_.progress) options_.progress(name, log);
    RecordSelection rest;
    if (reduced.files.size() > 0)
      rest.keep = [&](std::uint64_t id, std::int64_t) { return reduced.files.find(id) < 0; };
    if (runs_.several()) rest.renumber = [&, log](std::int64_t rank) { return runs_.number(log, rank); };
    if (auto added = merged_.writer.add(*logs_[log], name, rest); !added) return added.error();
  }
  return {};
}

std::optional<Error> Merge::add_heatmaps(const std::string& name, const merging::EvenHeatmaps& heatmaps) {
  TableOptions options;
  options.columns = {"id", "rank", "bin_width", "write", "read"};
  std::optional<Error> failed;
  auto add = [&](std::size_t, const Table& records) {
    if (failed || records.rows == 0) return;
    if (auto added = merged_.writer.add(name, heatmaps.even(records)); !added) failed = added.error();
  };
  if (auto error = merging::scan_all(logs_, runs_, name, options, add)) return error;
  for (const auto& log : logs_)
    if (is_damaged(*log, name))
      if (auto set = merged_.writer.set_partial(name); !set) return set.error();
  return failed;
}

/// Regions that cannot be decoded are put together as the run time puts those of ranks, if they are of one kind.
std::optional<Error> Merge::add_opaque(const std::string& name) {
  const ModuleInfo* kind = nullptr;
  std::vector<std::byte> bytes;
  std::int64_t left_out = 0;
  std::string example;
  const Module* module = find_module(name);
  bool is_readable = std::ranges::any_of(logs_, [&](auto& log) { return has_data(*log, name, true); });
  for (const auto& log : logs_) {
    if (!has_data(*log, name, false)) continue;
    const ModuleInfo* info = log->module(name);
    bool fits = !is_readable && log->byte_order() == options_.write.byte_order && info->version <= INT32_MAX;
    // A known module may open its region with a record that comes once.
    if (kind) fits &= info->version == kind->version && (!module || module->header.empty());
    if (!fits) {
      if (left_out++ == 0) example = log->path();
      continue;
    }
    kind = info;
    auto region = log->bytes(name);
    if (!region) return region.error();
    auto all = region->bytes();
    bytes.insert(bytes.end(), all.begin(), all.end());
  }
  if (kind) {
    auto added = merged_.writer.add_bytes(name, static_cast<int>(kind->version), bytes, options_.write.byte_order);
    if (!added) return added.error();
  }
  if (left_out)
    sink(name).add(ProblemKind::module_left_out,
                   fmt::format("data of a module or version that is not known, left out where it cannot be put "
                               "together with what is there: {} logs, such as {}",
                               left_out, example),
                   left_out);
  return {};
}

/// Where some logs lack what nobody misses (thread ids of traces), none has it: it would be made up for them.
std::optional<Error> Merge::choose_version(const Module& module) {
  for (const auto& repeat : module.repeats)
    for (const auto& field : repeat.fields) {
      if (!field.expendable) continue;
      bool any_lacks = false, any_has = false;
      for (const auto& log : logs_) {
        if (!has_data(*log, std::string(module.name), true)) continue;
        bool has = field.in(static_cast<int>(log->module(module.name)->version));
        any_has |= has;
        any_lacks |= !has;
      }
      if (!any_has || !any_lacks) continue;
      if (auto set = merged_.writer.set_version(module.name, field.first - 1, true); !set) return set.error();
    }
  return {};
}

/// Of records that open a region there can be one.
std::optional<Error> Merge::compare_headers(const Module& module) {
  if (module.header.empty()) return {};
  std::shared_ptr<const Table> first;
  std::int64_t others = 0;
  auto differ = [](const Column& a, const Column& b) { return !std::ranges::equal(a.data.bytes(), b.data.bytes()); };
  for (const auto& log : logs_) {
    if (!has_data(*log, std::string(module.name), true)) continue;
    TableOptions options;
    options.part = TableOptions::Part::header;
    auto header = log->table(module.name, options);
    if (!header) return header.error();
    if ((*header)->rows == 0) continue;
    if (!first) first = *header;
    else others += !std::ranges::equal(first->columns, (*header)->columns, std::not_fn(differ));
  }
  if (others)
    sink(module.name)
        .add(ProblemKind::header_record_kept,
             fmt::format("the record that opens the module stands for those of other logs, which differ: {}", others),
             others);
  return {};
}

}  // namespace

Result<Merged> merge(std::span<const std::shared_ptr<const Log>> logs, const MergeOptions& options) {
  return guarded({}, [&]() -> Result<Merged> {
    if (logs.empty()) return invalid_argument("", "there is no log to merge");
    for (const auto& log : logs)
      if (!log->job()) return invalid_argument("job", fmt::format("no job can be read in {}", log->path()));
    auto writer = LogWriter::create(options.write);
    if (!writer) return writer.error();
    Merged merged{std::move(*writer), {}};
    auto kept = distinct(logs, merged.problems);
    auto runs = merging::find_runs(kept);
    if (!runs) return runs.error();
    if (auto error = Merge(kept, std::move(*runs), options, merged).run()) return *error;
    return merged;
  });
}

}  // namespace darrow

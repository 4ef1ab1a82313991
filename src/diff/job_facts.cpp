#include <algorithm>
#include <map>

#include "diff/comparison.hpp"

namespace darrow::diffing {
namespace {

using Kind = Difference::Kind;
using util_text::Source;

/// The second in which the run ended; before format 3.41 logs tell the last one that belongs to it.
std::int64_t end_time(const Job& job) {
  const auto seconds = job.end_time_sec - job.start_time_sec;
  const bool is_inclusive = job.run_time && job.end_time_nsec == 0 && job.start_time_nsec == 0 &&
                            *job.run_time > static_cast<double>(seconds);
  return job.end_time_sec + is_inclusive;
}

DiffValue fact(const Source& source, std::string_view name, bool compat) {
  const Job* job = source.log.job();
  if (!job) return {};
  if (name == "exe") return source.shown(source.exe);
  if (name == "uid") return job->uid;
  if (name == "jobid") return job->jobid;
  if (name == "start_time") return job->start_time_sec;
  if (name == "start_time_nsec") return job->start_time_nsec;
  if (name == "end_time") return compat ? job->end_time_sec : end_time(*job);
  if (name == "end_time_nsec") return job->end_time_nsec;
  if (name == "nprocs") return job->nprocs;
  if (compat) return job->end_time_sec - job->start_time_sec + 1;  // whole seconds, the last one included
  if (!job->run_time) return {};
  return *job->run_time;
}

bool is_time(std::string_view name) {
  return name.starts_with("start_time") || name.starts_with("end_time") || name == "run time";
}

/// Texts by keys, in both logs.
using Pairs = std::vector<std::pair<std::string, std::string>>;
/// `start`: what stands before keys where rules name them.
void compare_pairs(Comparison& comparison, Kind kind, std::string_view start, const Pairs& a, const Pairs& b) {
  std::map<std::string, std::string> rest(b.begin(), b.end());
  auto told = [&](const std::string& key, DiffValue left, DiffValue right) {
    comparison.compare({.kind = kind, .counter = key, .a = std::move(left), .b = std::move(right)},
                       std::string(start) + key);
  };
  for (const auto& [key, value] : a) {
    auto found = rest.find(key);
    told(key, value, found == rest.end() ? DiffValue() : DiffValue(found->second));
    if (found != rest.end()) rest.erase(found);
  }
  for (const auto& [key, value] : b)
    if (rest.contains(key)) told(key, {}, value);
}

Pairs shown(const Source& source, const Pairs& pairs) {
  Pairs texts;
  for (const auto& [key, value] : pairs) texts.emplace_back(source.shown(key), source.shown(value));
  return texts;
}

/// The types of all that is mounted on a path: the last one hides the others, but is not known.
Pairs mounts(const Source& source) {
  std::map<std::string, std::vector<std::string>> types;
  for (const auto& mount : source.mounts) types[source.shown(mount.path)].push_back(source.shown(mount.fs_type));
  Pairs texts;
  for (auto& [path, list] : types) {
    std::ranges::sort(list);
    std::string text;
    for (const auto& type : list) text.append(text.empty() ? "" : ", ").append(type);
    texts.emplace_back(path, text);
  }
  return texts;
}

}  // namespace

void compare_jobs(Comparison& comparison) {
  const Rules& rules = comparison.rules();
  if (rules.ignores_group(job)) return;
  for (auto name : job_facts) {
    if (rules.ignores_group(times) && is_time(name)) continue;
    if (rules.compat() && (name == "jobid" || name.ends_with("_nsec"))) continue;
    comparison.compare({.kind = Kind::job,
                        .counter = std::string(name),
                        .a = fact(comparison.a(), name, rules.compat()),
                        .b = fact(comparison.b(), name, rules.compat())},
                       name);
  }
  if (rules.compat()) return;
  const Source &a = comparison.a(), &b = comparison.b();
  if (!rules.ignores("metadata"))
    compare_pairs(comparison, Kind::metadata, metadata_key, shown(a, a.metadata), shown(b, b.metadata));
  if (!rules.ignores("mounts")) compare_pairs(comparison, Kind::mount, "mount:", mounts(a), mounts(b));
}

void compare_names(Comparison& comparison) {
  if (comparison.rules().ignores("names")) return;
  const Names &a = *comparison.a().names, &b = *comparison.b().names;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const auto j = b.find(a.id(i));
    if (j < 0 || a.name(i) == b.name(j)) continue;
    comparison.tell({.kind = Kind::name,
                     .id = a.id(i),
                     .counter = "name",
                     .a = comparison.a().shown(a.name(i)),
                     .b = comparison.b().shown(b.name(j))});
  }
}

}  // namespace darrow::diffing

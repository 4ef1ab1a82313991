#include "merge/repeated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "base/problem_sink.hpp"
#include "merge/scan.hpp"

namespace darrow::merging {
namespace {

struct Place {
  std::uint64_t id = 0;
  std::int64_t rank = 0;
  std::size_t run = 0;
  std::size_t log = 0;

  auto key() const { return std::tuple(id, rank, run); }
};

/// The logs that have records of the module and share their run with others that do.
std::vector<bool> together(Logs logs, const Runs& runs, std::string_view module) {
  auto has_records = [&](std::size_t log) {
    const ModuleInfo* info = logs[log]->module(module);
    return info && info->length > 0 && info->status == ModuleStatus::readable;
  };
  std::vector<int> of_run(runs.all.size());
  for (std::size_t log = 0; log < logs.size(); ++log) of_run[runs.of_log[log]] += has_records(log);
  std::vector<bool> chosen;
  for (std::size_t log = 0; log < logs.size(); ++log) chosen.push_back(of_run[runs.of_log[log]] > 1);
  return chosen;
}

}  // namespace

std::optional<Error> tell_repeated(Logs logs, const Runs& runs, std::string_view module,
                                   std::vector<Problem>& problems) {
  auto chosen = together(logs, runs, module);
  if (std::ranges::count(chosen, true) == 0) return {};
  std::vector<Place> places;
  TableOptions options;
  options.part = TableOptions::Part::records;
  options.columns = {"id", "rank"};
  auto collect = [&](std::size_t log, const Table& batch) {
    if (!chosen[log]) return;
    auto ids = batch.find("id")->values<std::uint64_t>();
    auto ranks = batch.find("rank")->values<std::int64_t>();
    for (std::size_t row = 0; row < ids.size(); ++row)
      places.push_back({.id = ids[row], .rank = ranks[row], .run = runs.of_log[log], .log = log});
  };
  if (auto error = scan_all(logs, runs, module, options, collect)) return error;
  std::ranges::sort(places, {}, [](const Place& place) { return std::tuple(place.key(), place.log); });
  std::int64_t repeated = 0;
  const Place* example = nullptr;
  const Place* first = nullptr;  // of those with the same key
  for (const auto& place : places) {
    if (!first || first->key() != place.key()) first = &place;
    if (place.log == first->log) continue;
    ++repeated;
    if (!example) example = &place;
  }
  if (repeated)
    ProblemSink(std::string(module), std::string(module), problems)
        .add(ProblemKind::records_repeated,
             fmt::format(
                 "records of which another log of the run has one of the same id and rank, which count twice: {}, "
                 "such as id {} of rank {} in {}",
                 repeated, example->id, example->rank, logs[example->log]->path()),
             repeated);
  return {};
}

}  // namespace darrow::merging

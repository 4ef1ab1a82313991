#include "merge/runs.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "base/invalid_argument.hpp"

namespace darrow::merging {
namespace {

using Start = std::pair<std::int64_t, std::int64_t>;  // seconds, nanoseconds
using Ranks = std::set<std::int64_t>;

Start start_of(const Job& job) { return {job.start_time_sec, job.start_time_nsec}; }

/// The ranks that have records in a log, −1 included.
Result<Ranks> ranks_of(const Log& log) {
  Ranks ranks;
  TableOptions options;
  options.part = TableOptions::Part::records;
  options.columns = {"rank"};
  for (const auto& info : log.modules()) {
    if (info.status != ModuleStatus::readable || info.length == 0) continue;
    auto rows = log.scan(info.name, options, [&](const Table& batch) {
      auto of_batch = batch.find("rank")->values<std::int64_t>();
      ranks.insert(of_batch.begin(), of_batch.end());
    });
    if (!rows) return rows.error();
  }
  return ranks;
}

/// A run while its logs are found.
struct Found {
  std::size_t position;  ///< in Runs::all
  std::vector<std::size_t> logs;
  Ranks ranks;  ///< of the first `ranked` logs
  std::size_t ranked = 0;
};

class Finder {
 public:
  explicit Finder(Logs logs) : logs_(logs) { runs_.of_log.resize(logs.size()); }

  Result<Runs> find() {
    for (auto log : by_start()) {
      auto found = place(log);
      if (!found) return found.error();
      runs_.of_log[log] = *found;
    }
    number_by_first_log();
    if (auto error = count_processes()) return *error;
    return std::move(runs_);
  }

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // job, user, processes

  const Job& job(std::size_t log) const { return *logs_[log]->job(); }

  /// Later runs of a job do not take logs of earlier ones that way.
  std::vector<std::size_t> by_start() const {
    std::vector<std::size_t> order(logs_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t log) { return start_of(job(log)); });
    return order;
  }

  /// The run of a log, as a position.
  Result<std::size_t> place(std::size_t log) {
    const Job& own = job(log);
    auto& runs = found_[{own.jobid, own.uid, own.nprocs}];
    // Single processes that start in the same second are not one, but parts of a log have the same nanosecond.
    bool start_tells = own.nprocs > 1 || own.start_time_nsec != 0;
    for (auto& run : runs)
      if (start_tells && start_of(job(run.logs[0])) == start_of(own)) return join(run, log);
    if (own.nprocs > 1 && !runs.empty()) {
      auto ranks = ranks_of(*logs_[log]);
      if (!ranks) return ranks.error();
      for (auto& run : runs) {
        if (auto error = rank_logs(run)) return *error;
        if (std::ranges::none_of(*ranks, [&](auto rank) { return run.ranks.contains(rank); })) return join(run, log);
      }
    }
    runs.push_back({.position = runs_.all.size(), .logs = {log}, .ranks = {}});
    runs_.all.push_back({.nprocs = own.nprocs});
    return runs.back().position;
  }

  static std::size_t join(Found& run, std::size_t log) {
    run.logs.push_back(log);
    return run.position;
  }

  /// Ranks are only read where they are asked for.
  std::optional<Error> rank_logs(Found& run) {
    for (; run.ranked < run.logs.size(); ++run.ranked) {
      auto ranks = ranks_of(*logs_[run.logs[run.ranked]]);
      if (!ranks) return ranks.error();
      run.ranks.merge(*ranks);
    }
    return {};
  }

  void number_by_first_log() {
    constexpr std::size_t none = SIZE_MAX;
    std::vector<std::size_t> place(runs_.all.size(), none);
    std::vector<Run> ordered;
    for (auto& run : runs_.of_log) {
      if (place[run] == none) {
        place[run] = ordered.size();
        ordered.push_back(runs_.all[run]);
      }
      run = place[run];
    }
    runs_.all = std::move(ordered);
  }

  std::optional<Error> count_processes() {
    for (std::size_t log = 0; log < logs_.size(); ++log) {
      Run& run = runs_.all[runs_.of_log[log]];
      if (job(log).nprocs >= 1) continue;  // else the highest rank tells
      auto ranks = ranks_of(*logs_[log]);
      if (!ranks) return ranks.error();
      std::int64_t highest = ranks->empty() ? 0 : std::max<std::int64_t>(*ranks->rbegin(), 0);
      run.nprocs = std::max(run.nprocs, highest == INT64_MAX ? highest : highest + 1);
    }
    for (Run& run : runs_.all) {
      run.first = runs_.nprocs;
      if (__builtin_add_overflow(runs_.nprocs, run.nprocs, &runs_.nprocs))
        return invalid_argument("job", "the processes of all runs together are more than 64 bits count");
    }
    return {};
  }

  Logs logs_;
  Runs runs_;
  std::map<Key, std::vector<Found>> found_;
};

}  // namespace

std::int64_t Runs::number(std::size_t log, std::int64_t rank) const {
  const Run& of = run(log);
  if (rank == -1) return several() && of.nprocs == 1 ? of.first : rank;
  if (rank < 0 || rank > INT64_MAX - of.first) return rank;  // damaged
  return of.first + rank;
}

Result<Runs> find_runs(Logs logs) { return Finder(logs).find(); }

}  // namespace darrow::merging

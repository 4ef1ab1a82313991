#include "merge/shared_files.hpp"

#include <vector>

#include "merge/scan.hpp"

namespace darrow::merging {
namespace {

struct Uses {
  std::int64_t records = 0;
  std::int64_t processes = 0;  ///< that these records stand for
};

/// Who has a record of one file.
class Users {
 public:
  explicit Users(const Runs& runs) : runs_(&runs), whole_(runs.all.size()) {}
  /// A record of a process.
  void add_rank(std::size_t run, std::int64_t rank, std::int64_t records) {
    auto all = static_cast<std::uint64_t>(runs_->nprocs);
    if (ranks_.empty() && all / 64 <= static_cast<std::uint64_t>(records)) ranks_.resize(all);
    auto at = static_cast<std::size_t>(rank);
    if (at >= ranks_.size() || ranks_[at] || whole_[run]) again_ = true;
    else ranks_[at] = true;
  }
  /// A record of all processes of a run.
  void add_run(std::size_t run) {
    const Run& of = runs_->all[run];
    again_ |= whole_[run];
    whole_[run] = true;
    if (ranks_.empty()) return;
    for (std::int64_t rank = of.first; rank < of.first + of.nprocs; ++rank)
      again_ |= ranks_[static_cast<std::size_t>(rank)];
  }
  /// Whether no process was counted twice.
  bool once() const { return !again_; }

 private:
  const Runs* runs_;
  std::vector<bool> whole_;  ///< by run
  std::vector<bool> ranks_;  ///< by rank; empty before the first, or where the records are too few for all
  bool again_ = false;
};

}  // namespace

Result<IdIndex> files_of_all(Logs logs, const Runs& runs, std::string_view module) {
  IdIndex chosen;
  if (runs.nprocs <= 1) return chosen;
  TableOptions options;
  options.part = TableOptions::Part::records;
  options.columns = {"id", "rank"};

  IdIndex files;
  std::vector<Uses> uses;
  auto count = [&](std::size_t log, const Table& batch) {
    auto ids = batch.find("id")->values<std::uint64_t>();
    auto ranks = batch.find("rank")->values<std::int64_t>();
    for (std::size_t row = 0; row < ids.size(); ++row) {
      auto [at, is_new] = files.insert(ids[row]);
      if (is_new) uses.emplace_back();
      Uses& of = uses[static_cast<std::size_t>(at)];
      ++of.records;
      bool is_process = ranks[row] >= 0 && ranks[row] < runs.nprocs;
      auto more = ranks[row] == -1 ? runs.run(log).nprocs : is_process ? 1 : INT64_MAX;
      if (__builtin_add_overflow(of.processes, more, &of.processes)) of.processes = INT64_MAX;
    }
  };
  if (auto error = scan_all(logs, runs, module, options, count)) return *error;

  // As many as there are processes, but is it each of them?
  std::vector<Users> users;
  std::vector<std::int64_t> records;
  IdIndex candidates;
  for (std::int64_t i = 0; i < files.size(); ++i) {
    const Uses& of = uses[static_cast<std::size_t>(i)];
    if (of.processes != runs.nprocs || of.records < 2) continue;
    candidates.insert(files.id(i));
    users.emplace_back(runs);
    records.push_back(of.records);
  }
  if (candidates.size() == 0) return chosen;
  options.keep = [&](std::uint64_t id, std::int64_t) { return candidates.find(id) >= 0; };
  auto look = [&](std::size_t log, const Table& batch) {
    auto ids = batch.find("id")->values<std::uint64_t>();
    auto ranks = batch.find("rank")->values<std::int64_t>();
    for (std::size_t row = 0; row < ids.size(); ++row) {
      auto at = static_cast<std::size_t>(candidates.find(ids[row]));
      if (ranks[row] == -1) users[at].add_run(runs.of_log[log]);
      else users[at].add_rank(runs.of_log[log], ranks[row], records[at]);
    }
  };
  if (auto error = scan_all(logs, runs, module, options, look)) return *error;
  for (std::int64_t i = 0; i < candidates.size(); ++i)
    if (users[static_cast<std::size_t>(i)].once()) chosen.insert(candidates.id(i));
  return chosen;
}

}  // namespace darrow::merging

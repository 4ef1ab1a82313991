#include "cli/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "cli/inputs.hpp"
#include "cli/logs.hpp"
#include "cli/progress.hpp"
#include "render/units.hpp"

namespace darrow::cli {
namespace {

/// Paths from the thread that finds them to those that read.
class PathQueue {
 public:
  void push(std::string path) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return paths_.size() < most; });
    paths_.push_back(std::move(path));
    filled_.notify_one();
  }
  void end() {
    std::lock_guard lock(mutex_);
    ended_ = true;
    filled_.notify_all();
  }
  /// False at the end.
  bool pop(std::string& path) {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !paths_.empty() || ended_; });
    if (paths_.empty()) return false;
    path = std::move(paths_.front());
    paths_.pop_front();
    room_.notify_one();
    return true;
  }

 private:
  static constexpr std::size_t most = 1024;
  std::mutex mutex_;
  std::condition_variable room_, filled_;
  std::deque<std::string> paths_;
  bool ended_ = false;
};

/// What the threads have in common.
class Common {
 public:
  explicit Common(Progress& progress) : progress_(progress) {}
  /// Whether it is the first log with this content.
  bool is_new(const LogIdentity& identity, const std::string& file) {
    std::lock_guard lock(mutex_);
    auto [at, is_first] = seen_.try_emplace(identity, file);
    if (!is_first) repeated.emplace_back(file, at->second);
    return is_first;
  }
  void fail(Error error, bool counted) {
    std::lock_guard lock(mutex_);
    failures.push_back({std::move(error), counted});
  }
  void done() {
    std::lock_guard lock(mutex_);
    if (++read_ % 100 == 0) progress_.tell(fmt::format("{} logs read", read_));
  }
  std::vector<std::pair<std::string, std::string>> repeated;
  std::vector<Failure> failures;

 private:
  Progress& progress_;
  std::mutex mutex_;
  std::map<LogIdentity, std::string> seen_;
  std::int64_t read_ = 0;
};

/// Adds one log to the sums of a thread.
void add_log(const std::string& argument, const OpenOptions& open, bool fail_partial, GroupSummary& sums,
             Common& common) {
  std::string file = display_name(argument);
  auto fail = [&](Error error, bool counted) {
    error.file = file;
    common.fail(std::move(error), counted);
  };
  try {
    auto log = argument == "-" ? open_log(argument, open) : Log::open(argument, open);
    if (!log) return fail(log.error(), false);
    if (!common.is_new(identity_of(**log), file)) return;
    if (open.strict)
      if (auto error = first_error(file, (*log)->verify())) return fail(*error, false);
    if (auto error = sums.add(**log)) return fail(*error, false);
    for (auto& problem : (*log)->problems())
      if (problem.severity() == Severity::error) fail(as_error(file, problem), true);
    if (!fail_partial) return;
    for (auto& info : (*log)->modules())
      if (info.partial)
        fail({.code = ErrorCode::corrupt,
              .message = "the module is partial: Darshan ran out of memory",
              .file = {},
              .region = info.name,
              .offset = {}},
             true);
  } catch (const std::bad_alloc&) {
    fail({.code = ErrorCode::out_of_memory, .message = "not enough memory", .file = {}, .region = {}, .offset = {}},
         false);
  }
}

}  // namespace

Gathered gather(const std::vector<std::string>& arguments, const GroupSummaryOptions& options, const OpenOptions& open,
                bool fail_partial, unsigned threads) {
  Progress progress;
  Common common(progress);
  PathQueue paths;
  std::vector<GroupSummary> sums;
  threads = std::clamp(threads ? threads : std::thread::hardware_concurrency(), 1u, 256u);
  for (unsigned i = 0; i < threads; ++i) sums.emplace_back(options);
  std::vector<std::thread> readers;
  for (auto& own : sums)
    readers.emplace_back([&] {
      for (std::string path; paths.pop(path); common.done()) add_log(path, open, fail_partial, own, common);
    });
  each_log_path(
      arguments,
      [&](const std::string& path) {
        paths.push(path);
        return true;
      },
      [&](const Error& error) { common.fail(error, false); });
  paths.end();
  for (auto& reader : readers) reader.join();
  for (std::size_t i = 1; i < sums.size(); ++i) sums[0].merge(std::move(sums[i]));
  auto by_file = [](const Failure& a, const Failure& b) { return a.error.file < b.error.file; };
  std::stable_sort(common.failures.begin(), common.failures.end(), by_file);
  std::sort(common.repeated.begin(), common.repeated.end());
  auto logs = sums[0].logs();
  return {std::move(sums[0]), logs, std::move(common.repeated), std::move(common.failures)};
}

}  // namespace darrow::cli

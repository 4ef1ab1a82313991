#include "cli/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "cli/inputs.hpp"
#include "cli/logs.hpp"
#include "cli/progress.hpp"
#include "cli/seen_logs.hpp"

namespace darrow::cli {
namespace {

/// Paths, with their numbers from 0, from the thread that finds them to those that read.
class PathQueue {
 public:
  struct Item {
    std::string path;
    std::size_t number = 0;
  };
  void push(std::string path) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return paths_.size() < most; });
    paths_.push_back({std::move(path), pushed_++});
    filled_.notify_one();
  }
  void end() {
    std::lock_guard lock(mutex_);
    ended_ = true;
    filled_.notify_all();
  }
  /// False at the end.
  bool pop(Item& item) {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !paths_.empty() || ended_; });
    if (paths_.empty()) return false;
    item = std::move(paths_.front());
    paths_.pop_front();
    room_.notify_one();
    return true;
  }

 private:
  static constexpr std::size_t most = 1024;
  std::mutex mutex_;
  std::condition_variable room_, filled_;
  std::deque<Item> paths_;
  std::size_t pushed_ = 0;
  bool ended_ = false;
};

/// What the threads have in common.
class Common {
 public:
  explicit Common(Progress& progress) : progress_(progress) {}
  /// Whether log `number` is the first one with its content; nothing if it has none. Logs are judged in the order of their
  /// numbers, each once: this waits for those before.
  bool is_new(std::size_t number, const std::optional<LogIdentity>& identity, const std::string& file) {
    std::unique_lock lock(mutex_);
    judged_.wait(lock, [&] { return next_ == number; });
    ++next_;
    judged_.notify_all();
    if (!identity) return false;
    auto first = seen_.add(*identity, file);
    if (first) repeated.emplace_back(file, *first);
    return !first;
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
  std::condition_variable judged_;
  std::size_t next_ = 0;  ///< log to be judged
  SeenLogs seen_;
  std::int64_t read_ = 0;
};

Error no_memory() {
  return {.code = ErrorCode::out_of_memory, .message = "not enough memory", .file = {}, .region = {}, .offset = {}};
}

/// The log, and what tells it from others; or an error.
Result<std::pair<std::shared_ptr<const Log>, LogIdentity>> identified(const std::string& argument,
                                                                      const OpenOptions& open) {
  try {
    auto log = argument == "-" ? open_log(argument, open) : Log::open(argument, open);
    if (!log) return log.error();
    return std::pair(*log, identity_of(**log));
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

/// One failure for a log: the first of its errors, and how many more there are.
std::optional<Error> lost_in(const Log& log, const std::string& file, bool fail_partial) {
  std::optional<Error> first;
  std::size_t more = 0;
  for (auto& problem : log.problems()) {
    if (problem.severity() != Severity::error) continue;
    if (first) ++more;
    else first = as_error(file, problem);
  }
  if (first && more) first->message += fmt::format("; {} more problem{}", more, more == 1 ? "" : "s");
  if (first || !fail_partial) return first;
  for (auto& info : log.modules())
    if (info.partial)
      return Error{.code = ErrorCode::corrupt,
                   .message = "the module is partial: Darshan ran out of memory",
                   .file = file,
                   .region = info.name,
                   .offset = {}};
  return {};
}

/// Adds one log to the sums of a thread.
void add_log(const PathQueue::Item& item, const OpenOptions& open, bool fail_partial, GroupSummary& sums,
             Common& common) {
  std::string file = display_name(item.path);
  auto fail = [&](Error error, bool counted) {
    error.file = file;
    common.fail(std::move(error), counted);
  };
  auto log = identified(item.path, open);
  bool is_new = common.is_new(item.number, log ? std::optional(log->second) : std::nullopt, file);
  if (!log) return fail(log.error(), false);
  if (!is_new) return;
  try {
    if (open.strict)
      if (auto error = first_error(file, log->first->verify())) return fail(*error, false);
    if (auto error = sums.add(*log->first)) return fail(*error, false);
    if (auto error = lost_in(*log->first, file, fail_partial)) fail(*error, true);
  } catch (const std::bad_alloc&) {
    fail(no_memory(), false);
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
  try {
    for (auto& own : sums)
      readers.emplace_back([&] {
        for (PathQueue::Item item; paths.pop(item); common.done()) add_log(item, open, fail_partial, own, common);
      });
  } catch (const std::system_error&) {  // no more threads: those that run will do
  }
  std::size_t number = 0;
  auto read = [&](const std::string& path) {
    if (!readers.empty()) {
      paths.push(path);
    } else {
      add_log({path, number++}, open, fail_partial, sums[0], common);
      common.done();
    }
    return true;
  };
  std::exception_ptr failure;
  try {
    each_log_path(arguments, read, [&](const Error& error) { common.fail(error, false); });
  } catch (...) {
    failure = std::current_exception();
  }
  paths.end();
  for (auto& reader : readers) reader.join();
  if (failure) std::rethrow_exception(failure);
  for (std::size_t i = 1; i < sums.size(); ++i) sums[0].merge(std::move(sums[i]));
  auto by_file = [](const Failure& a, const Failure& b) { return a.error.file < b.error.file; };
  std::stable_sort(common.failures.begin(), common.failures.end(), by_file);
  std::sort(common.repeated.begin(), common.repeated.end());
  auto logs = sums[0].logs();
  return {std::move(sums[0]), logs, std::move(common.repeated), std::move(common.failures)};
}

}  // namespace darrow::cli

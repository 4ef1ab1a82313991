#include "cli/many_logs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "cli/logs.hpp"
#include "cli/progress.hpp"
#include "cli/seen_logs.hpp"
#include "darrow/group_summary.hpp"
#include "darrow/log_paths.hpp"

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
    if (first) result.repeated.emplace_back(file, *first);
    return !first;
  }
  void fail(Failure failure) {
    std::lock_guard lock(mutex_);
    result.failures.push_back(std::move(failure));
  }
  void done() {
    std::lock_guard lock(mutex_);
    if (++read_ % 100 == 0) progress_.tell(fmt::format("{} logs read", read_));
  }
  ManyLogs result;

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

/// The log, and what tells it from others if that is asked for; or an error.
Result<std::pair<std::shared_ptr<const Log>, LogIdentity>> identified(const std::string& argument,
                                                                      const ManyLogsOptions& options) {
  try {
    auto log = argument == "-" ? open_log(argument, options.open) : Log::open(argument, options.open);
    if (!log) return log.error();
    return std::pair(*log, options.once ? identity_of(**log) : LogIdentity{});
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

/// Reads logs until there are no more.
class Reader {
 public:
  Reader(const ManyLogsOptions& options, const std::function<std::optional<Failure>(const LogItem&)>& take,
         Common& common, unsigned worker)
      : options_(options), take_(take), common_(common), worker_(worker) {}

  void read(const PathQueue::Item& item) {
    std::string file = display_name(item.path);
    if (auto failure = failure_of(item, file)) {
      failure->error.file = file;
      common_.fail(std::move(*failure));
    }
    common_.done();
  }

 private:
  std::optional<Failure> failure_of(const PathQueue::Item& item, const std::string& file) {
    auto log = identified(item.path, options_);
    if (options_.once) {
      bool is_new = common_.is_new(item.number, log ? std::optional(log->second) : std::nullopt, file);
      if (log && !is_new) return {};
    }
    if (!log) return Failure{log.error()};
    try {
      if (options_.open.strict)
        if (auto error = first_error(file, log->first->verify())) return Failure{*error};
      return take_({.log = log->first, .file = file, .number = item.number, .worker = worker_});
    } catch (const std::bad_alloc&) {
      return Failure{no_memory()};
    }
  }

  const ManyLogsOptions& options_;
  const std::function<std::optional<Failure>(const LogItem&)>& take_;
  Common& common_;
  unsigned worker_;
};

}  // namespace

unsigned workers(unsigned threads) {
  return std::clamp(threads ? threads : std::thread::hardware_concurrency(), 1u, 256u);
}

ManyLogs read_many(const std::vector<std::string>& arguments, const ManyLogsOptions& options,
                   const std::function<std::optional<Failure>(const LogItem&)>& take) {
  Progress progress;
  Common common(progress);
  PathQueue paths;
  std::vector<std::thread> threads;
  try {
    for (unsigned i = 0; i < workers(options.threads); ++i)
      threads.emplace_back([&, i] {
        Reader reader(options, take, common, i);
        for (PathQueue::Item item; paths.pop(item);) reader.read(item);
      });
  } catch (const std::system_error&) {  // no more threads: those that run will do
  }
  Reader here(options, take, common, 0);  // if there are none
  std::size_t number = 0;
  auto read = [&](const std::string& path) {
    if (threads.empty()) here.read({path, number++});
    else paths.push(path);
    return true;
  };
  auto fail = [&](const Error& error) { common.fail({error}); };
  std::exception_ptr failure;
  try {
    each_log_path(arguments, read, fail, options.every_file);
  } catch (...) {
    failure = std::current_exception();
  }
  paths.end();
  for (auto& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  auto by_file = [](const Failure& a, const Failure& b) { return a.error.file < b.error.file; };
  std::stable_sort(common.result.failures.begin(), common.result.failures.end(), by_file);
  std::sort(common.result.repeated.begin(), common.result.repeated.end());
  return std::move(common.result);
}

std::optional<Error> lost_in(const Log& log, const std::string& file,
                             const std::function<bool(const Problem&)>& matters) {
  std::optional<Error> first;
  std::size_t more = 0;
  for (auto& problem : log.problems()) {
    if (problem.severity() != Severity::error || (matters && !matters(problem))) continue;
    if (first) ++more;
    else first = as_error(file, problem);
  }
  if (first && more) first->message += fmt::format("; {} more problem{}", more, more == 1 ? "" : "s");
  return first;
}

}  // namespace darrow::cli

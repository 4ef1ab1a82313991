// `darrow merge`: several logs into one.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/logs.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "darrow/log_paths.hpp"

namespace darrow::cli {
namespace {

class Merging {
 public:
  explicit Merging(const MergeRequest& request) : request_(request) {}
  /// The exit code, or why nothing was written.
  Result<ExitCode> run();

 private:
  Result<ExitCode> merge_logs();
  void open_logs();
  /// Whether the merged log takes the place of this one, by whatever path.
  bool is_output(const std::string& argument) const {
    std::error_code failure;
    return argument != "-" && request_.out != "-" && std::filesystem::equivalent(argument, request_.out, failure);
  }
  /// Whether the command line names that log itself, not just a directory, pattern or list that it comes from: then it is
  /// merged too, as the output takes its place when all is read.
  bool output_is_named() const {
    std::error_code failure;
    return std::filesystem::is_regular_file(request_.out, failure) &&
           std::ranges::any_of(request_.logs, [&](auto& argument) { return is_output(argument); });
  }
  /// A log that can be merged, or why it cannot.
  Result<std::shared_ptr<const Log>> usable_log(const std::string& argument) const;
  Result<Merged> merged();
  std::optional<Error> write(LogWriter& writer) const;
  void lose(const Error& error) {
    lost_ = true;
    complain(error.describe());
  }
  /// Notes tell what was decided, so they are told too.
  void tell(const std::vector<Problem>& problems);

  const MergeRequest& request_;
  std::vector<std::shared_ptr<const Log>> logs_;
  bool lost_ = false;
  bool output_unread_ = false;  ///< a log that is named and would be overwritten could not be read
};

Result<ExitCode> Merging::run() {
  std::error_code failure;
  if (!request_.overwrite && request_.out != "-" && std::filesystem::is_regular_file(request_.out, failure))
    return exists_already(request_.out);  // at once, not after all the work
  open_logs();
  if (output_unread_)
    return plain_error(ErrorCode::invalid_argument,
                       "merge: it is one of the logs, which cannot be read, and would be overwritten");
  if (logs_.empty()) return plain_error(ErrorCode::not_found, "merge: no log that can be merged");
  if (lost_ && request_.open.strict)
    return plain_error(ErrorCode::corrupt, "merge: not all logs can be read, and --strict refuses to go without them");
  auto result = merge_logs();
  if (!result && result.error().file.empty()) result.error().file = display_name(request_.out);
  return result;
}

void Merging::open_logs() {
  auto open = [&](const std::string& argument) {
    auto log = usable_log(argument);
    if (log) logs_.push_back(*log);
    else lose(log.error());
    output_unread_ |= !log && is_output(argument) && output_is_named();
    return true;
  };
  each_log_path(request_.logs, open, [&](const Error& error) { lose(error); });
}

Result<std::shared_ptr<const Log>> Merging::usable_log(const std::string& argument) const {
  std::string file = display_name(argument);
  auto fail = [&](ErrorCode code, std::string message) {
    auto error = plain_error(code, std::move(message));
    error.file = file;
    return error;
  };
  if (is_output(argument) && !output_is_named())
    return fail(ErrorCode::invalid_argument, "left out: it is where the merged log is written");
  auto log = open_log(argument, request_.open);
  if (!log) return log.error();
  if (request_.open.strict)
    if (auto error = first_error(file, (*log)->verify())) return *error;
  if (!(*log)->job()) return fail(ErrorCode::corrupt, "left out: its job cannot be read");
  return log;
}

Result<ExitCode> Merging::merge_logs() {
  auto result = merged();
  if (!result) return result.error();
  if (auto error = write(result->writer)) return *error;
  tell(result->problems);
  for (const auto& log : logs_) {
    auto problems = log->problems();
    complain_about(log->path(), problems);
    lost_ |= first_error(log->path(), problems).has_value();
  }
  for (auto& problem : result->writer.problems())
    if (problem.kind == ProblemKind::value_left_out) complain(as_error(request_.out, problem).describe());
  return lost_ ? lost : done;
}

Result<Merged> Merging::merged() {
  Progress progress;
  MergeOptions options = request_.merge;
  options.write.strict = request_.open.strict;
  options.progress = [&](std::string_view module, std::size_t log) {
    progress.tell(fmt::format("darrow: {}, {} of {} logs", module, log + 1, logs_.size()));
  };
  return merge(logs_, options);
}

std::optional<Error> Merging::write(LogWriter& writer) const {
  auto size = request_.out == "-" ? writer.write(STDOUT_FILENO, "standard output")
                                  : writer.write(request_.out, request_.overwrite);
  if (size) return {};
  return size.error().system_error == EEXIST ? exists_already(request_.out) : size.error();
}

void Merging::tell(const std::vector<Problem>& problems) {
  for (const auto& problem : problems) {
    Error error = as_error(display_name(request_.out), problem);
    if (problem.severity() == Severity::error) lose(error);
    else complain(fmt::format("{}: {}", to_string(problem.severity()), error.describe()));
  }
}

}  // namespace

int run_merge(const MergeRequest& request) {
  if (request.out == "-" && isatty(STDOUT_FILENO)) {
    complain("merge: the standard output is a terminal, and a log is no text: name a file");
    return usage;
  }
  if (request.out.empty()) {
    complain("merge: --output needs the name of a file, and \"\" is none");
    return usage;
  }
  if (auto writer = LogWriter::create(request.merge.write); !writer) {
    complain("merge: " + writer.error().message);
    return usage;
  }
  handle_signals();
  try {
    auto result = Merging(request).run();
    if (result) return *result;
    complain(result.error().describe());
  } catch (const std::bad_alloc&) {
    complain("merge: not enough memory");
  }
  return nothing;
}

}  // namespace darrow::cli

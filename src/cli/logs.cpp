#include "cli/logs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "cli/exit_code.hpp"
#include "cli/output.hpp"

namespace darrow::cli {
namespace {

constexpr std::size_t most_complaints = 5;  // of one log

}  // namespace

std::string display_name(const std::string& argument) { return argument == "-" ? "<stdin>" : argument; }

namespace {

/// A mapped log became shorter under our hands: what is left of it cannot be told from what was there.
void log_shrank(int) {
  constexpr std::string_view message = "darrow: a log became shorter while it was read\n";
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(nothing);
}

}  // namespace

Result<std::shared_ptr<const Log>> open_log(const std::string& argument, OpenOptions options) {
  if (argument == "-") return Log::from_descriptor(STDIN_FILENO, display_name(argument), options);
  std::signal(SIGBUS, log_shrank);
  options.map_file = true;
  return Log::open(argument, options);
}

Error exists_already(const std::string& path) {
  return {.code = ErrorCode::io,
          .message = "exists already: --force overwrites it",
          .file = path,
          .region = {},
          .offset = {},
          .system_error = EEXIST};
}

Error plain_error(ErrorCode code, std::string message) {
  return {.code = code, .message = std::move(message), .file = {}, .region = {}, .offset = {}};
}

Error as_error(const std::string& file, const Problem& problem) {
  return {.message = problem.message,
          .file = file,
          .region = problem.region,
          .offset = problem.offset,
          .inflated = problem.inflated};
}

std::optional<Error> first_error(const std::string& file, const std::vector<Problem>& problems) {
  for (auto& problem : problems)
    if (problem.severity() == Severity::error) return as_error(file, problem);
  return {};
}

void complain_about(const std::string& file, const std::vector<Problem>& problems) {
  std::vector<Error> errors, warnings;
  for (auto& problem : problems) {
    if (problem.severity() == Severity::note) continue;
    bool lost = problem.severity() == Severity::error;
    auto& list = lost ? errors : warnings;
    list.push_back(as_error(file, problem));
    if (!lost) list.back().message.insert(0, "warning: ");
  }
  errors.insert(errors.end(), warnings.begin(), warnings.end());
  std::size_t shown = std::min(errors.size(), most_complaints);
  for (std::size_t i = 0; i < shown; ++i) complain(errors[i].describe());
  if (shown < errors.size())
    complain(fmt::format("{}: {} more problems: darrow info tells all", file, errors.size() - shown));
}

void Outcome::failed(const Error& error) {
  any_failed_ = true;
  complain(error.describe());
}

void Outcome::lacks(const Error& error) {
  any_lost_ = true;
  complain(error.describe());
}

namespace {

/// Whether a log without a job holds nothing else that can be read either.
bool is_empty(const Log& log) {
  if (log.job()) return false;
  if (auto names = log.names(); names && (*names)->size() > 0) return false;
  for (auto& module : log.modules()) {
    if (module.status == ModuleStatus::readable) {
      if (auto records = log.records(module.name); records && *records > 0) return false;
    } else if (auto bytes = log.bytes(module.name); bytes && !bytes->empty()) {
      return false;
    }
  }
  return true;
}

}  // namespace

void Outcome::read(const Log& log, const std::vector<Problem>& problems) {
  if (is_empty(log)) any_failed_ = true;
  else any_read_ = true;
  auto modules = log.modules();
  bool partial = std::any_of(modules.begin(), modules.end(), [](auto& m) { return m.partial; });
  if (first_error(log.path(), problems) || (partial && fail_partial_)) any_lost_ = true;
}

int Outcome::exit_code() const {
  if (!any_read_) return nothing;
  return any_failed_ || any_lost_ ? lost : done;
}

}  // namespace darrow::cli

#include "cli/logs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/exit_code.hpp"
#include "cli/output.hpp"

namespace darrow::cli {
namespace {

constexpr std::size_t most_complaints = 5;  // of one log

Error io_error(const std::string& file) {
  return {.code = ErrorCode::io,
          .message = std::strerror(errno),
          .file = file,
          .region = {},
          .offset = {},
          .system_error = errno};
}

Result<std::vector<std::byte>> read_to_end(int fd, const std::string& file) {
  std::vector<std::byte> bytes(64 * 1024);
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(2 * used);
    auto n = ::read(fd, bytes.data() + used, bytes.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error(file);
    if (n == 0) break;
    used += static_cast<std::size_t>(n);
  }
  bytes.resize(used);
  return bytes;
}

Result<std::shared_ptr<const Log>> open_stream(int fd, const std::string& file, const OpenOptions& options) {
  auto bytes = read_to_end(fd, file);
  if (!bytes) return bytes.error();
  return Log::from_bytes(std::move(*bytes), file, options);
}

}  // namespace

std::string display_name(const std::string& argument) { return argument == "-" ? "<stdin>" : argument; }

Result<std::shared_ptr<const Log>> open_log(const std::string& argument, const OpenOptions& options) {
  if (argument == "-") return open_stream(STDIN_FILENO, display_name(argument), options);
  struct stat status{};
  bool pipe = stat(argument.c_str(), &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
  if (!pipe) return Log::open(argument, options);
  int fd = ::open(argument.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return io_error(argument);
  auto log = open_stream(fd, argument, options);
  close(fd);
  return log;
}

Error as_error(const std::string& file, const Problem& problem) {
  return {.message = problem.message,
          .file = file,
          .region = problem.region,
          .offset = problem.offset,
          .inflated = problem.inflated};
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
    complain(fmt::format("{}: {} more problems: see darrow info", file, errors.size() - shown));
}

void Outcome::failed(const Error& error) {
  any_failed_ = true;
  complain(error.describe());
}

void Outcome::read(const Log& log, const std::vector<Problem>& problems) {
  any_read_ = true;
  auto modules = log.modules();
  bool partial = std::any_of(modules.begin(), modules.end(), [](auto& m) { return m.partial; });
  bool error = std::any_of(problems.begin(), problems.end(), [](auto& p) { return p.severity() == Severity::error; });
  if (error || (partial && fail_partial_)) any_lost_ = true;
}

int Outcome::exit_code() const {
  if (!any_read_) return nothing;
  return any_failed_ || any_lost_ ? lost : done;
}

}  // namespace darrow::cli

/// Reading the logs of a command line, and telling what went wrong with them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "darrow/log.hpp"

namespace darrow::cli {

/// The name that a log of the command line has in all output.
std::string display_name(const std::string& argument);
/// Opens a path, a pipe, or "-".
Result<std::shared_ptr<const Log>> open_log(const std::string& argument, OpenOptions options);

/// A log of that path would be overwritten.
Error exists_already(const std::string& path);
/// An error of no place.
Error plain_error(ErrorCode code, std::string message);
/// A problem as an error of that file, to be described in one line.
Error as_error(const std::string& file, const Problem& problem);
/// The first one of severity error, as an error.
std::optional<Error> first_error(const std::string& file, const std::vector<Problem>& problems);
/// Complains about the worst problems of a log, the errors first; notes are left out.
void complain_about(const std::string& file, const std::vector<Problem>& problems);

/// What has become of the logs of a command line.
class Outcome {
 public:
  explicit Outcome(const LogOptions& options) : fail_partial_(options.fail_partial) {}
  /// A log could not be read; complains.
  void failed(const Error& error);
  /// A log was read, but not all that was asked for is in it; complains.
  void lacks(const Error& error);
  /// A log was read, with these problems.
  void read(const Log& log, const std::vector<Problem>& problems);
  int exit_code() const;

 private:
  bool fail_partial_;
  bool any_read_ = false, any_failed_ = false, any_lost_ = false;
};

}  // namespace darrow::cli

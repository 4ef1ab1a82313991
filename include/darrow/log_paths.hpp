/// The logs that arguments stand for: those of a command line, or of a function that takes many logs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "darrow/result.hpp"

namespace darrow {

/// Calls each(path) for every log: files and "-" as they are; of directories all files below that end with ".darshan" or
/// ".darshan_partial", in order of their names; what a pattern with *, ? or [ matches if there is no file of that name;
/// what the lines of a file say that is given as "@FILE" ("@-": the standard input). Ends when `each` returns false.
/// `failed` gets an error for each argument that leads nowhere. `every_file`: of directories all regular files, whatever they
/// are called.
void each_log_path(const std::vector<std::string>& arguments, const std::function<bool(const std::string&)>& each,
                   const std::function<void(const Error&)>& failed, bool every_file = false);

}  // namespace darrow

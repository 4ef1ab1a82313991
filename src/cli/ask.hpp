/// What other programs answer.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

namespace darrow::cli {

/// What each program writes to its standard output when it is run with one argument, all at the same time. Empty for one
/// without a path, that cannot be run, writes more than a megabyte, or is not done in time; it is ended then. What they
/// write to the standard error goes nowhere, and they have no input.
std::vector<std::string> ask(std::span<const std::string> programs, const char* argument,
                             std::chrono::milliseconds patience);

}  // namespace darrow::cli

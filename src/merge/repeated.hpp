/// Records that several logs of one run have.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "darrow/problem.hpp"
#include "merge/runs.hpp"

namespace darrow::merging {

/// Tells records of a module that agree in id and rank with one of another log of the same run: both are in the merged log, and
/// count twice. Logs converted before they are given again bring that about, and parts of a log that overlap.
/// Errors: those of Log::scan().
std::optional<Error> tell_repeated(Logs logs, const Runs& runs, std::string_view module,
                                   std::vector<Problem>& problems);

}  // namespace darrow::merging

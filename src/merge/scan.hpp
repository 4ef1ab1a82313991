/// The records of a module of all logs.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "merge/runs.hpp"

namespace darrow::merging {

/// Calls each(log, batch) for the records of every log that has some of the module, with the ranks of the merged log.
/// Errors: those of Log::scan().
std::optional<Error> scan_all(Logs logs, const Runs& runs, std::string_view module, const TableOptions& options,
                              const std::function<void(std::size_t log, const Table& batch)>& each);

}  // namespace darrow::merging

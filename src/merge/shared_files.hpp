/// Files that all processes used.
#pragma once

#include <string_view>

#include "base/id_index.hpp"
#include "merge/runs.hpp"

namespace darrow::merging {

/// The files of a module of which each process has one record: its own, or that of all ranks of its run. Files with one
/// record for all are not among them, nor those of a job of one process. Errors: those of Log::scan().
Result<IdIndex> files_of_all(Logs logs, const Runs& runs, std::string_view module);

}  // namespace darrow::merging

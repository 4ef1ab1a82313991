/// The tables of a scan that tell of a log as a whole: the columns of the log's own tables, and some more.
#pragma once

#include "scan/scan_table.hpp"

namespace darrow {

// Rows of one log, without the columns `log` and `jobid`; null: the columns without rows.

Table jobs_of(const Log* log);
Result<Table> names_of(const Log* log, const NameFilter& filter);
Table mounts_of(const Log* log);
Table metadata_of(const Log* log);
/// What was met so far.
Table problems_of(const Log* log);
Result<Table> metrics_of(const Log* log);
/// `regions`: whether the columns that need the regions to be read are wanted: `inflated`, `records`, `damaged`, `data`.
Result<Table> modules_of(const Log* log, bool regions);
/// The names of those columns.
bool needs_regions(std::string_view column);

/// Reads all regions that were not yet read whole, so that all problems are known. Error: strict: corrupt.
std::optional<Error> read_rest(const Log& log, std::span<const int> read_modules);

}  // namespace darrow

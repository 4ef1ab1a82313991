/// The tables of a scan that tell of a log as a whole: the columns of the log's own tables, and some more.
#pragma once

#include "aggregate/layer_sums.hpp"
#include "scan/name_filter.hpp"

namespace darrow {

// Rows of one log, without the columns `log` and `jobid`; null: the columns without rows.

Table jobs_of(const Log* log);
/// Names begin up to end.
Table names_of(const Names* names, const NameFilter& filter, std::int64_t begin, std::int64_t end);
Table mounts_of(const Log* log);
Table metadata_of(const Log* log);
/// What was met so far.
Table problems_of(const Log* log);
/// What was summed up, the modules that were not yet included.
Result<Table> metrics_of(const Log* log, LayerSums* sums);

/// What is known of a region once it was read.
struct RegionFacts {
  int id = 0;  ///< of the module
  std::uint64_t inflated = 0;
  std::optional<std::int64_t> records = {};  ///< none of a region that is bytes only
  Buffer data = {};                          ///< of such a region
};

/// `regions`: whether the columns that need the regions to be read are wanted: `inflated`, `records`, `damaged`, `data`. Regions that are not
/// among those `known` are read for this.
Result<Table> modules_of(const Log* log, bool regions, std::span<const RegionFacts> known = {});
/// The names of those columns.
bool needs_regions(std::string_view column);

/// Reads all regions but these, which were read whole, so that all problems are known. Errors: strict: corrupt.
std::optional<Error> read_rest(const Log& log, std::span<const RegionFacts> known);

}  // namespace darrow

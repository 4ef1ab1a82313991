/// What `darrow summary --by` tells, in each format.
#pragma once

#include <vector>

#include "cli/chosen_metrics.hpp"
#include "cli/gather.hpp"
#include "render/sink.hpp"
#include "render/text_table.hpp"

namespace darrow::cli {

/// The rows of a table of groups that are told, in their order: by module, and of each the first `limit`.
struct GroupRows {
  std::shared_ptr<const Table> table;
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> left_out;  ///< how many of each module, in the order of `rows`
};

/// Does the work and returns the exit code.
int run_group_summary(const SummaryRequest& request);

void groups_text(const Gathered& gathered, const GroupRows& groups, render::Sink& sink, const render::Look& look);

}  // namespace darrow::cli

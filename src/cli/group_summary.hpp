/// What `darrow summary --by` tells, in each format.
#pragma once

#include <vector>

#include "cli/chosen_metrics.hpp"
#include "cli/gather.hpp"
#include "render/sink.hpp"
#include "render/text_table.hpp"

namespace darrow::cli {

/// Does the work and returns the exit code.
int run_group_summary(const SummaryRequest& request);

void groups_text(const Gathered& gathered, const GroupSummary::Groups& groups, const ChosenMetrics& chosen,
                 render::Sink& sink, const render::Look& look);

}  // namespace darrow::cli

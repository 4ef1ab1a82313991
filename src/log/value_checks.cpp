#include "log/value_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "modules/tables.hpp"

namespace darrow {

void ValueChecks::add(Records& records, ProblemCounts& problems) {
  add_ranks(records, problems);
  if (records.module == &tables::heatmap) add_heatmaps(records, problems);
}

void ValueChecks::add_ranks(const Records& records, ProblemCounts& problems) {
  std::int64_t beyond = 0, below = 0;
  for (auto rank : records.columns[1].values<std::int64_t>().subspan(records.continued ? 1 : 0)) {
    below += rank < -1;
    beyond += nprocs_ >= 1 && rank >= nprocs_;
    highest_ = std::max(highest_, rank);
  }
  problems.add(ProblemKind::rank_beyond_nprocs, beyond,
               fmt::format("records of ranks that the job does not have: {{}}; it has {} processes, the highest rank "
                           "is {}",
                           nprocs_, highest_));
  problems.add(ProblemKind::rank_below_minus_one, below, "records of a rank below -1: {}");
}

/// Heat maps of one layer should agree in bins and width, and bins are bytes.
void ValueChecks::add_heatmaps(Records& records, ProblemCounts& problems) {
  const Column *widths = records.find("bin_width_seconds"), *counts = records.find("nbins");
  if (widths && counts) {
    auto ids = records.columns[0].values<std::uint64_t>();
    auto width = widths->values<double>();
    auto count = counts->values<std::int64_t>();
    std::int64_t differ = 0;
    for (std::size_t r = 0; r < ids.size(); ++r) {
      auto [layer, is_new] = layers_.insert(ids[r]);
      Bins bins{width[r], count[r]};
      if (is_new) first_.push_back(bins);
      differ += bins != first_[static_cast<std::size_t>(layer)];
    }
    problems.add(ProblemKind::heatmap_uneven, differ,
                 "records that differ in bins or width from the first of their layer: {}");
  }
  std::int64_t negative = 0;
  for (const auto& e : records.elements)
    for (auto bytes : e.columns[0].values<std::int64_t>()) negative += bytes < 0;
  problems.add(ProblemKind::negative_bins, negative, "bins of negative bytes: {}");
}

}  // namespace darrow

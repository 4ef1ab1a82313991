/// The job region: who ran what, when, and which file systems were mounted.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/problem_sink.hpp"
#include "darrow/job.hpp"
#include "format/header.hpp"

namespace darrow {

struct JobRegion {
  std::optional<Job> job;     ///< none if the region is too short
  std::vector<Mount> mounts;  ///< file order
};

/// Parses the inflated job region. `whole`: nothing of it was lost; else a last line without end is no mount.
JobRegion parse_job(std::span<const std::byte> region, const Header& header, bool whole, ProblemSink& problems);

}  // namespace darrow

/// The job region: who ran what, when, and which file systems were mounted.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/problem_sink.hpp"
#include "darrow/job.hpp"
#include "darrow/result.hpp"
#include "format/header.hpp"

namespace darrow {

struct JobRegion {
  std::optional<Job> job;     ///< none if the region is too short
  std::vector<Mount> mounts;  ///< file order
  UpstreamJobTexts upstream;
};

/// From the start of the job to its end, whether it has one or not; inclusive (+1 s) in formats without nanoseconds.
double seconds_between(const Job& job, bool nanoseconds);

/// Parses the inflated job region. `whole`: nothing of it was lost; else a last line without end is no mount.
JobRegion parse_job(std::span<const std::byte> region, const Header& header, bool whole, ProblemSink& problems);

/// The inflated job region of format 3.41. Where `run_time` is that of the formats before, one second more than the
/// difference of the times, the end is written one second later, so that the run time stays; a run time that is neither
/// is an error. Errors: invalid_argument (it does not fit 4,096 bytes, text that would be read as something else).
Result<std::vector<std::byte>> encode_job(const Job& job, std::span<const Mount> mounts, ByteOrder order);

}  // namespace darrow

/// How compressed streams end, and what is told of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/problem_sink.hpp"

namespace darrow {

/// How a stream ended.
enum class End { complete, damaged, truncated, full, not_a_stream };

/// What one stream took and gave.
struct Step {
  End end;
  std::size_t in, out;
};

/// Where a stream lies, and what it may inflate to.
struct StreamPlace {
  int number;            ///< 1: the first one of the region
  std::uint64_t offset;  ///< in the file
  std::size_t rest;      ///< compressed bytes of the region from there on
  std::size_t region;    ///< compressed bytes of the region
  std::uint64_t before;  ///< inflated bytes of the streams before
  std::uint64_t limit;   ///< most inflated bytes of the region
};

/// Reports a stream that is not complete.
void report_end(const Step& step, const StreamPlace& place, ProblemSink& problems);

bool starts_zlib(std::span<const std::byte> in);

}  // namespace darrow

/// Traces (DXT) record by record: segments come in pieces, so that memory does not grow with their number.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "darrow/log.hpp"

namespace darrow {

/// What one rank did with one file, without the single accesses.
struct TraceRecord {
  std::uint64_t id = 0;
  std::int64_t rank = 0;
  std::string_view host;                ///< bytes as stored; valid during the call only
  std::int64_t writes = 0, reads = 0;   ///< segments that follow, the writes first
  std::optional<std::int64_t> threads;  ///< different ones among them; none: this version does not tell threads
};

/// One access. Times in seconds since the start of the job.
struct TraceSegment {
  std::int64_t offset = 0;  ///< −1: this version does not tell
  std::int64_t length = 0;  ///< bytes
  double start = 0, end = 0;
  std::uint64_t thread = 0;
};

struct TraceOptions {
  bool upstream_values = false;  ///< as TableOptions has it
};

/// Reads a module whose table has a row for each segment. `record` is called for each record, then `segments` for all of its
/// segments in order, in pieces. Of a region that is too large to inflate at once a damaged last record may have fewer segments than
/// it tells; that is a problem of the log, as all damage. Returns the number of records.
/// Errors: not_found, unsupported_version, invalid_argument (no trace), out_of_memory; strict: corrupt.
Result<std::int64_t> read_trace(const Log& log, std::string_view module, const TraceOptions& options,
                                const std::function<void(const TraceRecord&)>& record,
                                const std::function<void(std::span<const TraceSegment>)>& segments);

}  // namespace darrow

/// The records of one module of a log: inflated, decoded, fixed up, nulls marked, checked.
#pragma once

#include <optional>

#include "base/problem_counts.hpp"
#include "codec/decode.hpp"
#include "log/state.hpp"
#include "log/value_checks.hpp"
#include "modules/upstream_values.hpp"

namespace darrow {

/// Stored bytes of a batch: with its columns it stays in the second-level cache, and its memory is used again for the next.
inline constexpr std::size_t batch_bytes = std::size_t{512} << 10;

/// Hands out the records batch by batch, and tells at the end what was wrong with them.
class RecordReader {
 public:
  /// `read`: false gives no records and touches nothing. `whole`: all records will be asked for at once. All that is handed over
  /// by reference has to outlive the reader.
  RecordReader(Log::State& state, const ModuleInfo& info, const TableOptions& options, const Selection& selection,
               bool read = true, bool whole = false);
  ~RecordReader();
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  /// Bytes of the inflated region; as many as can be if it is not in memory as a whole.
  std::size_t region_bytes() const { return region_bytes_; }
  /// The same as far as it was read.
  std::uint64_t inflated() const { return region_bytes_ == SIZE_MAX ? region_.inflated() : region_bytes_; }
  /// Records handed out so far.
  std::int64_t records() const { return records_; }
  /// The record that opens the region (APMPI, APXC): 0 or 1 rows.
  const Records& header() const { return decoder_->header(); }
  /// Where more problems of this region go.
  ProblemSink& problems() { return sink_; }

  /// The next records, as many as the slice takes, which is split or not as the decoder wants it.
  Records next(Slice most);
  /// Whether all records were handed out.
  bool done() const { return decoder_->done(); }
  /// Tells the log what was found; in strict mode the first error, if any. Call it once, when done.
  std::optional<Error> finish();
  /// Whether something of the region was lost or is untrusted.
  bool is_damaged() const;

 private:
  Log::State& state_;
  const ModuleInfo& info_;
  const TableOptions& options_;
  RowFilter filter_;
  bool read_;
  std::vector<Problem> found_;
  ProblemSink sink_;
  ProblemCounts counts_;
  ValueChecks checks_;
  UpstreamReading upstream_;
  RegionStream region_;
  std::size_t region_bytes_;
  std::int64_t records_ = 0;
  std::optional<Decoder> decoder_;
};

}  // namespace darrow

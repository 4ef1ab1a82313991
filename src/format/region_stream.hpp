/// An inflated region from its begin to its end, without all of it in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/problem_sink.hpp"
#include "darrow/buffer.hpp"
#include "darrow/job.hpp"

namespace darrow {

/// Hands out the bytes of a region in order. Small regions are inflated at once, which is faster; of large ones (zlib only)
/// a window is in memory.
class RegionStream {
 public:
  /// As inflate(): `length` compressed bytes at `offset` of `file`. Both `file` and `problems` have to outlive the stream.
  RegionStream(const Buffer& file, std::uint64_t offset, std::uint64_t length, Compression compression,
               std::uint64_t limit, ProblemSink& problems);
  ~RegionStream();
  RegionStream(const RegionStream&) = delete;
  RegionStream& operator=(const RegionStream&) = delete;

  /// The next `n` bytes, less at the end of the region. Valid until the next call.
  std::span<const std::byte> peek(std::size_t n);
  /// Goes on behind the next `n` bytes. REQUIRES: peek(n) gave them.
  void skip(std::size_t n);
  /// Bytes that were skipped.
  std::uint64_t position() const { return position_; }
  /// Bytes of the region that are not skipped yet, where that is known.
  std::optional<std::uint64_t> rest() const;

 private:
  struct Window;
  Buffer whole_;
  std::unique_ptr<Window> window_;  ///< of a large region
  std::uint64_t position_ = 0, dropped_ = 0;
};

}  // namespace darrow

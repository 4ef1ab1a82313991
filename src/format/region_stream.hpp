/// An inflated region from its begin to its end, without all of it in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/problem_sink.hpp"
#include "darrow/buffer.hpp"
#include "darrow/job.hpp"

namespace darrow {

/// Hands out the bytes of a region in order. Small regions are inflated at once, which is faster; of large ones (zlib only)
/// a window is in memory. Memory of what was skipped is given back.
class RegionStream {
 public:
  /// As inflate(): `length` compressed bytes at `offset` of `file`, which has to outlive the stream, as `problems` has to.
  /// `whole_bytes`: regions that inflate to more than this come through a window. Problems of compression are known when the
  /// end is reached.
  RegionStream(const Buffer& file, std::uint64_t offset, std::uint64_t length, Compression compression,
               std::uint64_t limit, std::uint64_t whole_bytes, ProblemSink& problems);
  /// Bytes that are there already, which are left as they are.
  explicit RegionStream(Buffer bytes = {});
  ~RegionStream();
  RegionStream(RegionStream&&) noexcept;
  RegionStream& operator=(RegionStream&&) noexcept;

  /// The next `n` bytes, less at the end of the region. Valid until the next call.
  std::span<const std::byte> peek(std::size_t n);
  /// The next `n` bytes and what else is in memory behind them; less than `n` at the end of the region. What was seen stays
  /// in the order of its bytes until it is skipped, but maybe at another place.
  std::span<const std::byte> at_least(std::size_t n);
  /// Goes on behind the next `n` bytes. REQUIRES: peek(n) gave them.
  void skip(std::size_t n);
  /// Bytes that were skipped.
  std::uint64_t position() const { return position_; }
  /// Whether all of the region is in memory.
  bool is_whole() const { return !window_; }
  /// Bytes of the region that are not skipped yet, where that is known.
  std::optional<std::uint64_t> rest() const;
  /// The same, where it has to be known: a large region is inflated a second time for this, once, without being kept.
  std::uint64_t count_rest();
  /// Skips what is left; returns how many bytes that were.
  std::uint64_t drain();
  /// All of it. REQUIRES: is_whole(), and nothing was skipped.
  Buffer take() { return std::move(whole_); }
  /// Gives the memory back. Nothing is left then.
  void close();
  /// Bytes of the region that were inflated so far.
  std::uint64_t inflated() const;
  /// Those that were inflated once more, to be counted.
  std::uint64_t counted() const { return counted_; }

 private:
  struct Window;
  Buffer whole_;
  bool is_kept_ = false;            ///< memory of what was skipped is not given back
  std::unique_ptr<Window> window_;  ///< of a large region
  std::uint64_t position_ = 0, dropped_ = 0;
  std::uint64_t closed_ = 0;            ///< bytes that were inflated before close()
  std::uint64_t counted_ = 0;           ///< bytes that were inflated for count_rest()
  std::optional<std::uint64_t> total_;  ///< bytes of a large region, once counted
};

}  // namespace darrow

/// Bytes that are put together piece by piece.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "base/memory.hpp"

namespace darrow {

/// A piece of memory that grows at its end.
class GrowingBytes {
 public:
  std::size_t size() const { return used_; }
  std::span<const std::byte> bytes() const { return {block_.data(), used_}; }
  std::byte* data() { return block_.data(); }
  /// Adds `n` bytes, all 0, and returns where they begin; earlier pieces may move. Throws std::bad_alloc.
  std::byte* extend(std::size_t n) {
    std::byte* begin = extend_unset(n);
    if (n) std::memset(begin, 0, n);
    return begin;
  }
  /// The same, for a caller that sets every byte.
  std::byte* extend_unset(std::size_t n) {
    if (n > block_.size() - used_) {
      std::size_t size = std::max(used_ + n, used_ * 2);
      if (used_ == 0) block_ = Block(size);
      else block_.resize(size, used_);
    }
    used_ += n;
    std::byte* begin = block_.data() + used_ - n;
    populate_pages(begin, n);
    return begin;
  }
  void append(std::span<const std::byte> bytes) {
    if (!bytes.empty()) std::memcpy(extend_unset(bytes.size()), bytes.data(), bytes.size());
  }
  /// All of it as an immutable Buffer.
  Buffer freeze() && { return std::move(block_).freeze(used_); }

 private:
  Block block_;
  std::size_t used_ = 0;
};

}  // namespace darrow

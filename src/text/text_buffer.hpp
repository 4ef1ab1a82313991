/// Text on its way out, in large pieces.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>

#include "text/number_text.hpp"

namespace darrow::util_text {

/// Who gets the text, piece by piece.
using Target = std::function<void(std::string_view)>;

/// Collects text in one block and hands it on when that is full, and at the end.
class TextBuffer {
 public:
  explicit TextBuffer(Target target) : target_(std::move(target)), block_(new char[size_]) {}
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;

  /// Room for `bytes` bytes, to be filled from its begin; whoever fills it tells by wrote().
  char* room(std::size_t bytes) {
    if (size_ - used_ < bytes) make_room(bytes);
    return block_.get() + used_;
  }
  /// What was written to room() ends there.
  void wrote(const char* end) { used_ = static_cast<std::size_t>(end - block_.get()); }

  /// Forgets the last `bytes` bytes. REQUIRES: room() was not asked for since they were written.
  void take_back(std::size_t bytes) { used_ -= bytes; }

  TextBuffer& put(std::string_view text) {
    char* to = room(text.size());
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    used_ += text.size();
    return *this;
  }
  template <typename Integer>
  TextBuffer& integer(Integer value) {
    wrote(put_integer(room(longest_number), value));
    return *this;
  }
  /// As "%f".
  TextBuffer& fixed6(double value) {
    wrote(put_fixed6(room(longest_number), value));
    return *this;
  }
  /// As "%.4f".
  TextBuffer& fixed4(double value) {
    wrote(put_fixed4(room(longest_number), value));
    return *this;
  }
  /// Hands on everything written so far.
  void flush() {
    if (used_ > 0) target_({block_.get(), used_});
    used_ = 0;
  }

 private:
  void make_room(std::size_t bytes) {
    flush();
    if (size_ >= bytes) return;
    block_.reset(new char[bytes]);
    size_ = bytes;
  }

  Target target_;
  std::size_t size_ = std::size_t{256} << 10;
  std::unique_ptr<char[]> block_;
  std::size_t used_ = 0;
};

}  // namespace darrow::util_text

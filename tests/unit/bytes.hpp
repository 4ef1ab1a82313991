/// Byte strings for tests: numbers in either byte order, put together by hand.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/memory.hpp"
#include "darrow/buffer.hpp"

namespace darrow::test {

/// Appends numbers and text.
class Bytes {
 public:
  explicit Bytes(bool big = false) : big_(big) {}
  template <typename T>
  Bytes& number(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (big_) std::reverse(raw, raw + sizeof(T));
    text_.append(raw, sizeof(T));
    return *this;
  }
  Bytes& u64(std::uint64_t v) { return number(v); }
  Bytes& i64(std::int64_t v) { return number(v); }
  Bytes& u32(std::uint32_t v) { return number(v); }
  Bytes& f64(double v) { return number(v); }
  Bytes& text(std::string_view t) {
    text_ += t;
    return *this;
  }
  /// Overwrites bytes at a place, growing with zeros.
  template <typename T>
  Bytes& put(std::size_t at, T value) {
    Bytes one(big_);
    one.number(value);
    return put_text(at, one.text_);
  }
  Bytes& put_text(std::size_t at, std::string_view t) {
    if (text_.size() < at + t.size()) text_.resize(at + t.size());
    text_.replace(at, t.size(), t);
    return *this;
  }
  Bytes& size(std::size_t n) {
    text_.resize(n);
    return *this;
  }
  const std::string& str() const { return text_; }
  std::span<const std::byte> span() const { return {reinterpret_cast<const std::byte*>(text_.data()), text_.size()}; }

 private:
  std::string text_;
  bool big_;
};

/// A buffer that holds a copy: reading past its end is caught by the sanitizers.
inline Buffer buffer(std::string_view text) {
  auto owner = std::make_shared<std::unique_ptr<std::byte[]>>(new std::byte[text.size()]);
  std::memcpy(owner->get(), text.data(), text.size());
  return {owner, owner->get(), text.size()};
}

/// The bytes as a zlib stream.
inline std::string deflate(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
  out.resize(size);
  return out;
}

inline std::string_view text_of(const Buffer& b) { return {reinterpret_cast<const char*>(b.data), b.size}; }

}  // namespace darrow::test

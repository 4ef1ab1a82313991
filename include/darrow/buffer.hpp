/// Shared, immutable memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace darrow {

/// A piece of memory kept alive by its owner. Copies share the memory.
struct Buffer {
  std::shared_ptr<const void> owner;
  const std::byte* data = nullptr;
  std::size_t size = 0;      ///< bytes
  bool mapped_file = false;  ///< a mapping of a file: pages given back come again when they are read

  bool empty() const { return size == 0; }
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data), size / sizeof(T)};
  }
  std::span<const std::byte> bytes() const { return {data, size}; }
};

}  // namespace darrow

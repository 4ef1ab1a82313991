/// Numbers in the byte order of a log. The only place that knows about byte order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace darrow {

inline std::uint64_t byte_swap(std::uint64_t v) { return __builtin_bswap64(v); }
inline std::uint32_t byte_swap(std::uint32_t v) { return __builtin_bswap32(v); }

/// Reads a fixed-width number at `at`, which need not be aligned. REQUIRES: sizeof(T) bytes there.
template <typename T>
T load(const std::byte* at, bool swap) {
  if constexpr (sizeof(T) == 8) {
    std::uint64_t v;
    std::memcpy(&v, at, 8);
    return std::bit_cast<T>(swap ? byte_swap(v) : v);
  } else {
    static_assert(sizeof(T) == 4);
    std::uint32_t v;
    std::memcpy(&v, at, 4);
    return std::bit_cast<T>(swap ? byte_swap(v) : v);
  }
}

/// The reverse of load(). REQUIRES: room for sizeof(T) bytes at `at`.
template <typename T>
void store(std::byte* at, T value, bool swap) {
  if constexpr (sizeof(T) == 8) {
    auto v = std::bit_cast<std::uint64_t>(value);
    if (swap) v = byte_swap(v);
    std::memcpy(at, &v, 8);
  } else {
    static_assert(sizeof(T) == 4);
    auto v = std::bit_cast<std::uint32_t>(value);
    if (swap) v = byte_swap(v);
    std::memcpy(at, &v, 4);
  }
}

/// Whether this machine stores the lowest byte first.
inline constexpr bool native_little = std::endian::native == std::endian::little;

}  // namespace darrow

/// Integer sums of compatible mode: 64 bits that wrap around.
#pragma once

#include <cstdint>

namespace darrow::compat {

constexpr std::int64_t add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace darrow::compat

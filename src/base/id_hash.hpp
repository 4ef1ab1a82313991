/// A hash for record ids that a crafted log cannot turn against us.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace darrow {

/// Mixes an id with a secret of this process: equal ids hash equal, but nobody can choose ids that collide.
class IdHash {
 public:
  std::size_t operator()(std::uint64_t id) const {
    std::uint64_t h = (id ^ secret_) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 32)) * (secret_ | 1);
    return h ^ (h >> 29);
  }

  /// Of an id within a group.
  std::size_t operator()(std::uint32_t group, std::uint64_t id) const { return (*this)(id + (secret_ | 1) * group); }

 private:
  static std::uint64_t of_process() {
    static const std::uint64_t secret = (std::uint64_t{std::random_device{}()} << 32) | std::random_device{}();
    return secret;
  }
  std::uint64_t secret_ = of_process();
};

}  // namespace darrow

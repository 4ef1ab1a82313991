/// The nodes that a job ran on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace darrow {

/// Where each rank ran, as far as a log tells.
class Hosts {
 public:
  /// `of_job`: the node of the whole job, if something tells one.
  explicit Hosts(std::optional<std::string> of_job = {}) : of_job_(std::move(of_job)) {}
  /// What is told first of a rank stays.
  void add(std::int64_t rank, std::string_view node) {
    if (rank >= 0 && !node.empty()) of_rank_.try_emplace(rank, node);
  }
  /// The node of a rank, or of all of them (−1) if they have one in common. `nprocs`: how many there are; below 1: unknown.
  std::optional<std::string_view> of(std::int64_t rank, std::int64_t nprocs) const;

 private:
  std::optional<std::string> of_job_;
  std::unordered_map<std::int64_t, std::string> of_rank_;
};

}  // namespace darrow

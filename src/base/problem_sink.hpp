/// Where readers of one region report what they meet.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "darrow/problem.hpp"

namespace darrow {

/// Collects the problems of one region.
class ProblemSink {
 public:
  /// `module` is the module's name if the region is a module's, else empty.
  ProblemSink(std::string region, std::string module, std::vector<Problem>& problems)
      : region_(std::move(region)), module_(std::move(module)), problems_(problems) {}

  void add(ProblemKind kind, std::string message, std::optional<std::int64_t> count = {}) {
    problems_.push_back({kind, region_, module_, {}, false, count, std::move(message)});
  }
  /// `offset` counts bytes of the file.
  void at_file(ProblemKind kind, std::uint64_t offset, std::string message, std::optional<std::int64_t> count = {}) {
    problems_.push_back({kind, region_, module_, offset, false, count, std::move(message)});
  }
  /// `offset` counts inflated bytes of the region.
  void at_inflated(ProblemKind kind, std::uint64_t offset, std::string message,
                   std::optional<std::int64_t> count = {}) {
    problems_.push_back({kind, region_, module_, offset, true, count, std::move(message)});
  }

 private:
  std::string region_, module_;
  std::vector<Problem>& problems_;
};

}  // namespace darrow

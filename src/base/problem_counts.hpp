/// Counts of what is met all over a region: told once, however many parts the region is read in.
#pragma once

#include <string>
#include <vector>

#include "base/problem_sink.hpp"

namespace darrow {

class ProblemCounts {
 public:
  /// `message`: what to say in the end, with `{}` where the sum of all counts belongs. The last one of a kind stays.
  void add(ProblemKind kind, std::int64_t count, std::string message);
  /// In the order in which kinds were first added, be it with a count of 0. A sum of 0 is no problem.
  void report(ProblemSink& problems) const;

 private:
  struct Entry {
    ProblemKind kind;
    std::int64_t count;
    std::string message;
  };
  std::vector<Entry> entries_;
};

}  // namespace darrow

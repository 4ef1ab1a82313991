#include "base/problem_counts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace darrow {

void ProblemCounts::add(ProblemKind kind, std::int64_t count, std::string message) {
  auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.kind == kind; });
  if (known == entries_.end()) {
    entries_.push_back({kind, count, std::move(message)});
  } else {
    known->count += count;
    known->message = std::move(message);
  }
}

void ProblemCounts::report(ProblemSink& problems) const {
  for (const auto& e : entries_)
    if (e.count) problems.add(e.kind, fmt::format(fmt::runtime(e.message), e.count), e.count);
}

}  // namespace darrow

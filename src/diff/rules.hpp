/// Which values count as different.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/diff.hpp"
#include "darrow/module.hpp"

namespace darrow::diffing {

/// Groups of names that `ignore` knows.
inline constexpr std::string_view times = "times", job = "job", nodes = "nodes";

/// The counters of a module by the groups that they are in.
struct NameGroups {
  explicit NameGroups(const Module& module);
  std::set<std::string, std::less<>> times, nodes;
  std::vector<std::string> time_lists;  ///< starts of names of list elements, whose numbers are places in time
};

class Rules {
 public:
  /// Errors: invalid_argument.
  static Result<Rules> create(const DiffOptions& options);

  bool compat() const { return options_->compat; }
  bool ignores(std::string_view name) const;
  bool ignores_module(const Module& module) const { return modules_.contains(&module); }
  bool ignores_group(std::string_view group) const { return groups_.contains(group); }
  /// A counter of a record.
  bool ignores(const NameGroups& groups, std::string_view name) const;
  /// Whether two values are as good as equal.
  bool equal(std::string_view name, const DiffValue& a, const DiffValue& b) const;
  /// The same, with the common tolerance for all numbers.
  bool near(std::string_view name, const DiffValue& a, const DiffValue& b) const;

 private:
  explicit Rules(const DiffOptions& options) : options_(&options) {}
  bool within(double tolerance, double a, double b) const;
  const DiffOptions* options_;
  std::set<std::string, std::less<>> names_, groups_;
  std::vector<std::string> starts_;
  std::set<const Module*> modules_;
};

/// How a key of the metadata is named, before the key.
inline constexpr std::string_view metadata_key = "metadata:";
/// Facts of the job by their names, in the order in which they are told.
inline constexpr std::string_view job_facts[] = {"exe",      "uid",           "jobid",  "start_time", "start_time_nsec",
                                                 "end_time", "end_time_nsec", "nprocs", "run time"};
inline constexpr std::string_view other_facts[] = {"metadata", "mounts", "names", "partial", "bytes"};
/// Values of a trace: of its record, then of a segment.
inline constexpr std::string_view trace_facts[] = {"host",   "writes", "reads", "threads", "offset",
                                                   "length", "start",  "end",   "thread"};

}  // namespace darrow::diffing

/// Facts of the groups of one job, told when they are asked for.
#pragma once

#include <memory>
#include <span>

#include "aggregate/process_times.hpp"
#include "darrow/metrics.hpp"

namespace darrow {

class JobFacts {
 public:
  /// Those of the first `groups` groups.
  JobFacts(Activity activity, std::size_t groups);

  std::size_t size() const { return size_; }
  /// Without file categories and common accesses.
  Facts facts(std::size_t group) const;
  /// Sets what metrics of these roles are made of; the same facts can be used for one group after the other.
  void set_inputs(std::size_t group, std::span<const Role> inputs, Facts& facts) const;

  std::int64_t records(std::size_t group) const { return state_->groups[group].records; }
  /// Below 1: unknown.
  std::int64_t nprocs() const { return state_->nprocs; }
  std::int64_t files(std::size_t group) const { return state_->files_in(group); }
  GroupTimes times(std::size_t group) const { return times_.of(group); }
  /// Nothing where a role is not known in all records of the group.
  const RoleCounts& counts() const { return state_->counts; }

 private:
  std::unique_ptr<Activity::State> state_;
  std::size_t size_;
  ProcessTimes times_;
};

/// Sets facts that are times.
void set_times(const GroupTimes& times, Facts& facts);
/// Sets facts that are counts of a role.
void set_counts(const RoleCounts& counts, std::size_t group, Role role, Facts& facts);
/// Whether any of the roles is a time.
bool has_times(std::span<const Role> roles);
/// Every role there is.
std::span<const Role> all_roles();

}  // namespace darrow

#include "aggregate/job_facts.hpp"

#include <algorithm>

namespace darrow {
namespace {

/// Takes back the counts of roles that not all records of a group have: a sum of parts is none. Without records there is a sum.
void keep_known(RoleCounts& counts, const std::vector<ActivityGroup>& groups) {
  RoleSet everywhere = ~RoleSet{0};
  for (const auto& group : groups) everywhere &= group.records ? group.present & ~group.lacking : 0;
  for (Role role : all_roles()) {
    if (everywhere & bit(role)) continue;
    each_of_role(counts, role, [&](KnownCounts& of_role) {
      for (std::size_t g = 0; g < groups.size(); ++g) {
        if (!groups[g].known(role)) of_role.forget(g);
        else if (groups[g].records == 0) of_role.add(g, 0);
      }
    });
  }
}

}  // namespace

JobFacts::JobFacts(Activity activity, std::size_t groups)
    : state_(std::move(activity).release()),
      size_(groups),
      times_((state_->resize(groups), state_->groups), state_->rest, state_->ranks, state_->nprocs) {
  keep_known(state_->counts, state_->groups);
  state_->counts.resize(groups);
}

Facts JobFacts::facts(std::size_t group) const {
  Facts facts;
  set_inputs(group, all_roles(), facts);
  return facts;
}

void JobFacts::set_inputs(std::size_t group, std::span<const Role> inputs, Facts& facts) const {
  facts.records = records(group);
  if (nprocs() >= 1) facts.nprocs = nprocs();
  facts.files[0].files = files(group);
  if (has_times(inputs)) set_times(times(group), facts);
  for (Role role : inputs) set_counts(counts(), group, role, facts);
}

void set_times(const GroupTimes& times, Facts& facts) {
  for (std::size_t k = 0; k < std::size(rank_times); ++k) facts.times[at(rank_times[k])] = times.sums[k];
  facts.times[at(Role::wait_time)] = times.wait;
  facts.unique_time = times.unique;
  facts.unique_rw_time = times.unique_rw;
  facts.unique_meta_time = times.unique_meta;
  facts.shared_time = times.shared;
  facts.slowest_rank = times.slowest_rank;
  facts.read = times.longest[0];
  facts.write = times.longest[1];
  facts.meta = times.longest[2];
  facts.io = times.longest_io;
}

void set_counts(const RoleCounts& counts, std::size_t group, Role role, Facts& facts) {
  if (kind_of(role) == Kind::count) facts.counts[at(role)] = counts.by_role[at(role)].value(group);
  for (std::size_t b = 0; b < size_buckets; ++b) {
    if (role == Role::size_read) facts.read_sizes[b] = counts.read_sizes[b].value(group);
    if (role == Role::size_write) facts.write_sizes[b] = counts.write_sizes[b].value(group);
  }
}

bool has_times(std::span<const Role> roles) {
  return std::ranges::any_of(roles, [](Role role) {
    auto kind = kind_of(role);
    return kind == Kind::time || kind == Kind::slowest;
  });
}

std::span<const Role> all_roles() {
  static constexpr auto all = [] {
    std::array<Role, role_count> roles{};
    for (std::size_t i = 0; i < role_count; ++i) roles[i] = static_cast<Role>(i);
    return roles;
  }();
  return all;
}

}  // namespace darrow

#include "aggregate/fact_table.hpp"

namespace darrow {
namespace {

constexpr Facts::ProcessTime Facts::* process_times[] = {&Facts::read, &Facts::write, &Facts::meta, &Facts::io};

}  // namespace

void FactTable::resize(std::size_t groups) {
  groups_.resize(groups);
  each_counts(*this, [groups](auto& c) { c.resize(groups); });
  each_times(*this, [groups](auto& t) { t.resize(groups); });
  files_.resize(groups);
}

void FactTable::add(std::size_t g, const Facts& facts, bool same_files) {
  Group& group = groups_[g];
  group.records += facts.records;
  if (++group.jobs == 1) {
    group.slowest_rank = facts.slowest_rank;
    for (std::size_t i = 0; i < group.longest.size(); ++i) group.longest[i] = facts.*process_times[i];
  } else {
    group.slowest_rank = {};
    group.longest = {};
  }
  nprocs_.add(g, facts.nprocs);
  if (!same_files || group.jobs == 1) files_.add(g, facts.files[0].files);
  for (std::size_t i = 1; i < role_count; ++i) {
    counts_[i].add(g, facts.counts[i]);
    times_[i].add(g, facts.times[i]);
  }
  for (std::size_t b = 0; b < size_buckets; ++b) {
    read_sizes_[b].add(g, facts.read_sizes[b]);
    write_sizes_[b].add(g, facts.write_sizes[b]);
  }
  unique_time_.add(g, facts.unique_time);
  unique_rw_time_.add(g, facts.unique_rw_time);
  unique_meta_time_.add(g, facts.unique_meta_time);
  shared_time_.add(g, facts.shared_time);
}

void FactTable::merge(const FactTable& other, std::span<const std::uint32_t> into, bool same_files) {
  for (std::size_t g = 0; g < other.size(); ++g) {
    Group& group = groups_[into[g]];
    const Group& from = other.groups_[g];
    if (!same_files || group.jobs == 0) files_.add(into[g], other.files_.value(g));
    if (group.jobs == 0) {
      group = from;
      continue;
    }
    group.jobs += from.jobs;
    group.records += from.records;
    group.slowest_rank = {};
    group.longest = {};
  }
  std::vector<const KnownCounts*> counts;
  std::vector<const KnownTimes*> times;
  each_counts(other, [&](auto& c) { counts.push_back(&c); });
  each_times(other, [&](auto& t) { times.push_back(&t); });
  each_counts(*this, [&, i = std::size_t{0}](auto& c) mutable { c.merge(*counts[i++], into); });
  each_times(*this, [&, i = std::size_t{0}](auto& t) mutable { t.merge(*times[i++], into); });
}

Facts FactTable::facts(std::size_t g, std::span<const Role> inputs) const {
  Facts facts;
  const Group& group = groups_[g];
  facts.records = group.records;
  facts.nprocs = nprocs_.value(g);
  facts.files[0].files = files_.value(g);
  facts.slowest_rank = group.slowest_rank;
  for (std::size_t i = 0; i < group.longest.size(); ++i) facts.*process_times[i] = group.longest[i];
  facts.unique_time = unique_time_.value(g);
  facts.unique_rw_time = unique_rw_time_.value(g);
  facts.unique_meta_time = unique_meta_time_.value(g);
  facts.shared_time = shared_time_.value(g);
  auto set = [&](std::size_t role) {
    facts.counts[role] = counts_[role].value(g);
    facts.times[role] = times_[role].value(g);
  };
  for (Role role : inputs) set(static_cast<std::size_t>(role));
  if (!inputs.empty()) return facts;
  for (std::size_t i = 1; i < role_count; ++i) set(i);
  for (std::size_t b = 0; b < size_buckets; ++b) {
    facts.read_sizes[b] = read_sizes_[b].value(g);
    facts.write_sizes[b] = write_sizes_[b].value(g);
  }
  return facts;
}

}  // namespace darrow

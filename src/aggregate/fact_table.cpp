#include "aggregate/fact_table.hpp"

namespace darrow {
void FactTable::resize(std::size_t groups) {
  jobs_.resize(groups);
  records_.resize(groups);
  counts_.resize(groups);
  nprocs_.resize(groups);
  files_.resize(groups);
  each_times(*this, [groups](auto& times) { times.resize(groups); });
  of_one_job_.resize(groups);
}

void FactTable::add(const JobFacts& job, std::span<const std::uint32_t> into, bool same_files) {
  counts_.merge(job.counts(), into);
  for (std::size_t g = 0; g < job.size(); ++g) {
    auto to = into[g];
    bool is_new = jobs_[to]++ == 0;
    records_[to] += job.records(g);
    if (job.nprocs() >= 1) nprocs_.add(to, job.nprocs());
    if (!same_files || is_new) files_.add(to, job.files(g));
    GroupTimes times = job.times(g);
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k].add(to, times.sums[k]);
    wait_.add(to, times.wait);
    unique_.add(to, times.unique);
    unique_rw_.add(to, times.unique_rw);
    unique_meta_.add(to, times.unique_meta);
    shared_.add(to, times.shared);
    if (is_new) of_one_job_.set(to, times);
    else of_one_job_.forget(to);
  }
}

void FactTable::merge(const FactTable& other, std::span<const std::uint32_t> into, bool same_files) {
  counts_.merge(other.counts_, into);
  nprocs_.merge(other.nprocs_, into);
  std::vector<const KnownTimes*> from;
  each_times(other, [&](auto& times) { from.push_back(&times); });
  each_times(*this, [&, i = std::size_t{0}](auto& times) mutable { times.merge(*from[i++], into); });
  for (std::size_t g = 0; g < other.size(); ++g) {
    auto to = into[g];
    bool is_new = jobs_[to] == 0;
    if (!same_files || is_new) files_.add(to, other.files_.value(g).value_or(0));
    jobs_[to] += other.jobs_[g];
    records_[to] += other.records_[g];
    if (is_new) of_one_job_.copy(to, other.of_one_job_, g);
    else of_one_job_.forget(to);
  }
}

void FactTable::set_inputs(std::size_t g, std::span<const Role> inputs, Facts& facts) const {
  facts.records = records_[g];
  facts.nprocs = nprocs_.value(g);
  facts.files[0].files = files_.value(g);
  for (Role role : inputs) set_counts(counts_, g, role, facts);
  if (!has_times(inputs)) return;
  GroupTimes times = of_one_job_.times(g);
  for (std::size_t k = 0; k < sums_.size(); ++k) times.sums[k] = sums_[k].value(g);
  times.wait = wait_.value(g);
  times.unique = unique_.value(g);
  times.unique_rw = unique_rw_.value(g);
  times.unique_meta = unique_meta_.value(g);
  times.shared = shared_.value(g);
  set_times(times, facts);
}

Facts FactTable::facts(std::size_t g) const {
  Facts facts;
  set_inputs(g, all_roles(), facts);
  return facts;
}

void FactTable::OfOneJob::resize(std::size_t groups) {
  for (auto& column : longest_) column.resize(groups, -1);
  for (auto& column : ranks_) column.resize(groups, -1);
}

void FactTable::OfOneJob::set(std::size_t g, const GroupTimes& times) {
  const Facts::ProcessTime* all[kinds] = {&times.longest[0], &times.longest[1], &times.longest[2], &times.longest_io};
  for (std::size_t k = 0; k < kinds; ++k) {
    longest_[k][g] = all[k]->longest.value_or(-1);
    ranks_[k][g] = all[k]->rank.value_or(-1);
  }
  ranks_[kinds][g] = times.slowest_rank.value_or(-1);
}

void FactTable::OfOneJob::copy(std::size_t g, const OfOneJob& from, std::size_t other) {
  for (std::size_t k = 0; k < kinds; ++k) longest_[k][g] = from.longest_[k][other];
  for (std::size_t k = 0; k < ranks_.size(); ++k) ranks_[k][g] = from.ranks_[k][other];
}

void FactTable::OfOneJob::forget(std::size_t g) {
  for (auto& column : longest_) column[g] = -1;
  for (auto& column : ranks_) column[g] = -1;
}

GroupTimes FactTable::OfOneJob::times(std::size_t g) const {
  GroupTimes times;
  Facts::ProcessTime* all[kinds] = {&times.longest[0], &times.longest[1], &times.longest[2], &times.longest_io};
  auto rank = [&](std::size_t k) { return ranks_[k][g] < 0 ? std::nullopt : std::optional(ranks_[k][g]); };
  for (std::size_t k = 0; k < kinds; ++k) {
    all[k]->longest = longest_[k][g] < 0 ? std::nullopt : std::optional(longest_[k][g]);
    all[k]->rank = rank(k);
  }
  times.slowest_rank = rank(kinds);
  return times;
}

}  // namespace darrow

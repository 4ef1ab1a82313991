#include "aggregate/fact_sums.hpp"

namespace darrow {
namespace {

constexpr Facts::ProcessTime Facts::* process_times[] = {&Facts::read, &Facts::write, &Facts::meta, &Facts::io};

}  // namespace

void FactSums::add(const Facts& facts, bool same_files) {
  FactSums one;
  one.jobs_ = 1;
  one.records_ = facts.records;
  one.nprocs_.add(facts.nprocs);
  for (std::size_t i = 0; i < role_count; ++i) {
    one.counts_[i].add(facts.counts[i]);
    one.times_[i].add(facts.times[i]);
  }
  one.unique_time_.add(facts.unique_time);
  one.unique_rw_time_.add(facts.unique_rw_time);
  one.unique_meta_time_.add(facts.unique_meta_time);
  one.shared_time_.add(facts.shared_time);
  one.slowest_rank_ = facts.slowest_rank;
  for (std::size_t i = 0; i < one.longest_.size(); ++i) one.longest_[i] = facts.*process_times[i];
  one.files_.add(facts.files[0].files);
  for (std::size_t b = 0; b < size_buckets; ++b) {
    one.read_sizes_[b].add(facts.read_sizes[b]);
    one.write_sizes_[b].add(facts.write_sizes[b]);
  }
  merge(one, same_files);
}

void FactSums::merge(const FactSums& other, bool same_files) {
  if (other.jobs_ == 0) return;
  if (jobs_ == 0) {
    *this = other;
    return;
  }
  jobs_ += other.jobs_;
  records_ += other.records_;
  nprocs_.merge(other.nprocs_);
  for (std::size_t i = 0; i < role_count; ++i) {
    counts_[i].merge(other.counts_[i]);
    times_[i].merge(other.times_[i]);
  }
  unique_time_.merge(other.unique_time_);
  unique_rw_time_.merge(other.unique_rw_time_);
  unique_meta_time_.merge(other.unique_meta_time_);
  shared_time_.merge(other.shared_time_);
  slowest_rank_ = {};
  longest_ = {};
  if (!same_files) files_.merge(other.files_);
  for (std::size_t b = 0; b < size_buckets; ++b) {
    read_sizes_[b].merge(other.read_sizes_[b]);
    write_sizes_[b].merge(other.write_sizes_[b]);
  }
}

Facts FactSums::facts() const {
  Facts facts;
  facts.records = records_;
  facts.nprocs = nprocs_.value();
  for (std::size_t i = 0; i < role_count; ++i) {
    facts.counts[i] = counts_[i].value();
    facts.times[i] = times_[i].value();
  }
  facts.unique_time = unique_time_.value();
  facts.unique_rw_time = unique_rw_time_.value();
  facts.unique_meta_time = unique_meta_time_.value();
  facts.shared_time = shared_time_.value();
  facts.slowest_rank = slowest_rank_;
  for (std::size_t i = 0; i < longest_.size(); ++i) facts.*process_times[i] = longest_[i];
  facts.files[0].files = files_.value();
  for (std::size_t b = 0; b < size_buckets; ++b) {
    facts.read_sizes[b] = read_sizes_[b].value();
    facts.write_sizes[b] = write_sizes_[b].value();
  }
  return facts;
}

}  // namespace darrow

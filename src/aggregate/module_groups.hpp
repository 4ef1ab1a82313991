/// The groups of one module in many logs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "aggregate/fact_table.hpp"
#include "aggregate/job_facts.hpp"
#include "aggregate/key_table.hpp"
#include "darrow/grouping.hpp"

namespace darrow {

/// The groups of one module in one log.
struct LogGroups {
  LogGroups(Grouping numbers, Activity activity, bool is_partial, bool is_damaged);
  Grouping grouping;
  Grouping::Groups groups;  ///< of `grouping`
  JobFacts facts;
  bool partial, damaged;
};

/// Adds up groups of logs. Those of the only log are kept as they are: what nobody asks for is not worked out.
class ModuleGroups {
 public:
  /// `same_files`: the files of all jobs are the same ones, as files are a key.
  explicit ModuleGroups(bool same_files) : same_files_(same_files) {}
  void add(std::unique_ptr<LogGroups> log);
  void merge(ModuleGroups&& other);

  std::size_t size() const { return only_ ? only_->groups.size() : keys_.size(); }
  Table keys(std::span<const std::uint32_t> groups) const;
  Facts facts(std::uint32_t group) const;
  /// Sets what metrics of these roles are made of; the same facts can be used for one group after the other.
  void set_inputs(std::uint32_t group, std::span<const Role> inputs, Facts& facts) const;
  std::int64_t jobs(std::uint32_t group) const { return only_ ? 1 : facts_.jobs(group); }
  /// Whether the module of any of its logs is incomplete, or damaged.
  bool partial(std::uint32_t group) const { return only_ ? only_->partial : partial_[group]; }
  bool damaged(std::uint32_t group) const { return only_ ? only_->damaged : damaged_[group]; }

  /// The groups with the largest of `values`, one for each group, `limit` at most; equal ones by their keys.
  std::vector<std::uint32_t> largest(std::span<const double> values, std::size_t limit) const;
  /// The first ones by a column of their keys, what has no value last; equal ones by all keys.
  std::vector<std::uint32_t> first_by(std::string_view key, std::size_t limit) const;

 private:
  /// Adds the only log to the others.
  void settle();
  void add_settled(const LogGroups& log);
  void resize();

  bool same_files_;
  std::unique_ptr<LogGroups> only_;
  // Of several logs:
  KeyTable keys_;
  FactTable facts_;
  std::vector<std::uint8_t> partial_, damaged_;
};

}  // namespace darrow

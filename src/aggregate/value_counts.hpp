/// How often each value occurred, for each group: the common accesses and strides of many records.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "aggregate/state.hpp"
#include "base/id_hash.hpp"

namespace darrow {

/// Counts by group and value, a value being `keys` numbers. A flat table: no memory for single entries.
class ValueCounts {
 public:
  explicit ValueCounts(std::size_t keys) : keys_(keys) {}
  std::size_t keys() const { return keys_; }
  std::size_t size() const { return counts_.size(); }

  /// Adds another table of counts: its group g to group into[g].
  void merge(const ValueCounts& other, std::span<const std::uint32_t> into);
  /// Adds to the count of a value. `hint`: entry to look at first. Returns the entry. REQUIRES: value.size() == keys.
  std::size_t add(std::uint32_t group, std::span<const std::int64_t> value, std::int64_t count, std::size_t hint = 0);

  std::uint32_t group(std::size_t entry) const { return groups_[entry]; }
  std::span<const std::int64_t> value(std::size_t entry) const { return {values_.data() + entry * keys_, keys_}; }
  /// Nothing if it does not fit.
  std::optional<std::int64_t> count(std::size_t entry) const {
    return counts_[entry] == too_many ? std::nullopt : std::optional(counts_[entry]);
  }
  /// Counts that do not fit.
  std::int64_t overflows() const { return std::count(counts_.begin(), counts_.end(), too_many); }

  /// Entries group by group.
  class Sorted {
   public:
    std::span<const std::size_t> operator[](std::size_t group) const {
      return std::span(entries_).subspan(begins_[group], begins_[group + 1] - begins_[group]);
    }
    std::span<const std::size_t> all() const { return entries_; }
    std::size_t groups() const { return begins_.size() - 1; }
    /// Entries of the group with the most.
    std::size_t most() const { return most_; }

   private:
    friend class ValueCounts;
    std::vector<std::size_t> entries_, begins_;
    std::size_t most_ = 0;
  };
  /// Those of `groups` groups, each by count and then by value, both descending.
  Sorted sorted(std::size_t groups) const;

  void write(StateWriter& state) const;
  void read(StateReader& state, std::size_t groups);

 private:
  static constexpr std::int64_t too_many = -1;  ///< stands for every count that does not fit
  std::size_t hash_of(std::uint32_t group, std::span<const std::int64_t> value) const;
  bool is(std::size_t entry, std::uint32_t group, std::span<const std::int64_t> value) const;
  std::size_t slot(std::uint32_t group, std::span<const std::int64_t> value) const;
  void grow();

  IdHash hash_;
  std::size_t keys_;
  std::vector<std::uint32_t> groups_;
  std::vector<std::int64_t> values_;  ///< `keys_` an entry
  std::vector<std::int64_t> counts_;
  std::vector<std::uint32_t> slots_;  ///< entry + 1, or 0
};

}  // namespace darrow

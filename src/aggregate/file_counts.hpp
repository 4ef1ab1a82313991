/// How many files there are in each group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/keyed_index.hpp"

namespace darrow {

/// Counts distinct files. A file that has a number is found by it, and takes 4 bytes unless it is in several groups.
class FileCounts {
 public:
  void reserve(std::size_t files, std::size_t groups) {
    group_of_.resize(std::max(files, group_of_.size()));
    counts_.reserve(groups);
  }
  /// `number`: of the file in some numbering, always the same one; −1: it has none.
  void add(std::uint32_t group, std::uint64_t id, std::int64_t number) {
    if (number < 0) {
      if (more_.insert(group, id).second) ++count(group);
      return;
    }
    auto at = static_cast<std::size_t>(number);
    if (at >= group_of_.size()) group_of_.resize(std::max(at + 1, 2 * group_of_.size()));
    if (group_of_[at] == group + 1) return;
    if (group_of_[at] && !more_.insert(group, id).second) return;
    if (!group_of_[at]) group_of_[at] = group + 1;
    ++count(group);
  }
  /// Adds the numbers of another one. REQUIRES: no file is in two groups that come together.
  void merge(const FileCounts& other, std::span<const std::uint32_t> into) {
    for (std::size_t g = 0; g < into.size(); ++g) count(into[g]) += other.in(g);
  }
  std::int64_t in(std::size_t group) const { return group < counts_.size() ? counts_[group] : 0; }

 private:
  std::int64_t& count(std::uint32_t group) {
    if (group >= counts_.size()) counts_.resize(std::size_t{group} + 1);
    return counts_[group];
  }
  std::vector<std::uint32_t> group_of_;  ///< by number: the first group of the file, and 1; 0: none
  KeyedIndex more_;                      ///< files in further groups, and those without a number
  std::vector<std::int64_t> counts_;
};

}  // namespace darrow

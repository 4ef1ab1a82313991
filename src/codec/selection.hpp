/// Which columns and records a reader was asked for.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/id_hash.hpp"
#include "darrow/time_window.hpp"

namespace darrow {

/// Column names; an empty list means all.
class Selection {
 public:
  Selection() = default;
  /// `lists`: whether the elements behind the records are wanted at all.
  explicit Selection(std::vector<std::string> columns, bool lists = true)
      : columns_(std::move(columns)), lists_(lists) {
    std::sort(columns_.begin(), columns_.end());
  }
  bool all() const { return columns_.empty(); }
  bool has(std::string_view column) const {
    return all() || std::binary_search(columns_.begin(), columns_.end(), column, std::less<>());
  }
  bool lists() const { return lists_; }
  /// Everything, and texts in every bit: bytes that are not UTF-8 are not escaped. For records that are written again.
  static Selection stored() {
    Selection all;
    all.as_stored_ = true;
    return all;
  }
  bool as_stored() const { return as_stored_; }

 private:
  std::vector<std::string> columns_;  ///< sorted
  bool lists_ = true;
  bool as_stored_ = false;
};

/// Which records a reader was asked for; what is not set means all.
struct RowFilter {
  std::optional<std::unordered_set<std::uint64_t, IdHash>> ids;
  std::optional<std::unordered_set<std::int64_t>> ranks;
  std::function<bool(std::uint64_t id, std::int64_t rank)> keep;
  std::optional<TimeWindow> time;  ///< only elements within; records stay
  bool all() const { return all_records() && !time; }
  bool all_records() const { return !ids && !ranks && !keep; }
  bool has(std::uint64_t id, std::int64_t rank) const {
    return (!ids || ids->contains(id)) && (!ranks || ranks->contains(rank)) && (!keep || keep(id, rank));
  }
};

}  // namespace darrow

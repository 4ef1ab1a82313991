/// Which columns a reader was asked for.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace darrow {

/// Column names; an empty list means all.
class Selection {
 public:
  Selection() = default;
  /// `lists`: whether the elements behind the records are wanted at all.
  explicit Selection(std::vector<std::string> columns, bool lists = true) : columns_(std::move(columns)), lists_(lists) {}
  bool all() const { return columns_.empty(); }
  bool has(std::string_view column) const {
    return all() || std::find(columns_.begin(), columns_.end(), column) != columns_.end();
  }
  bool lists() const { return lists_; }

 private:
  std::vector<std::string> columns_;
  bool lists_ = true;
};

}  // namespace darrow

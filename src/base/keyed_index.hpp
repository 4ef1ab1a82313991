/// Numbers within groups and their positions.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/id_hash.hpp"

namespace darrow {

/// Numbers distinct pairs of group and value in the order of their first appearance. A flat table, as IdIndex is.
class KeyedIndex {
 public:
  struct Entry {
    std::uint64_t value;
    std::uint32_t group;
    bool operator==(const Entry&) const = default;
  };

  std::size_t size() const { return entries_.size(); }
  /// REQUIRES: position < size().
  const Entry& operator[](std::size_t position) const { return entries_[position]; }

  /// Makes room for that many.
  void reserve(std::size_t entries) {
    entries_.reserve(entries);
    std::size_t slots = 64;
    while (slots < 2 * entries) slots *= 2;
    if (slots > slots_.size()) resize(slots);
  }

  /// Position of a pair, if it is there.
  std::optional<std::size_t> find(std::uint32_t group, std::uint64_t value) const {
    auto at = slots_.empty() ? 0 : slots_[slot({value, group})];
    return at ? std::optional(std::size_t{at} - 1) : std::nullopt;
  }
  /// Position of a pair, which is added if it is new; and whether it was.
  std::pair<std::size_t, bool> insert(std::uint32_t group, std::uint64_t value) {
    if (2 * entries_.size() >= slots_.size()) grow();
    Entry entry{value, group};
    std::size_t at = slot(entry);
    if (slots_[at]) return {slots_[at] - 1, false};
    entries_.push_back(entry);
    slots_[at] = static_cast<std::uint32_t>(entries_.size());
    return {entries_.size() - 1, true};
  }

 private:
  std::size_t hash(const Entry& entry) const { return hash_(entry.group, entry.value); }
  /// The slot that holds the entry, or the free one where it belongs.
  std::size_t slot(const Entry& entry) const {
    std::size_t mask = slots_.size() - 1;
    std::size_t at = hash(entry) & mask;
    while (slots_[at] && entries_[slots_[at] - 1] != entry) at = (at + 1) & mask;
    return at;
  }
  void grow() { resize(slots_.empty() ? 64 : slots_.size() * 4); }
  void resize(std::size_t slots) {
    slots_.assign(slots, 0);
    for (std::size_t i = 0; i < entries_.size(); ++i) slots_[slot(entries_[i])] = static_cast<std::uint32_t>(i + 1);
  }

  IdHash hash_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  ///< position + 1, or 0
};

}  // namespace darrow

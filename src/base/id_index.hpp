/// Record ids and their positions.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/id_hash.hpp"
#include "base/memory.hpp"

namespace darrow {

/// Numbers distinct ids in the order of their first appearance. A flat table: no memory for single ids.
class IdIndex {
 public:
  std::int64_t size() const { return static_cast<std::int64_t>(ids_.size()); }
  /// REQUIRES: 0 <= position < size().
  std::uint64_t id(std::int64_t position) const { return ids_[static_cast<std::size_t>(position)]; }

  /// Makes room for that many.
  void reserve(std::size_t ids) {
    ids_.reserve(ids);
    populate_pages(ids_.data() + ids_.size(), (ids_.capacity() - ids_.size()) * sizeof ids_[0]);
    std::size_t slots = 64;
    while (slots < 2 * ids) slots *= 2;
    if (slots > slots_.size()) resize(slots);
  }

  /// Position of an id, or −1.
  std::int64_t find(std::uint64_t id) const {
    return slots_.empty() ? -1 : static_cast<std::int64_t>(slots_[slot(id)]) - 1;
  }

  /// The same for many ids: memory is asked for some ids ahead, so that look-ups do not wait for it.
  std::vector<std::int64_t> find_all(std::span<const std::uint64_t> ids) const {
    if (slots_.empty()) return std::vector<std::int64_t>(ids.size(), -1);
    constexpr std::size_t slot_ahead = 24, id_ahead = 12;
    auto slot_of = [&](std::size_t i) { return &slots_[hash_(ids[i]) & (slots_.size() - 1)]; };
    std::vector<std::int64_t> positions;
    positions.reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (i + slot_ahead < ids.size()) __builtin_prefetch(slot_of(i + slot_ahead));
      if (i + id_ahead < ids.size())
        if (auto position = *slot_of(i + id_ahead)) __builtin_prefetch(&ids_[position - 1]);
      positions.push_back(find(ids[i]));
    }
    return positions;
  }

  /// Position of an id, which is added if it is new; and whether it was.
  std::pair<std::int64_t, bool> insert(std::uint64_t id) {
    if (2 * ids_.size() >= slots_.size()) grow();
    std::size_t at = slot(id);
    if (slots_[at]) return {static_cast<std::int64_t>(slots_[at]) - 1, false};
    ids_.push_back(id);
    slots_[at] = static_cast<std::uint32_t>(ids_.size());
    return {size() - 1, true};
  }

 private:
  /// The slot that holds the id, or the free one where it belongs.
  std::size_t slot(std::uint64_t id) const {
    std::size_t mask = slots_.size() - 1;
    std::size_t at = hash_(id) & mask;
    while (slots_[at] && ids_[slots_[at] - 1] != id) at = (at + 1) & mask;
    return at;
  }
  void grow() { resize(slots_.empty() ? 64 : slots_.size() * 4); }
  void resize(std::size_t slots) {
    slots_.reserve(slots);
    populate_pages(slots_.data(), slots * sizeof slots_[0]);
    slots_.assign(slots, 0);
    for (std::size_t i = 0; i < ids_.size(); ++i) slots_[slot(ids_[i])] = static_cast<std::uint32_t>(i + 1);
  }

  IdHash hash_;
  std::vector<std::uint64_t> ids_;
  std::vector<std::uint32_t> slots_;  ///< position + 1, or 0
};

}  // namespace darrow

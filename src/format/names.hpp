/// The name table: record id to path.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/problem_sink.hpp"
#include "darrow/buffer.hpp"
#include "format/header.hpp"

namespace darrow {

/// Ids and names in order of first appearance. Names stay in the inflated region.
class NameTable {
 public:
  NameTable() = default;
  /// Parses the inflated name region.
  NameTable(Buffer region, const Header& header, ProblemSink& problems);

  std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }
  std::uint64_t id(std::int64_t i) const { return entries_[static_cast<std::size_t>(i)].id; }
  std::string_view name(std::int64_t i) const {
    const auto& e = entries_[static_cast<std::size_t>(i)];
    return {reinterpret_cast<const char*>(region_.data) + e.offset, e.length};
  }
  /// Position of an id, or −1.
  std::int64_t find(std::uint64_t id) const;
  /// Whether all names are valid UTF-8.
  bool all_utf8() const { return all_utf8_; }
  /// Bytes of the inflated region.
  std::size_t bytes() const { return region_.size; }

 private:
  struct Entry {
    std::uint64_t id, offset, length;
  };
  std::size_t slot(std::uint64_t id) const;
  void grow_index();
  void add(Entry entry, std::int64_t& duplicates, std::int64_t& conflicts);

  Buffer region_;
  bool all_utf8_ = true;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> index_;  ///< open addressing: position + 1, or 0
};

}  // namespace darrow

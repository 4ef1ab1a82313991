/// The name table: record id to path.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/id_index.hpp"
#include "base/memory.hpp"
#include "base/problem_sink.hpp"
#include "darrow/buffer.hpp"
#include "darrow/result.hpp"
#include "format/header.hpp"
#include "format/region_stream.hpp"

namespace darrow {

/// One entry of a name region.
struct NameEntry {
  std::uint64_t id;
  std::string_view name;  ///< as stored; valid during the call only
  std::uint64_t place;    ///< of the name in the inflated region
};

/// Calls each(entry) for the entries of a name region in order. Problems: name_truncated, name_unterminated.
void each_name(RegionStream& region, const Header& header, ProblemSink& problems,
               const std::function<void(const NameEntry&)>& each);

/// Reports names that are not UTF-8, if there are any.
void report_not_utf8(std::int64_t names, ProblemSink& problems);

/// Ids and names in order of first appearance. Names stay in the inflated region.
class NameTable {
 public:
  NameTable() = default;
  /// Parses the inflated name region.
  NameTable(Buffer region, const Header& header, ProblemSink& problems);

  std::int64_t size() const { return index_.size(); }
  std::uint64_t id(std::int64_t i) const { return index_.id(i); }
  std::string_view name(std::int64_t i) const { return text(places_[static_cast<std::size_t>(i)]); }
  /// Position of an id, or −1.
  std::int64_t find(std::uint64_t id) const { return index_.find(id); }
  std::vector<std::int64_t> find_all(std::span<const std::uint64_t> ids) const { return index_.find_all(ids); }
  /// Whether all names are valid UTF-8.
  bool all_utf8() const { return all_utf8_; }
  /// Bytes of the inflated region.
  std::size_t bytes() const { return region_.size; }

 private:
  /// Of a name in the region: there are millions. Longer names than `length` can tell are found in `long_`.
  struct Place {
    std::uint64_t offset : 40, length : 24;
  };
  static constexpr std::uint64_t too_long = (std::uint64_t{1} << 24) - 1;
  Place place_of(const NameEntry& entry);
  std::string_view text(Place p) const {
    std::size_t length = p.length == too_long ? long_.at(p.offset) : std::size_t{p.length};
    return {reinterpret_cast<const char*>(region_.data) + p.offset, length};
  }
  void reserve(std::size_t names);
  void add(const NameEntry& entry, std::int64_t& duplicates, std::int64_t& conflicts);

  Buffer region_;
  bool all_utf8_ = true;
  IdIndex index_;
  std::vector<Place> places_;
  std::unordered_map<std::uint64_t, std::size_t> long_;  ///< lengths by offset
};

/// A name region to be written, as formats from 3.10 on have it: ids and names in order of first appearance.
class NameWriter {
 public:
  explicit NameWriter(ByteOrder order) : swap_(swapped(order)) {}

  /// Whether a name can be stored: it has no NUL, and Darshan's reader takes its length.
  static bool fits(std::string_view name);
  /// The same again does nothing, and an empty name gives way to another one. Throws std::bad_alloc.
  /// Errors: invalid_argument (another name for the same id, a NUL in it, longer than Darshan's reader takes).
  std::optional<Error> add(std::uint64_t id, std::string_view name);
  /// The name, maybe empty, of that id, if there is one. Valid until the next add().
  std::optional<std::string_view> find(std::uint64_t id) const {
    std::int64_t position = index_.find(id);
    return position < 0 ? std::nullopt : std::optional(name(position));
  }
  std::int64_t size() const { return index_.size(); }
  /// The inflated region. Valid until the next add().
  std::span<const std::byte> bytes();

 private:
  std::string_view name(std::int64_t position) const;
  /// Writes a record behind the others and returns its place.
  std::uint64_t append(std::uint64_t id, std::string_view name);

  bool swap_;
  IdIndex index_;
  std::vector<std::uint64_t> places_;  ///< of the record of each id
  Block records_;
  std::size_t used_ = 0;
  bool ordered_ = true;  ///< false: some empty names got another one, whose record stands behind
};

}  // namespace darrow

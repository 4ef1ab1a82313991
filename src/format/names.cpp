#include "format/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/byte_order.hpp"
#include "base/invalid_argument.hpp"
#include "base/memory.hpp"
#include "base/utf8.hpp"

namespace darrow {
namespace {

constexpr std::size_t id_bytes = 8;

// Darshan's own reader never ends on a record that fills its buffer of 2 MiB.
constexpr std::size_t longest_name = (std::size_t{2} << 20) - 1 - id_bytes - 1;

}  // namespace

namespace {

/// Where entries are found in what is in memory of a region.
class NameWalk {
 public:
  NameWalk(RegionStream& region, bool counted, bool swap, ProblemSink& problems)
      : region_(region),
        prefix_(counted ? id_bytes + 4 : id_bytes),
        counted_(counted),
        swap_(swap),
        problems_(problems) {}

  /// The next entry, or nothing at the end, which is told if it is not where it should be.
  std::optional<NameEntry> next() {
    if (left() < prefix_ && !have(prefix_)) {
      if (left()) truncated(fmt::format("bytes left over: {}, an entry has at least {}", left(), prefix_));
      return {};
    }
    const auto id = load<std::uint64_t>(here(), swap_);
    const auto length = counted_ ? counted_length() : terminated_length(id);
    if (!length) return {};
    NameEntry entry{id, {reinterpret_cast<const char*>(here()) + prefix_, *length}, position() + prefix_};
    at_ += prefix_ + *length + (counted_ ? 0 : 1);
    return entry;
  }
  /// Bytes of the region before the next entry.
  std::uint64_t position() const { return region_.position() + at_; }

 private:
  const std::byte* here() const { return bytes_.data() + at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  /// Whether `n` bytes follow; fetches them.
  bool have(std::size_t n) {
    if (left() >= n) return true;
    if (!region_.is_whole()) {  // else all is there, and maybe nobody wants it to be given back
      region_.skip(at_);
      at_ = 0;
    }
    bytes_ = region_.at_least(at_ + n);
    return left() >= n;
  }
  std::optional<std::size_t> counted_length() {
    const std::size_t length = load<std::uint32_t>(here() + id_bytes, swap_);
    if (have(prefix_ + length)) return length;
    truncated(fmt::format("a name of {} bytes where {} are left", length, left() - prefix_));
    return {};
  }
  std::optional<std::size_t> terminated_length(std::uint64_t id) {
    for (std::size_t seen = prefix_;;) {
      if (const void* nul = left() > seen ? std::memchr(here() + seen, 0, left() - seen) : nullptr)
        return static_cast<std::size_t>(static_cast<const std::byte*>(nul) - here()) - prefix_;
      seen = left();
      if (have(seen + 1)) continue;
      problems_.at_inflated(
          ProblemKind::name_unterminated, position(),
          fmt::format("the last name ({} bytes) has no end; its id {} stays without a name", left() - prefix_, id),
          static_cast<std::int64_t>(left() - prefix_));
      return {};
    }
  }
  void truncated(std::string what) {
    problems_.at_inflated(ProblemKind::name_truncated, position(), std::move(what), static_cast<std::int64_t>(left()));
  }

  RegionStream& region_;
  std::size_t prefix_;
  bool counted_, swap_;
  ProblemSink& problems_;
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

void each_name(RegionStream& region, const Header& header, ProblemSink& problems,
               const std::function<void(const NameEntry&)>& each) {
  NameWalk walk(region, header.counted_names(), header.swapped(), problems);
  while (auto entry = walk.next()) each(*entry);
}

void report_not_utf8(std::int64_t names, ProblemSink& problems) {
  if (names) problems.add(ProblemKind::text_not_utf8, fmt::format("names that are not UTF-8: {}", names), names);
}

NameTable::Place NameTable::place_of(const NameEntry& entry) {
  const std::size_t length = entry.name.size();
  if (length >= too_long) long_[entry.place] = length;
  return {.offset = entry.place, .length = std::min<std::uint64_t>(length, too_long)};
}

void NameTable::add(const NameEntry& entry, std::int64_t& duplicates, std::int64_t& conflicts) {
  auto [position, is_new] = index_.insert(entry.id);
  if (is_new) {
    places_.push_back(place_of(entry));
    return;
  }
  std::string_view kept = name(position), later = entry.name;
  bool conflict = kept != later && !kept.empty() && !later.empty();
  if (kept.empty()) places_[static_cast<std::size_t>(position)] = place_of(entry);
  ++(conflict ? conflicts : duplicates);
}

void NameTable::reserve(std::size_t names) {
  places_.reserve(names);
  populate_pages(places_.data() + places_.size(), (places_.capacity() - places_.size()) * sizeof places_[0]);
  index_.reserve(names);
}

NameTable::NameTable(Buffer region, const Header& header, ProblemSink& problems) : region_(std::move(region)) {
  std::int64_t duplicates = 0, conflicts = 0, not_utf8 = 0;
  RegionStream bytes(region_);
  NameWalk walk(bytes, header.counted_names(), header.swapped(), problems);
  while (auto entry = walk.next()) {
    not_utf8 += !is_utf8(entry->name);
    add(*entry, duplicates, conflicts);
    // The first thousand tell how many there will be: room for all at once.
    if (places_.size() == 1000) reserve(region_.size / (walk.position() / places_.size()) + 1000);
  }
  if (duplicates)
    problems.add(ProblemKind::name_duplicate, fmt::format("names given again: {}", duplicates), duplicates);
  if (conflicts)
    problems.add(ProblemKind::name_conflict,
                 fmt::format("ids given again with another name: {}, the first is kept", conflicts), conflicts);
  all_utf8_ = not_utf8 == 0;
  report_not_utf8(not_utf8, problems);
}

bool NameWriter::fits(std::string_view name) { return name.size() <= longest_name && name.find('\0') == name.npos; }

std::optional<Error> NameWriter::add(std::uint64_t id, std::string_view name) {
  auto start = [](std::string_view text) { return escape_utf8(text.substr(0, 80)); };
  if (std::size_t nul = name.find('\0'); nul != name.npos)
    return invalid_argument("names", fmt::format("the name of id {} must not hold a NUL, as it does behind \"{}\"", id,
                                                 start(name.substr(0, nul))));
  if (name.size() > longest_name)
    return invalid_argument(
        "names", fmt::format("the name of id {} takes {} bytes, at most {} fit; it begins with \"{}\"", id, name.size(),
                             longest_name, start(name)));
  auto [position, is_new] = index_.insert(id);
  if (is_new) {
    places_.push_back(append(id, name));
    return {};
  }
  std::string_view kept = this->name(position);
  if (name.empty() || name == kept) return {};
  if (!kept.empty())
    return invalid_argument("names",
                            fmt::format("two names for id {}: \"{}\" and \"{}\"", id, start(kept), start(name)));
  places_[static_cast<std::size_t>(position)] = append(id, name);
  ordered_ = false;
  return {};
}

std::span<const std::byte> NameWriter::bytes() {
  if (!ordered_) {
    Block ordered(used_);
    std::size_t end = 0;
    for (std::int64_t i = 0; i < size(); ++i) {
      auto& place = places_[static_cast<std::size_t>(i)];
      std::size_t length = id_bytes + name(i).size() + 1;
      std::memcpy(ordered.data() + end, records_.data() + place, length);
      place = end;
      end += length;
    }
    records_ = std::move(ordered);
    used_ = end;
    ordered_ = true;
  }
  return {records_.data(), used_};
}

std::string_view NameWriter::name(std::int64_t position) const {
  return reinterpret_cast<const char*>(records_.data() + places_[static_cast<std::size_t>(position)] + id_bytes);
}

std::uint64_t NameWriter::append(std::uint64_t id, std::string_view name) {
  std::size_t place = used_, size = id_bytes + name.size() + 1;
  if (records_.size() - used_ < size) records_.resize(std::max(2 * records_.size(), used_ + size), used_);
  std::byte* at = records_.data() + place;
  store(at, id, swap_);
  name.copy(reinterpret_cast<char*>(at + id_bytes), name.size());
  at[size - 1] = std::byte{0};
  used_ += size;
  return place;
}

}  // namespace darrow

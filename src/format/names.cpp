#include "format/names.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/byte_order.hpp"
#include "base/memory.hpp"
#include "base/utf8.hpp"

namespace darrow {

void NameTable::add(std::uint64_t id, Place place, std::int64_t& duplicates, std::int64_t& conflicts) {
  auto [position, is_new] = index_.insert(id);
  if (is_new) {
    places_.push_back(place);
    return;
  }
  std::string_view kept = name(position), later = text(place);
  if (kept.empty()) places_[static_cast<std::size_t>(position)] = place;
  bool conflict = kept != later && !kept.empty() && !later.empty();
  ++(conflict ? conflicts : duplicates);
}

void NameTable::reserve(std::size_t names) {
  places_.reserve(names);
  populate_pages(places_.data() + places_.size(), (places_.capacity() - places_.size()) * sizeof places_[0]);
  index_.reserve(names);
}

NameTable::NameTable(Buffer region, const Header& header, ProblemSink& problems) : region_(std::move(region)) {
  const std::byte* begin = region_.data;
  std::size_t size = region_.size, at = 0, prefix = header.counted_names() ? 12 : 8;
  bool swap = header.swapped();
  std::int64_t duplicates = 0, conflicts = 0, not_utf8 = 0;
  while (at < size) {
    std::size_t rest = size - at;
    if (rest < prefix) {
      problems.at_inflated(ProblemKind::name_truncated, at,
                           fmt::format("bytes left over: {}, an entry has at least {}", rest, prefix),
                           static_cast<std::int64_t>(rest));
      break;
    }
    auto id = load<std::uint64_t>(begin + at, swap);
    Place place{at + prefix, 0};
    std::size_t end;
    if (header.counted_names()) {
      place.length = load<std::uint32_t>(begin + at + 8, swap);
      if (place.length > rest - prefix) {
        problems.at_inflated(ProblemKind::name_truncated, at,
                             fmt::format("a name of {} bytes where {} are left", place.length, rest - prefix),
                             static_cast<std::int64_t>(rest));
        break;
      }
      end = at + prefix + place.length;
    } else {
      const void* nul = std::memchr(begin + place.offset, 0, size - place.offset);
      if (!nul) {
        problems.at_inflated(
            ProblemKind::name_unterminated, at,
            fmt::format("the last name ({} bytes) has no end; its id {} stays without a name", rest - prefix, id),
            static_cast<std::int64_t>(rest - prefix));
        break;
      }
      place.length = static_cast<std::uint64_t>(static_cast<const std::byte*>(nul) - (begin + place.offset));
      end = place.offset + place.length + 1;
    }
    not_utf8 += !is_utf8({reinterpret_cast<const char*>(begin) + place.offset, place.length});
    add(id, place, duplicates, conflicts);
    at = end;
    // The first thousand tell how many there will be: room for all at once.
    if (places_.size() == 1000) reserve(size / (at / places_.size()) + 1000);
  }
  if (duplicates)
    problems.add(ProblemKind::name_duplicate, fmt::format("names given again: {}", duplicates), duplicates);
  if (conflicts)
    problems.add(ProblemKind::name_conflict,
                 fmt::format("ids given again with another name: {}, the first is kept", conflicts), conflicts);
  all_utf8_ = not_utf8 == 0;
  if (not_utf8)
    problems.add(ProblemKind::text_not_utf8, fmt::format("names that are not UTF-8: {}", not_utf8), not_utf8);
}

}  // namespace darrow

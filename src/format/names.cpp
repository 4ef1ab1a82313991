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
  std::size_t size = region_.size, at = 0, prefix = header.counted_names() ? id_bytes + 4 : id_bytes;
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
      place.length = load<std::uint32_t>(begin + at + id_bytes, swap);
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

#include "format/names.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/byte_order.hpp"
#include "base/id_hash.hpp"
#include "base/utf8.hpp"

namespace darrow {

std::size_t NameTable::slot(std::uint64_t id) const {
  std::size_t mask = index_.size() - 1;
  std::size_t at = IdHash{}(id)&mask;
  while (index_[at] && entries_[index_[at] - 1].id != id) at = (at + 1) & mask;
  return at;
}

void NameTable::grow_index() {
  index_.assign(index_.empty() ? 64 : index_.size() * 4, 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) index_[slot(entries_[i].id)] = static_cast<std::uint32_t>(i + 1);
}

std::int64_t NameTable::find(std::uint64_t id) const {
  if (index_.empty()) return -1;
  return static_cast<std::int64_t>(index_[slot(id)]) - 1;
}

void NameTable::add(Entry entry, std::int64_t& duplicates, std::int64_t& conflicts) {
  if (2 * entries_.size() >= index_.size()) grow_index();
  std::size_t at = slot(entry.id);
  if (!index_[at]) {
    entries_.push_back(entry);
    index_[at] = static_cast<std::uint32_t>(entries_.size());
    return;
  }
  auto position = static_cast<std::int64_t>(index_[at] - 1);
  std::string_view kept = name(position),
                   later(reinterpret_cast<const char*>(region_.data) + entry.offset, entry.length);
  if (kept == later) {
    ++duplicates;
  } else if (kept.empty()) {
    entries_[index_[at] - 1] = entry;
    ++duplicates;
  } else {
    ++(later.empty() ? duplicates : conflicts);
  }
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
    Entry entry{load<std::uint64_t>(begin + at, swap), at + prefix, 0};
    std::size_t end;
    if (header.counted_names()) {
      entry.length = load<std::uint32_t>(begin + at + 8, swap);
      if (entry.length > rest - prefix) {
        problems.at_inflated(ProblemKind::name_truncated, at,
                             fmt::format("a name of {} bytes where {} are left", entry.length, rest - prefix),
                             static_cast<std::int64_t>(rest));
        break;
      }
      end = at + prefix + entry.length;
    } else {
      const void* nul = std::memchr(begin + entry.offset, 0, size - entry.offset);
      if (!nul) {
        problems.at_inflated(
            ProblemKind::name_unterminated, at,
            fmt::format("the last name ({} bytes) has no end; its id {} stays without a name", rest - prefix, entry.id),
            static_cast<std::int64_t>(rest - prefix));
        break;
      }
      entry.length = static_cast<std::uint64_t>(static_cast<const std::byte*>(nul) - (begin + entry.offset));
      end = entry.offset + entry.length + 1;
    }
    not_utf8 += !is_utf8({reinterpret_cast<const char*>(begin) + entry.offset, entry.length});
    add(entry, duplicates, conflicts);
    at = end;
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

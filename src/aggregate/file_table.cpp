#include "aggregate/file_table.hpp"

#include <algorithm>

#include "base/memory.hpp"

namespace darrow {

std::size_t FileTable::indexed_entry(std::uint32_t group, std::uint64_t id) {
  if (!has_index_) {
    index_.reserve(files_.size());
    for (const auto& file : files_) index_.insert(file.group, file.id);
    has_index_ = true;
  }
  auto [entry, is_new] = index_.insert(group, id);
  return is_new ? new_entry(group, id) : entry;
}

void FileTable::merge(const FileTable& other, std::span<const std::uint32_t> into,
                      std::span<const std::uint32_t> rank_at, const RankTable& ranks) {
  std::vector<std::uint32_t> file_at;
  for (std::size_t i = 0; i < other.files_.size(); ++i) {
    const auto& from = other.files_[i];
    auto at = indexed_entry(into[from.group], from.id);
    File& file = files_[at];
    if (add_known(file.bytes_read, from.bytes_read) | from.read_overflow) file.read_overflow = true;
    if (add_known(file.bytes_written, from.bytes_written) | from.written_overflow) file.written_overflow = true;
    file.max_offset = std::max(file.max_offset, from.max_offset);
    if (from.shared) file.shared = true;
    if (from.ranks) add_rank(at, rank_at[from.first_rank], ranks);
    file_at.push_back(static_cast<std::uint32_t>(at));
  }
  for (const auto& [file, rank] : other.more_) add_rank(file_at[file], rank_at[rank], ranks);
}

FileTable::CountedRanks FileTable::counted_ranks() const {
  std::vector<Pair> pairs;
  for (const auto& pair : more_)
    if (files_[pair.file].unordered) pairs.push_back(pair);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  CountedRanks counted;
  for (const auto& pair : pairs) ++counted.try_emplace(pair.file, 1).first->second;  // 1: the first rank
  return counted;
}

void FileTable::reserve(std::size_t files) {
  files_.reserve(files);
  by_number_.resize(std::max(by_number_.size(), files));
  populate_pages(files_.data(), files * sizeof(File));
}

void FileTable::write(StateWriter& state) const {
  state.put(static_cast<std::uint64_t>(files_.size()));
  for (const auto& file : files_) {
    state.put(file.group);
    state.put(file.id);
    state.put(file.bytes_read);
    state.put(file.bytes_written);
    state.put(file.max_offset);
    state.put(static_cast<std::uint8_t>(file.shared));
    state.put(static_cast<std::uint8_t>(file.read_overflow));
    state.put(static_cast<std::uint8_t>(file.written_overflow));
    state.put(static_cast<std::uint8_t>(file.ranks > 0));
    state.put(file.first_rank);
  }
  state.put(static_cast<std::uint64_t>(more_.size()));
  for (const auto& [file, rank] : more_) {
    state.put(file);
    state.put(rank);
  }
}

void FileTable::read(StateReader& state, std::size_t groups, const RankTable& ranks) {
  auto files = state.get_count(44);
  for (std::size_t i = 0; i < files && state.ok(); ++i) {
    auto group = state.get<std::uint32_t>();
    if (group >= groups || indexed_entry(group, state.get<std::uint64_t>()) != i) return state.fail();
    auto& file = files_[i];
    file.bytes_read = state.get<std::int64_t>();
    file.bytes_written = state.get<std::int64_t>();
    file.max_offset = state.get<std::int64_t>();
    if (std::min({file.bytes_read, file.bytes_written, file.max_offset}) < -1) return state.fail();
    file.shared = state.get_bool();
    file.read_overflow = state.get_bool();
    file.written_overflow = state.get_bool();
    bool has_rank = state.get_bool();
    auto first = state.get<std::uint32_t>();
    if (has_rank && (first >= ranks.size() || ranks.group(first) != group)) return state.fail();
    if (has_rank) add_rank(i, first, ranks);
  }
  auto more = state.get_count(8);
  for (std::size_t i = 0; i < more && state.ok(); ++i) {
    auto file = state.get<std::uint32_t>(), rank = state.get<std::uint32_t>();
    if (file >= files || rank >= ranks.size() || ranks.group(rank) != files_[file].group || files_[file].ranks == 0)
      return state.fail();
    add_rank(file, rank, ranks);
  }
}

}  // namespace darrow

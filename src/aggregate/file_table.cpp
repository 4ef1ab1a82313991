#include "aggregate/file_table.hpp"

#include <algorithm>

#include "base/memory.hpp"

namespace darrow {

std::size_t FileTable::indexed_entry(std::uint32_t group, std::uint64_t id) {
  if (!has_index_) {
    file_index_.reserve(files_.size());
    for (const auto& file : files_) file_index_.insert(file.group, file.id);
    has_index_ = true;
  }
  auto [entry, is_new] = file_index_.insert(group, id);
  return is_new ? new_entry(group, id) : entry;
}

std::uint32_t FileTable::rank_entry(std::uint32_t group, std::int64_t rank) {
  if (rank < 0) return rank == -1 ? no_rank : nobody;
  if (last_rank_ < ranks_.size() && ranks_[last_rank_].rank == rank && ranks_[last_rank_].group == group)
    return last_rank_;
  auto [entry, is_new] = rank_index_.insert(group, static_cast<std::uint64_t>(rank));
  if (is_new) {
    ranks_.emplace_back();
    ranks_.back().group = group;
    ranks_.back().rank = rank;
  }
  return last_rank_ = static_cast<std::uint32_t>(entry);
}

std::vector<std::uint32_t> FileTable::merge_ranks(const FileTable& other, std::span<const std::uint32_t> into) {
  std::vector<std::uint32_t> rank_at;
  for (const auto& from : other.ranks_) {
    auto rank = rank_entry(into[from.group], from.rank);
    for (std::size_t k = 0; k < from.times.size(); ++k) ranks_[rank].times[k].add(from.times[k]);
    rank_at.push_back(rank);
  }
  return rank_at;
}

void FileTable::merge_numbers(const FileTable& other, std::span<const std::uint32_t> into) {
  merge_ranks(other, into);
  for (std::size_t g = 0; g < into.size(); ++g) count(into[g], other.files_in(g));
}

void FileTable::merge(const FileTable& other, std::span<const std::uint32_t> into) {
  auto rank_at = merge_ranks(other, into);
  std::vector<std::uint32_t> file_at;
  for (std::size_t i = 0; i < other.files_.size(); ++i) {
    const auto& from = other.files_[i];
    auto at = indexed_entry(into[from.group], from.id);
    File& file = files_[at];
    if (add_known(file.bytes_read, from.bytes_read) | from.read_overflow) file.read_overflow = true;
    if (add_known(file.bytes_written, from.bytes_written) | from.written_overflow) file.written_overflow = true;
    file.max_offset = std::max(file.max_offset, from.max_offset);
    if (from.shared) file.shared = true;
    if (from.ranks) add_rank(at, rank_at[from.first_rank]);
    file_at.push_back(static_cast<std::uint32_t>(at));
  }
  for (const auto& [file, rank] : other.more_) add_rank(file_at[file], rank_at[rank]);
}

std::vector<FileTable::Rank> FileTable::ranks_as_one(std::vector<std::uint32_t>& at) const {
  KeyedIndex index;
  std::vector<Rank> joined;
  for (const auto& from : ranks_) {
    auto [entry, is_new] = index.insert(0, static_cast<std::uint64_t>(from.rank));
    if (is_new) joined.push_back({0, from.rank, {}});
    for (std::size_t k = 0; k < from.times.size(); ++k) joined[entry].times[k].add(from.times[k]);
    at.push_back(static_cast<std::uint32_t>(entry));
  }
  return joined;
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
  state.put(static_cast<std::uint64_t>(ranks_.size()));
  for (const auto& rank : ranks_) {
    state.put(rank.group);
    state.put(rank.rank);
    for (const auto& time : rank.times) state.put(time.words());
  }
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

void FileTable::read(StateReader& state, std::size_t groups) {
  auto ranks = state.get_count(12 + 3 * sizeof(TimeSum));
  for (std::size_t i = 0; i < ranks && state.ok(); ++i) {
    auto group = state.get<std::uint32_t>();
    auto rank = state.get<std::int64_t>();
    if (group >= groups || rank < 0 || rank_entry(group, rank) != i) return state.fail();
    for (auto& time : ranks_[i].times) time.words() = state.get<std::array<std::uint64_t, 4>>();
  }
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
    if (has_rank && (first >= ranks || ranks_[first].group != group)) return state.fail();
    if (has_rank) add_rank(i, first);
  }
  auto more = state.get_count(8);
  for (std::size_t i = 0; i < more && state.ok(); ++i) {
    auto file = state.get<std::uint32_t>(), rank = state.get<std::uint32_t>();
    if (file >= files || rank >= ranks || ranks_[rank].group != files_[file].group || files_[file].ranks == 0)
      return state.fail();
    add_rank(file, rank);
  }
}

}  // namespace darrow

/// What was done with each file, and by which ranks: the state behind file categories.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "aggregate/rank_table.hpp"
#include "aggregate/state.hpp"
#include "base/keyed_index.hpp"

namespace darrow {

/// What one record says of its file. −1: not recorded.
struct FileRecord {
  std::uint64_t id;
  std::int64_t number;  ///< of the file in some numbering, always the same one; −1: it has none
  std::int64_t bytes_read, bytes_written, max_offset;
};

class FileTable {
 public:
  struct File {
    std::uint64_t id = 0;
    std::int64_t bytes_read = -1, bytes_written = -1, max_offset = -1;
    std::uint32_t group = 0;
    std::uint32_t first_rank = 0, highest_rank = 0;  ///< entries
    std::uint32_t ranks : 28 = 0;                    ///< distinct ones
    std::uint32_t shared : 1 = 0;                    ///< has a record of all ranks
    std::uint32_t read_overflow : 1 = 0;             ///< its bytes read do not fit 64 bits
    std::uint32_t written_overflow : 1 = 0;          ///< nor its bytes written
    std::uint32_t unordered : 1 = 0;  ///< ranks did not come in ascending order: pairs may repeat, `ranks` is a guess
  };
  /// Adds a record of the rank with that entry of `ranks` (always the same table), or of no single rank.
  void add(std::uint32_t group, std::uint32_t rank, const FileRecord& record, const RankTable& ranks) {
    auto at = file_entry(group, record.id, record.number);
    File& file = files_[at];
    if (add_known(file.bytes_read, record.bytes_read)) file.read_overflow = true;
    if (add_known(file.bytes_written, record.bytes_written)) file.written_overflow = true;
    file.max_offset = std::max(file.max_offset, record.max_offset);
    if (rank == RankTable::all) file.shared = true;
    else if (rank != RankTable::nobody) add_rank(at, rank, ranks);
  }
  /// Adds another one, whose entry r of ranks is entry rank_at[r] of `ranks`.
  void merge(const FileTable& other, std::span<const std::uint32_t> into, std::span<const std::uint32_t> rank_at,
             const RankTable& ranks);
  /// Fetches memory for that many files at once; more may come.
  void reserve(std::size_t files);

  std::size_t size() const { return files_.size(); }
  /// Files of a group.
  std::int64_t files_in(std::size_t group) const { return group < files_in_.size() ? files_in_[group] : 0; }
  /// Calls f(file, number of distinct ranks) for each file, in the order of first appearance.
  template <typename F>
  void each_file(F f) const {
    auto counted = counted_ranks();
    for (std::size_t i = 0; i < files_.size(); ++i) f(files_[i], ranks_of(i, counted));
  }
  /// Calls f(file, number of distinct ranks, rank) for each rank of a file beside its first one, maybe more than once.
  template <typename F>
  void each_further_rank(F f) const {
    auto counted = counted_ranks();
    for (const auto& [file, rank] : more_) f(files_[file], ranks_of(file, counted), rank);
  }

  void write(StateWriter& state) const;
  void read(StateReader& state, std::size_t groups, const RankTable& ranks);

 private:
  /// A file and another rank than its first.
  struct Pair {
    std::uint32_t file, rank;
    auto operator<=>(const Pair&) const = default;
  };
  /// Distinct ranks of the files whose ranks did not come in order.
  using CountedRanks = std::unordered_map<std::uint32_t, std::size_t>;
  CountedRanks counted_ranks() const;
  std::size_t ranks_of(std::size_t file, const CountedRanks& counted) const {
    const File& f = files_[file];
    return f.unordered ? counted.at(static_cast<std::uint32_t>(file)) : std::size_t{f.ranks};
  }
  /// Adds a number of which −1 says that it is not known. Returns whether the sum does not fit; then it is as large as can be.
  static bool add_known(std::int64_t& sum, std::int64_t value) {
    if (value < 0) return false;
    bool overflow = __builtin_add_overflow(std::max<std::int64_t>(sum, 0), value, &sum);
    if (overflow) sum = INT64_MAX;
    return overflow;
  }
  std::size_t file_entry(std::uint32_t group, std::uint64_t id, std::int64_t number) {
    if (number < 0) return indexed_entry(group, id);
    auto at = static_cast<std::size_t>(number);
    if (at >= by_number_.size()) by_number_.resize(std::max(at + 1, 2 * by_number_.size()));
    std::uint32_t& known = by_number_[at];
    if (known && files_[known - 1].id == id && files_[known - 1].group == group) return known - 1;
    // Without an index every file so far had a number: one that is seen first is a new file.
    std::size_t entry = !known && !has_index_ ? new_entry(group, id) : indexed_entry(group, id);
    known = static_cast<std::uint32_t>(entry + 1);
    return entry;
  }
  void count(std::uint32_t group, std::int64_t files) {
    if (group >= files_in_.size()) files_in_.resize(std::max<std::size_t>(group + 1, 2 * files_in_.size()));
    files_in_[group] += files;
  }
  std::size_t new_entry(std::uint32_t group, std::uint64_t id) {
    count(group, 1);
    files_.emplace_back();
    files_.back().group = group;
    files_.back().id = id;
    return files_.size() - 1;
  }
  std::size_t indexed_entry(std::uint32_t group, std::uint64_t id);
  void add_rank(std::size_t at, std::uint32_t rank, const RankTable& ranks) {
    File& file = files_[at];
    if (file.ranks == 0) {
      file.ranks = 1;
      file.first_rank = file.highest_rank = rank;
    } else if (rank != file.highest_rank && rank != file.first_rank) {
      if (ranks.rank(rank) > ranks.rank(file.highest_rank)) {
        ++file.ranks;
        file.highest_rank = rank;
      } else {
        file.unordered = true;
      }
      more_.push_back({static_cast<std::uint32_t>(at), rank});
    }
  }

  // Files are found by their number, at once; the index is built when one has to be found by its id.
  std::vector<std::uint32_t> by_number_;  ///< entry + 1, or 0
  bool has_index_ = false;
  KeyedIndex index_;
  std::vector<File> files_;
  std::vector<std::int64_t> files_in_;  ///< by group
  std::vector<Pair> more_;
};

}  // namespace darrow

/// What was done with each file, and by which ranks: the state behind file categories and times by rank.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "aggregate/exact_sum.hpp"
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
  struct Rank {
    std::uint32_t group = 0;
    std::int64_t rank = 0;
    std::array<TimeSum, 3> times;  ///< in read, write and metadata calls
  };

  static constexpr std::uint32_t no_rank = UINT32_MAX, nobody = UINT32_MAX - 1;
  /// The entry of a rank, new or known; no_rank for −1 (all of them), nobody for what is below.
  std::uint32_t rank_entry(std::uint32_t group, std::int64_t rank);
  Rank& rank(std::uint32_t entry) { return ranks_[entry]; }
  /// Adds a record of the rank with that entry, or of no single rank.
  void add(std::uint32_t group, std::uint32_t rank, const FileRecord& record) {
    auto at = file_entry(group, record.id, record.number);
    File& file = files_[at];
    if (add_known(file.bytes_read, record.bytes_read)) file.read_overflow = true;
    if (add_known(file.bytes_written, record.bytes_written)) file.written_overflow = true;
    file.max_offset = std::max(file.max_offset, record.max_offset);
    if (rank == no_rank) file.shared = true;
    else if (rank != nobody) add_rank(at, rank);
  }
  void merge(const FileTable& other, std::span<const std::uint32_t> into);
  /// Fetches memory for that many files at once; more may come.
  void reserve(std::size_t files);

  /// Adds what ranks did, and the numbers of files. REQUIRES: no file is in two groups that come together. Files themselves are
  /// not there afterwards.
  void merge_numbers(const FileTable& other, std::span<const std::uint32_t> into);

  std::size_t size() const { return files_.size(); }
  /// Files of a group.
  std::int64_t files_in(std::size_t group) const { return group < files_in_.size() ? files_in_[group] : 0; }
  const std::vector<Rank>& ranks() const { return ranks_; }
  /// Those of equal rank in different groups joined; `at` gets the place of each of ranks().
  std::vector<Rank> ranks_as_one(std::vector<std::uint32_t>& at) const;
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
  void read(StateReader& state, std::size_t groups);

 private:
  /// A file and another rank than its first.
  struct Pair {
    std::uint32_t file, rank;
    auto operator<=>(const Pair&) const = default;
  };
  /// Returns the entry of each rank of the other.
  std::vector<std::uint32_t> merge_ranks(const FileTable& other, std::span<const std::uint32_t> into);
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
  void add_rank(std::size_t at, std::uint32_t rank) {
    File& file = files_[at];
    if (file.ranks == 0) {
      file.ranks = 1;
      file.first_rank = file.highest_rank = rank;
    } else if (rank != file.highest_rank && rank != file.first_rank) {
      if (ranks_[rank].rank > ranks_[file.highest_rank].rank) {
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
  KeyedIndex file_index_, rank_index_;
  std::vector<File> files_;
  std::vector<std::int64_t> files_in_;  ///< by group
  std::vector<Rank> ranks_;
  std::vector<Pair> more_;
  std::uint32_t last_rank_ = 0;  ///< records of one rank often lie together
};

}  // namespace darrow

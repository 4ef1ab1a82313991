#include "aggregate/file_categories.hpp"

#include <algorithm>

namespace darrow {
namespace {

Category use_of(const FileTable::File& file) {
  bool read = file.bytes_read > 0, written = file.bytes_written > 0;
  if (read && written) return Category::read_write;
  if (read) return Category::read_only;
  return written ? Category::write_only : Category::no_io;
}

Category sharing_of(const FileTable::File& file, std::size_t ranks, std::int64_t nprocs) {
  if (nprocs == 1) return Category::unique;
  if (file.shared) return Category::shared;
  if (ranks <= 1) return Category::unique;
  return nprocs > 1 && ranks >= static_cast<std::uint64_t>(nprocs) ? Category::shared : Category::partially_shared;
}

/// Bytes of several files: 0 of none; nothing if none is known, or if they do not fit.
struct ByteSum {
  std::int64_t sum = 0;
  bool known = false, overflow = false;

  /// `bytes`: −1 if not known.
  void add(std::int64_t bytes, bool does_not_fit = false) {
    overflow |= does_not_fit;
    if (bytes < 0) return;
    known = true;
    overflow |= __builtin_add_overflow(sum, bytes, &sum);
  }
  void merge(const ByteSum& other) {
    if (other.known) add(other.sum < 0 ? 0 : other.sum, other.overflow);
  }
  std::optional<std::int64_t> value() const { return known && !overflow ? std::optional(sum) : std::nullopt; }
};

/// One category while it is added up.
struct CategorySums {
  std::int64_t files = 0, processes = 0, max_offset = -1;
  ByteSum bytes_read, bytes_written, sizes;
  bool shared = false;
  bool unknown_use = false;  ///< whether bytes of a file were not recorded

  void add(const FileTable::File& file) {
    ++files;
    shared |= file.shared;
    unknown_use |= file.bytes_read < 0 || file.bytes_written < 0;
    bytes_read.add(file.bytes_read, file.read_overflow);
    bytes_written.add(file.bytes_written, file.written_overflow);
    max_offset = std::max(max_offset, file.max_offset);
    // Offsets count from 0; a file without I/O has none, and shows nothing of its size.
    if (use_of(file) == Category::no_io || file.max_offset < 0) return;
    sizes.add(file.max_offset);
    sizes.add(1);
  }
  void merge(const CategorySums& other) {
    files += other.files;
    shared |= other.shared;
    unknown_use |= other.unknown_use;
    bytes_read.merge(other.bytes_read);
    bytes_written.merge(other.bytes_written);
    sizes.merge(other.sizes);
    max_offset = std::max(max_offset, other.max_offset);
  }
};

/// A file is of one use and one sharing: files are added up by both, categories are sums of these.
constexpr std::size_t uses = 4, sharings = 3;
constexpr Category use(std::size_t i) {
  return static_cast<Category>(static_cast<std::size_t>(Category::read_only) + i);
}
constexpr Category sharing(std::size_t i) {
  return static_cast<Category>(static_cast<std::size_t>(Category::unique) + i);
}

}  // namespace

void add_file_categories(const FileTable& files, std::int64_t nprocs, const Grouping& by, std::vector<Facts>& all) {
  std::vector<std::array<CategorySums, uses * sharings>> parts(all.size());
  std::vector<std::uint8_t> of_rank(by.ranks.size());  // a bit for each category that the rank took part in
  auto note = [&](std::uint32_t rank, std::uint8_t bits) {
    of_rank[by.rank_at.empty() ? rank : by.rank_at[rank]] |= bits;
  };
  auto parts_of = [&](const FileTable::File& file, std::size_t distinct_ranks) {
    return std::pair(
        static_cast<std::size_t>(use_of(file)) - static_cast<std::size_t>(use(0)),
        static_cast<std::size_t>(sharing_of(file, distinct_ranks, nprocs)) - static_cast<std::size_t>(sharing(0)));
  };
  auto bits_of = [](std::size_t u, std::size_t v) {
    return static_cast<std::uint8_t>(1u | 1u << static_cast<unsigned>(use(u)) |
                                     1u << static_cast<unsigned>(sharing(v)));
  };
  files.each_file([&](const FileTable::File& file, std::size_t distinct_ranks) {
    auto [u, v] = parts_of(file, distinct_ranks);
    parts[by.group(file.group)][u * sharings + v].add(file);
    if (file.ranks) note(file.first_rank, bits_of(u, v));
  });
  files.each_further_rank([&](const FileTable::File& file, std::size_t distinct_ranks, std::uint32_t rank) {
    auto [u, v] = parts_of(file, distinct_ranks);
    note(rank, bits_of(u, v));
  });
  std::vector<std::array<CategorySums, categories>> sums(all.size());
  for (std::size_t g = 0; g < all.size(); ++g)
    for (std::size_t u = 0; u < uses; ++u)
      for (std::size_t v = 0; v < sharings; ++v)
        for (Category category : {Category::all, use(u), sharing(v)})
          sums[g][static_cast<std::size_t>(category)].merge(parts[g][u * sharings + v]);
  for (std::size_t i = 0; i < of_rank.size(); ++i)
    for (std::size_t c = 0; c < categories; ++c)
      sums[by.group(by.ranks.group(i))][c].processes += (of_rank[i] >> c) & 1;

  for (std::size_t g = 0; g < all.size(); ++g) {
    bool has_bytes = by.groups[g].known(Role::bytes_read) && by.groups[g].known(Role::bytes_written);
    bool has_offsets = by.groups[g].known(Role::max_byte_read) && by.groups[g].known(Role::max_byte_written);
    for (std::size_t c = 0; c < categories; ++c) {
      const auto& sum = sums[g][c];
      auto category = static_cast<Category>(c);
      auto& files_of = all[g].files[c];
      bool by_use = category >= Category::read_only && category <= Category::no_io;
      if (by_use && (!has_bytes || sums[g][0].unknown_use)) continue;
      files_of.files = sum.files;
      auto bytes = [&](const ByteSum& total) {
        return has_bytes && sum.files == 0 ? std::optional<std::int64_t>(0) : total.value();
      };
      files_of.bytes_read = bytes(sum.bytes_read);
      files_of.bytes_written = bytes(sum.bytes_written);
      if (has_offsets && sum.sizes.known) {
        files_of.max_offset = sum.max_offset;
        files_of.size_sum = sum.sizes.value();
      }
      if (sum.shared) files_of.processes = all[g].nprocs;
      else files_of.processes = sum.processes;
    }
  }
}

}  // namespace darrow

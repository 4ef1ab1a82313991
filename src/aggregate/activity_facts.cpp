// From what an Activity holds to Facts: the slowest rank, the longest times, file categories.
#include <algorithm>

#include "aggregate/activity_state.hpp"

namespace darrow {

Facts Activity::State::facts(std::size_t g) const {
  const ActivitySums& group = groups[g];
  Facts facts;
  facts.records = group.records;
  if (nprocs >= 1) facts.nprocs = nprocs;
  auto known = [&](Role role) { return group.known(role); };
  auto total = [&](const CountSum& sum) { return group.records ? sum.value() : std::optional<std::int64_t>(0); };
  for (std::size_t i = 1; i < role_count; ++i) {
    auto role = static_cast<Role>(i);
    if (!known(role)) continue;
    if (kind_of(role) == Kind::count) facts.counts[i] = total(group.counts[i]);
    if (kind_of(role) == Kind::time) facts.times[i] = group.records ? group.times[i].value() : std::optional(0.0);
  }
  for (std::size_t b = 0; b < size_buckets; ++b) {
    if (known(Role::size_read)) facts.read_sizes[b] = total(group.read_sizes[b]);
    if (known(Role::size_write)) facts.write_sizes[b] = total(group.write_sizes[b]);
  }
  facts.has_common_accesses = known(Role::access_size);
  // Without read, write and metadata time of all modules there is no time of a rank.
  bool timed = known(Role::read_time) && known(Role::write_time) && known(Role::meta_time);
  if (timed && known(Role::slowest_time)) facts.shared_time = group.times[at(Role::slowest_time)].sum.value();
  return facts;
}

void Activity::State::add_rank_times(std::vector<Facts>& all) const {
  struct Slowest {
    TimeSum io, rw, longest[3];
    std::optional<std::int64_t> rank, rank_of[3];
    TimeSum meta;
  };
  auto later = [](const TimeSum& time, const TimeSum& than, std::int64_t rank, std::optional<std::int64_t> than_rank) {
    return !than_rank || time > than || (time == than && rank < *than_rank);
  };
  std::vector<Slowest> slowest(all.size());
  for (const auto& rank : files.ranks()) {
    auto& s = slowest[rank.group];
    TimeSum rw = rank.times[0];
    rw.add(rank.times[1]);
    TimeSum io = rw;
    io.add(rank.times[2]);
    if (later(io, s.io, rank.rank, s.rank)) {
      s.io = io;
      s.rw = rw;
      s.meta = rank.times[2];
      s.rank = rank.rank;
    }
    for (std::size_t k = 0; k < 3; ++k)
      if (later(rank.times[k], s.longest[k], rank.rank, s.rank_of[k])) {
        s.longest[k] = rank.times[k];
        s.rank_of[k] = rank.rank;
      }
  }
  for (std::size_t g = 0; g < all.size(); ++g) {
    Facts& facts = all[g];
    const auto& s = slowest[g];
    bool timed = facts.shared_time.has_value();
    if (timed) {
      facts.unique_time = s.io.value();
      facts.unique_rw_time = s.rw.value();
      facts.unique_meta_time = s.meta.value();
      if (s.io.value() > 0) facts.slowest_rank = s.rank;
    }
    const auto& shared = groups[g].shared;
    auto known = [&](Role role) { return groups[g].known(role); };
    auto set = [&](Facts::ProcessTime& time, const TimeSum& longest, std::optional<std::int64_t> rank, bool possible) {
      if (!possible) return;
      time.longest = longest.value();
      if (*time.longest > 0) time.rank = rank;
    };
    set(facts.read, s.longest[0], s.rank_of[0], known(Role::read_time) && facts.time(Role::read_time) && !shared[0]);
    set(facts.write, s.longest[1], s.rank_of[1], known(Role::write_time) && facts.time(Role::write_time) && !shared[1]);
    set(facts.meta, s.longest[2], s.rank_of[2], known(Role::meta_time) && facts.time(Role::meta_time) && !shared[2]);
    set(facts.io, s.io, s.rank, timed && !shared[0] && !shared[1] && !shared[2]);
  }
}

namespace {

Category use_of(const FileTable::File& file) {
  bool read = file.bytes_read > 0, written = file.bytes_written > 0;
  if (read && written) return Category::read_write;
  if (read) return Category::read_only;
  return written ? Category::write_only : Category::no_io;
}

Category sharing_of(const FileTable::File& file, std::int64_t nprocs) {
  if (file.shared) return Category::shared;
  if (file.ranks <= 1) return Category::unique;
  return nprocs > 1 && file.ranks >= nprocs ? Category::shared : Category::partially_shared;
}

/// One category while it is added up.
struct CategorySums {
  std::int64_t files = 0, processes = 0;
  CountSum bytes_read, bytes_written, sizes;
  std::int64_t max_offset = -1;
  bool shared = false, overflow = false;

  void add(const FileTable::File& file) {
    ++files;
    shared |= file.shared;
    overflow |= file.overflow;
    if (file.bytes_read >= 0) bytes_read.add(file.bytes_read);
    if (file.bytes_written >= 0) bytes_written.add(file.bytes_written);
    max_offset = std::max(max_offset, file.max_offset);
    // Offsets count from 0; a file without I/O has none, and shows nothing of its size.
    if (use_of(file) != Category::no_io && file.max_offset >= 0 && file.max_offset < INT64_MAX)
      sizes.add(file.max_offset + 1);
  }
};

}  // namespace

void Activity::State::add_categories(std::vector<Facts>& all) const {
  std::vector<std::array<CategorySums, categories>> sums(all.size());
  auto list = files.files();
  std::vector<std::uint8_t> of_rank(files.ranks().size());  // a bit for each category that the rank took part in
  std::vector<std::uint8_t> of_file(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (Category category : {Category::all, use_of(list[i]), sharing_of(list[i], nprocs)}) {
      sums[list[i].group][static_cast<std::size_t>(category)].add(list[i]);
      of_file[i] = static_cast<std::uint8_t>(of_file[i] | 1u << static_cast<unsigned>(category));
    }
  }
  files.each_rank_of_file([&](std::size_t file, std::size_t rank) { of_rank[rank] |= of_file[file]; });
  for (std::size_t i = 0; i < of_rank.size(); ++i)
    for (std::size_t c = 0; c < categories; ++c) sums[files.ranks()[i].group][c].processes += (of_rank[i] >> c) & 1;

  for (std::size_t g = 0; g < all.size(); ++g) {
    bool has_bytes = groups[g].known(Role::bytes_read) && groups[g].known(Role::bytes_written);
    bool has_offsets = groups[g].known(Role::max_byte_read) && groups[g].known(Role::max_byte_written);
    for (std::size_t c = 0; c < categories; ++c) {
      const auto& sum = sums[g][c];
      auto category = static_cast<Category>(c);
      auto& files_of = all[g].files[c];
      bool by_use = category >= Category::read_only && category <= Category::no_io;
      if (by_use && !has_bytes) continue;
      files_of.files = sum.files;
      auto bytes = [&](const CountSum& s) {
        if (!has_bytes || sum.overflow) return std::optional<std::int64_t>();
        return sum.files ? s.value() : std::optional<std::int64_t>(0);
      };
      files_of.bytes_read = bytes(sum.bytes_read);
      files_of.bytes_written = bytes(sum.bytes_written);
      if (has_offsets && sum.sizes.terms) {
        files_of.max_offset = sum.max_offset;
        files_of.size_sum = sum.sizes.value();
      }
      if (sum.shared) files_of.processes = all[g].nprocs;
      else files_of.processes = sum.processes;
    }
  }
}

std::vector<Facts> Activity::facts() const {
  std::vector<Facts> all;
  for (std::size_t g = 0; g < state_->groups.size(); ++g) all.push_back(state_->facts(g));
  state_->add_rank_times(all);
  state_->add_categories(all);
  auto sorted = state_->common.sorted(all.size());
  for (std::size_t g = 0; g < all.size(); ++g)
    for (auto entry : sorted[g])
      all[g].common_accesses.emplace_back(state_->common.value(entry)[0], state_->common.count(entry));
  return all;
}

}  // namespace darrow

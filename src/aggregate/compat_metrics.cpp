#include "aggregate/compat_metrics.hpp"

#include <algorithm>

#include "aggregate/compat_wrap.hpp"

namespace darrow::compat {
namespace {

std::size_t at(const Module& m, Role role) { return static_cast<std::size_t>(position(m, role)); }

}  // namespace

void Metrics::add(const Columns& records) {
  add_times(records);
  add_files(records);
}

void Metrics::add_times(const Columns& records) {
  auto ranks = records.ranks();
  auto read = records.floats(at(module_, Role::read_time)), write = records.floats(at(module_, Role::write_time)),
       meta = records.floats(at(module_, Role::meta_time)), slowest = records.floats(at(module_, Role::slowest_time));
  for (std::size_t r = 0; r < records.rows(); ++r) {
    if (ranks[r] < 0) {
      shared_time_ += slowest[r];
      continue;
    }
    RankTimes& times = ranks_[ranks[r]];
    times.all += meta[r] + read[r] + write[r];  // in this order: rounding
    times.read_write += read[r] + write[r];
    times.meta += meta[r];
  }
}

void Metrics::add_files(const Columns& records) {
  auto ids = records.ids();
  auto ranks = records.ranks();
  auto read = records.ints(at(module_, Role::bytes_read)), written = records.ints(at(module_, Role::bytes_written));
  bool has_offsets = position(module_, Role::max_byte_read) >= 0;
  for (std::size_t r = 0; r < records.rows(); ++r) {
    total_bytes_ = compat::add(total_bytes_, compat::add(read[r], written[r]));
    auto [index, is_new] = ids_.insert(ids[r]);
    if (is_new) files_.emplace_back();
    File& file = files_[static_cast<std::size_t>(index)];
    file.read = compat::add(file.read, read[r]);
    file.written = compat::add(file.written, written[r]);
    std::int64_t offset = -1;
    if (has_offsets)
      offset = std::max(records.ints(at(module_, Role::max_byte_read))[r],
                        records.ints(at(module_, Role::max_byte_written))[r]);
    file.max_offset = offset == -1 ? -1 : std::max(file.max_offset, offset);
    file.nprocs = ranks[r] < 0 ? -1 : file.nprocs + 1;  // −1 does not stick: the next rank makes it 0
  }
}

void Metrics::add_to(CompatCategory& c, const File& file) const {
  ++c.count;
  c.total_read_volume_bytes = compat::add(c.total_read_volume_bytes, file.read);
  c.total_write_volume_bytes = compat::add(c.total_write_volume_bytes, file.written);
  c.max_read_volume_bytes = std::max(c.max_read_volume_bytes, file.read);
  c.max_write_volume_bytes = std::max(c.max_write_volume_bytes, file.written);
  if (file.max_offset == -1) {
    c.total_max_offset_bytes = c.max_offset_bytes = -1;
  } else {
    c.total_max_offset_bytes = compat::add(c.total_max_offset_bytes, file.max_offset);
    c.max_offset_bytes = std::max(c.max_offset_bytes, file.max_offset);
  }
  if (file.nprocs > 0 && c.nprocs > -1) c.nprocs = compat::add(c.nprocs, file.nprocs);
  if (file.nprocs < 0 || c.nprocs >= nprocs_) c.nprocs = -1;
}

CompatMetrics Metrics::result() const {
  CompatMetrics m;
  m.total_bytes = total_bytes_;
  for (const auto& [rank, times] : ranks_)
    if (times.all > m.unique_io_total_time_by_slowest ||
        (times.all == m.unique_io_total_time_by_slowest && times.all > 0 && rank < m.unique_io_slowest_rank)) {
      m.unique_io_total_time_by_slowest = times.all;
      m.unique_rw_only_time_by_slowest = times.read_write;
      m.unique_md_only_time_by_slowest = times.meta;
      m.unique_io_slowest_rank = rank;
    }
  m.shared_io_total_time_by_slowest = shared_time_;
  m.agg_time_by_slowest = m.unique_io_total_time_by_slowest + shared_time_;
  if (m.agg_time_by_slowest != 0)
    m.agg_perf_by_slowest = static_cast<double>(total_bytes_) / 1048576.0 / m.agg_time_by_slowest;
  for (const File& file : files_) {
    add_to(m.all, file);
    if (file.read > 0 && file.written > 0) add_to(m.read_write, file);
    else if (file.read > 0 && file.written == 0) add_to(m.read_only, file);
    else if (file.written > 0 && file.read == 0) add_to(m.write_only, file);
    add_to(file.nprocs == 1 ? m.unique : file.nprocs == -1 ? m.shared : m.part_shared, file);
  }
  return m;
}

}  // namespace darrow::compat

// The metrics: name, unit, formula, meaning, and the function that computes them from Facts. docs/metrics.md comes from here.
#include "darrow/metrics.hpp"

#include <algorithm>

#include "aggregate/metric_values.hpp"

namespace darrow {
namespace {

using enum Role;

/// The roles that a metric needs.
template <Role... R>
constexpr Role of[] = {R...};
constexpr std::span<const Role> nothing{};

using Count = std::optional<std::int64_t>;
using Real = std::optional<double>;

Count sum(Count a, Count b) {
  std::int64_t total;
  if (!a || !b || __builtin_add_overflow(*a, *b, &total)) return {};
  return total;
}
Real sum(Real a, Real b) { return a && b ? Real(*a + *b) : Real(); }
/// Nothing for 0: never infinite.
Real ratio(Real part, Real whole) { return part && whole && *whole > 0 ? Real(*part / *whole) : Real(); }
Real real(Count count) { return count ? Real(static_cast<double>(*count)) : Real(); }

Count count(const Facts& f, Role role) { return f.count(role); }
Count bytes(const Facts& f) { return sum(count(f, bytes_read), count(f, bytes_written)); }
Real slowest_path(const Facts& f) { return sum(f.unique_time, f.shared_time); }
Real io_time(const Facts& f) { return sum(sum(f.time(read_time), f.time(write_time)), f.time(meta_time)); }
Real share(const Facts& f, Role part, Role whole) { return ratio(real(count(f, part)), real(count(f, whole))); }
Real unaligned(const Facts& f, Role part) {
  return ratio(real(count(f, part)), real(sum(count(f, reads), count(f, writes))));
}
Real per_process(const Facts& f, Real time) { return ratio(time, real(f.nprocs)); }
Real imbalance(const Facts& f, Real time, const Facts::ProcessTime& of_process) {
  return ratio(of_process.longest, per_process(f, time));
}
/// Accesses of up to 100 KiB. The next bucket holds 1 MiB itself, which is not small.
constexpr std::int64_t small_access = 100 << 10;
Real small(const std::array<Count, size_buckets>& sizes) {
  Count few = 0, all = 0;
  for (std::size_t b = 0; b < size_buckets; ++b) {
    if (b < bucket_ends.size() && bucket_ends[b] <= small_access) few = sum(few, sizes[b]);
    all = sum(all, sizes[b]);
  }
  return ratio(real(few), real(all));
}

constexpr auto counted = MetricTable::layers;

// clang-format off
const LayerMetric layer_metrics[] = {
    {{"records", counted, ColumnType::i64, "count", "number of records", "records of the module", nothing},
     [](const Facts& f) -> Value { return Count(f.records); }},
    {{"files", counted, ColumnType::i64, "count", "number of distinct record ids", "files, or datasets (H5D), variables (PNETCDF_VAR), objects (DAOS)", nothing},
     [](const Facts& f) -> Value { return f.files[0].files; }},
    {{"bytes_read", counted, ColumnType::i64, "bytes", "sum(bytes_read)", "bytes read", of<bytes_read>},
     [](const Facts& f) -> Value { return count(f, bytes_read); }},
    {{"bytes_written", counted, ColumnType::i64, "bytes", "sum(bytes_written)", "bytes written", of<bytes_written>},
     [](const Facts& f) -> Value { return count(f, bytes_written); }},
    {{"bytes", counted, ColumnType::i64, "bytes", "bytes_read + bytes_written", "bytes moved", of<bytes_read, bytes_written>},
     [](const Facts& f) -> Value { return bytes(f); }},
    {{"reads", counted, ColumnType::i64, "calls", "sum(reads)", "read calls of all kinds", of<reads>},
     [](const Facts& f) -> Value { return count(f, reads); }},
    {{"writes", counted, ColumnType::i64, "calls", "sum(writes)", "write calls of all kinds", of<writes>},
     [](const Facts& f) -> Value { return count(f, writes); }},
    {{"opens", counted, ColumnType::i64, "calls", "sum(opens)", "calls that open or create", of<opens>},
     [](const Facts& f) -> Value { return count(f, opens); }},
    {{"meta_ops", counted, ColumnType::i64, "calls", "sum(meta_ops)", "other metadata calls: seek, stat, sync, …; those that were not recorded are left out", of<meta_ops>},
     [](const Facts& f) -> Value { return count(f, meta_ops); }},

    {{"time_by_slowest", counted, ColumnType::f64, "seconds", "unique_time_by_slowest + shared_time_by_slowest", "I/O time along the slowest ranks: the estimate of elapsed time in I/O", of<read_time, write_time, meta_time, slowest_time>},
     [](const Facts& f) -> Value { return slowest_path(f); }},
    {{"unique_time_by_slowest", counted, ColumnType::f64, "seconds", "largest over ranks of sum(read_time + write_time + meta_time) over its own records", "read, write and metadata time of the slowest rank in records of single ranks", of<read_time, write_time, meta_time, slowest_time>},
     [](const Facts& f) -> Value { return f.unique_time; }},
    {{"unique_rw_time_by_slowest", counted, ColumnType::f64, "seconds", "sum(read_time + write_time) of slowest_rank", "read and write time of that rank", of<read_time, write_time, meta_time, slowest_time>},
     [](const Facts& f) -> Value { return f.unique_rw_time; }},
    {{"unique_meta_time_by_slowest", counted, ColumnType::f64, "seconds", "sum(meta_time) of slowest_rank", "metadata time of that rank", of<read_time, write_time, meta_time, slowest_time>},
     [](const Facts& f) -> Value { return f.unique_meta_time; }},
    {{"shared_time_by_slowest", counted, ColumnType::f64, "seconds", "sum(slowest_time) over records of rank -1", "for each shared record the time of its slowest rank, added up", of<read_time, write_time, meta_time, slowest_time>},
     [](const Facts& f) -> Value { return f.shared_time; }},
    {{"slowest_rank", counted, ColumnType::i64, "rank", "rank of unique_time_by_slowest", "the slowest rank (the lowest of equal ones); null if there is no such time", of<read_time, write_time, meta_time, slowest_time>},
     [](const Facts& f) -> Value { return f.slowest_rank; }},
    {{"rate", counted, ColumnType::f64, "bytes/s", "bytes / time_by_slowest", "bytes by I/O time; null if the time is 0", of<bytes_read, bytes_written, read_time, write_time, meta_time, slowest_time>},
     [](const Facts& f) -> Value { return ratio(real(bytes(f)), slowest_path(f)); }},

    {{"read_time", counted, ColumnType::f64, "seconds", "sum(read_time)", "time in read calls, added up over processes", of<read_time>},
     [](const Facts& f) -> Value { return f.time(read_time); }},
    {{"write_time", counted, ColumnType::f64, "seconds", "sum(write_time)", "time in write calls, added up over processes", of<write_time>},
     [](const Facts& f) -> Value { return f.time(write_time); }},
    {{"meta_time", counted, ColumnType::f64, "seconds", "sum(meta_time)", "time in metadata calls, added up over processes", of<meta_time>},
     [](const Facts& f) -> Value { return f.time(meta_time); }},
    {{"wait_time", counted, ColumnType::f64, "seconds", "sum(wait_time)", "time waiting for nonblocking requests, added up over processes", of<wait_time>},
     [](const Facts& f) -> Value { return f.time(wait_time); }},

    {{"read_time_mean", counted, ColumnType::f64, "seconds", "read_time / nprocs", "read time of a process on average", of<read_time>},
     [](const Facts& f) -> Value { return per_process(f, f.time(read_time)); }},
    {{"read_time_max", counted, ColumnType::f64, "seconds", "largest over ranks of sum(read_time)", "read time of the rank with the most; null if shared records hide it", of<read_time>},
     [](const Facts& f) -> Value { return f.read.longest; }},
    {{"read_time_max_rank", counted, ColumnType::i64, "rank", "rank of read_time_max", "that rank; null if nobody read", of<read_time>},
     [](const Facts& f) -> Value { return f.read.rank; }},
    {{"read_time_imbalance", counted, ColumnType::f64, "ratio", "read_time_max / read_time_mean", "1: all processes alike, nprocs: one does it all", of<read_time>},
     [](const Facts& f) -> Value { return imbalance(f, f.time(read_time), f.read); }},
    {{"write_time_mean", counted, ColumnType::f64, "seconds", "write_time / nprocs", "write time of a process on average", of<write_time>},
     [](const Facts& f) -> Value { return per_process(f, f.time(write_time)); }},
    {{"write_time_max", counted, ColumnType::f64, "seconds", "largest over ranks of sum(write_time)", "write time of the rank with the most; null if shared records hide it", of<write_time>},
     [](const Facts& f) -> Value { return f.write.longest; }},
    {{"write_time_max_rank", counted, ColumnType::i64, "rank", "rank of write_time_max", "that rank; null if nobody wrote", of<write_time>},
     [](const Facts& f) -> Value { return f.write.rank; }},
    {{"write_time_imbalance", counted, ColumnType::f64, "ratio", "write_time_max / write_time_mean", "1: all processes alike, nprocs: one does it all", of<write_time>},
     [](const Facts& f) -> Value { return imbalance(f, f.time(write_time), f.write); }},
    {{"meta_time_mean", counted, ColumnType::f64, "seconds", "meta_time / nprocs", "metadata time of a process on average", of<meta_time>},
     [](const Facts& f) -> Value { return per_process(f, f.time(meta_time)); }},
    {{"meta_time_max", counted, ColumnType::f64, "seconds", "largest over ranks of sum(meta_time)", "metadata time of the rank with the most; null if shared records hide it", of<meta_time>},
     [](const Facts& f) -> Value { return f.meta.longest; }},
    {{"meta_time_max_rank", counted, ColumnType::i64, "rank", "rank of meta_time_max", "that rank; null if there is no such time", of<meta_time>},
     [](const Facts& f) -> Value { return f.meta.rank; }},
    {{"meta_time_imbalance", counted, ColumnType::f64, "ratio", "meta_time_max / meta_time_mean", "1: all processes alike, nprocs: one does it all", of<meta_time>},
     [](const Facts& f) -> Value { return imbalance(f, f.time(meta_time), f.meta); }},
    {{"io_time_mean", counted, ColumnType::f64, "seconds", "(read_time + write_time + meta_time) / nprocs", "I/O time of a process on average", of<read_time, write_time, meta_time>},
     [](const Facts& f) -> Value { return per_process(f, io_time(f)); }},
    {{"io_time_max", counted, ColumnType::f64, "seconds", "largest over ranks of sum(read_time + write_time + meta_time)", "I/O time of the rank with the most; null if shared records hide it", of<read_time, write_time, meta_time>},
     [](const Facts& f) -> Value { return f.io.longest; }},
    {{"io_time_max_rank", counted, ColumnType::i64, "rank", "rank of io_time_max", "that rank; null if there is no such time", of<read_time, write_time, meta_time>},
     [](const Facts& f) -> Value { return f.io.rank; }},
    {{"io_time_imbalance", counted, ColumnType::f64, "ratio", "io_time_max / io_time_mean", "1: all processes alike, nprocs: one does it all", of<read_time, write_time, meta_time>},
     [](const Facts& f) -> Value { return imbalance(f, io_time(f), f.io); }},

    {{"seq_read_share", counted, ColumnType::f64, "share", "sum(seq_reads) / reads", "reads that began behind the one before them", of<seq_reads, reads>},
     [](const Facts& f) -> Value { return share(f, seq_reads, reads); }},
    {{"seq_write_share", counted, ColumnType::f64, "share", "sum(seq_writes) / writes", "writes that began behind the one before them", of<seq_writes, writes>},
     [](const Facts& f) -> Value { return share(f, seq_writes, writes); }},
    {{"consec_read_share", counted, ColumnType::f64, "share", "sum(consec_reads) / reads", "reads that began right where the one before them ended", of<consec_reads, reads>},
     [](const Facts& f) -> Value { return share(f, consec_reads, reads); }},
    {{"consec_write_share", counted, ColumnType::f64, "share", "sum(consec_writes) / writes", "writes that began right where the one before them ended", of<consec_writes, writes>},
     [](const Facts& f) -> Value { return share(f, consec_writes, writes); }},
    {{"small_read_share", counted, ColumnType::f64, "share", "read sizes up to 100 KiB / all read sizes", "reads of at most 100 KiB (102,400 bytes)", of<size_read>},
     [](const Facts& f) -> Value { return small(f.read_sizes); }},
    {{"small_write_share", counted, ColumnType::f64, "share", "write sizes up to 100 KiB / all write sizes", "writes of at most 100 KiB (102,400 bytes)", of<size_write>},
     [](const Facts& f) -> Value { return small(f.write_sizes); }},
    {{"mem_unaligned_share", counted, ColumnType::f64, "share", "sum(mem_not_aligned) / (reads + writes)", "accesses whose buffer was not aligned in memory", of<mem_not_aligned, reads, writes>},
     [](const Facts& f) -> Value { return unaligned(f, mem_not_aligned); }},
    {{"file_unaligned_share", counted, ColumnType::f64, "share", "sum(file_not_aligned) / (reads + writes)", "accesses whose offset was not aligned in the file", of<file_not_aligned, reads, writes>},
     [](const Facts& f) -> Value { return unaligned(f, file_not_aligned); }},
};

constexpr auto category = MetricTable::categories;

const CategoryMetric category_metrics[] = {
    {{"files", category, ColumnType::i64, "count", "number of files in the category", "every file is in all, in one of read_only to no_io, and in one of unique to shared", nothing},
     [](const Facts::Files& f) -> Value { return f.files; }},
    {{"bytes_read", category, ColumnType::i64, "bytes", "sum(bytes_read) of its files", "bytes read from its files", of<bytes_read>},
     [](const Facts::Files& f) -> Value { return f.bytes_read; }},
    {{"bytes_written", category, ColumnType::i64, "bytes", "sum(bytes_written) of its files", "bytes written to its files", of<bytes_written>},
     [](const Facts::Files& f) -> Value { return f.bytes_written; }},
    {{"bytes", category, ColumnType::i64, "bytes", "bytes_read + bytes_written", "bytes moved", of<bytes_read, bytes_written>},
     [](const Facts::Files& f) -> Value { return sum(f.bytes_read, f.bytes_written); }},
    {{"max_offset", category, ColumnType::i64, "bytes", "max(max_byte_read, max_byte_written) over its files", "highest offset accessed, counted from 0; null if the layer records none or nothing was accessed", of<max_byte_read, max_byte_written>},
     [](const Facts::Files& f) -> Value { return f.max_offset; }},
    {{"mean_size", category, ColumnType::f64, "bytes", "sum(highest offset of a file + 1) / files", "size of its files on average, as far as accesses tell: files without I/O count 0", of<max_byte_read, max_byte_written>},
     [](const Facts::Files& f) -> Value { return ratio(real(f.size_sum), real(f.files)); }},
    {{"processes", category, ColumnType::i64, "count", "number of distinct ranks with records of its files; nprocs if one is shared by a record of rank -1", "processes that took part", nothing},
     [](const Facts::Files& f) -> Value { return f.processes; }},
};

constexpr auto sizes = MetricTable::access_sizes;
constexpr auto common = MetricTable::common_accesses;

const Metric row_metrics[] = {
    {"op", sizes, ColumnType::utf8, "", "read or write", "the operation", of<size_read, size_write>},
    {"above", sizes, ColumnType::i64, "bytes", "lower end of the bucket", "accesses of more bytes than this; null: from 0 on", of<size_read, size_write>},
    {"up_to", sizes, ColumnType::i64, "bytes", "upper end of the bucket", "accesses of at most this many bytes; null: no limit", of<size_read, size_write>},
    {"count", sizes, ColumnType::i64, "calls", "sum(size_read) or sum(size_write) of the bucket", "accesses of such a size", of<size_read, size_write>},
    {"size", common, ColumnType::i64, "bytes", "values of the records' common accesses", "an access size; null: all others", of<access_size>},
    {"count", common, ColumnType::i64, "calls", "sum of its counts; for others: reads + writes - listed", "accesses of that size: a lower bound, for a record lists four sizes at most", of<access_size>},
    {"share", common, ColumnType::f64, "share", "count / (reads + writes)", "its part of all accesses", of<access_size, reads, writes>},
};
// clang-format on

}  // namespace

std::span<const LayerMetric> metrics_of_layers() { return layer_metrics; }
std::span<const CategoryMetric> metrics_of_categories() { return category_metrics; }

std::span<const Metric> metrics() {
  static const auto all = [] {
    std::vector<Metric> list;
    for (const auto& m : layer_metrics) list.push_back(m.metric);
    for (const auto& m : category_metrics) list.push_back(m.metric);
    list.insert(list.end(), std::begin(row_metrics), std::end(row_metrics));
    return list;
  }();
  return all;
}

const Metric* find_metric(MetricTable table, std::string_view name) {
  for (const auto& m : metrics())
    if (m.table == table && m.name == name) return &m;
  return nullptr;
}

bool Metric::applies_to(const Module& module) const {
  return module.instead.empty() &&
         std::all_of(inputs.begin(), inputs.end(), [&](Role role) { return find_role(module.fields, role); });
}

std::string_view to_string(MetricTable table) {
  switch (table) {
    case MetricTable::layers: return "layers";
    case MetricTable::categories: return "categories";
    case MetricTable::access_sizes: return "access_sizes";
    case MetricTable::common_accesses: return "common_accesses";
  }
  return {};
}

std::string_view to_string(Category category) {
  switch (category) {
    case Category::all: return "all";
    case Category::read_only: return "read_only";
    case Category::write_only: return "write_only";
    case Category::read_write: return "read_write";
    case Category::no_io: return "no_io";
    case Category::unique: return "unique";
    case Category::partially_shared: return "partially_shared";
    case Category::shared: return "shared";
  }
  return {};
}

}  // namespace darrow

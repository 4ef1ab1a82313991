#include "text/totals.hpp"

#include <algorithm>

#include "aggregate/compat_wrap.hpp"
#include "text/data_lines.hpp"

namespace darrow::util_text {
namespace {

constexpr double mebibyte = 1 << 20;

/// The value of a row of a metrics table, or not_known.
template <typename T>
T known(const Table& table, std::string_view column, std::size_t row = 0) {
  const Column* c = table.find(column);
  return c && c->valid(static_cast<std::int64_t>(row)) ? c->values<T>()[row] : static_cast<T>(not_known);
}

/// The sum of numbers that are known, if it fits.
std::int64_t known_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  return a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum) ? not_known : sum;
}

/// Files of either kind.
FileCount either(const FileCount& a, const FileCount& b) {
  return {known_sum(a.files, b.files), known_sum(a.bytes, b.bytes), std::max(a.max_offset, b.max_offset)};
}

/// The same as darshan-util has it: everything is added up.
FileCount added(const FileCount& a, const FileCount& b) {
  return {compat::add(a.files, b.files), compat::add(a.bytes, b.bytes), compat::add(a.max_offset, b.max_offset)};
}

FileCount from_compat(const CompatCategory& c) {
  return {c.count, compat::add(c.total_read_volume_bytes, c.total_write_volume_bytes), c.max_offset_bytes};
}

std::array<FileCount, 6> files_of(const Table& categories) {
  auto of = [&](Category category) {
    auto row = static_cast<std::size_t>(category);
    return FileCount{known<std::int64_t>(categories, "files", row), known<std::int64_t>(categories, "bytes", row),
                     known<std::int64_t>(categories, "max_offset", row)};
  };
  using enum Category;
  return {of(all), of(read_only), of(write_only), of(read_write), of(unique), either(of(shared), of(partially_shared))};
}

Performance performance_of(const Table& layer) {
  double rate = known<double>(layer, "rate");
  return {
      .total_bytes = known<std::int64_t>(layer, "bytes"),
      .unique_time = known<double>(layer, "unique_time_by_slowest"),
      .unique_meta_time = known<double>(layer, "unique_meta_time_by_slowest"),
      .unique_rw_time = known<double>(layer, "unique_rw_time_by_slowest"),
      .slowest_rank = known<std::int64_t>(layer, "slowest_rank"),
      .shared_time = known<double>(layer, "shared_time_by_slowest"),
      .time = known<double>(layer, "time_by_slowest"),
      .rate = rate < 0 ? rate : rate / mebibyte,
  };
}

}  // namespace

bool Adder::has_times(const Module& module) { return find_role(module.fields, Role::slowest_time) != nullptr; }

bool Adder::can_add(const Module& module, bool compat) {
  return compat ? module.upstream.fold == Upstream::Fold::accumulator : module.instead.empty();
}

Result<Adder> Adder::create(const Module& module, std::int64_t nprocs, bool compat) {
  Adder adder(module);
  if (compat) {
    auto accumulator = CompatAccumulator::create(module, nprocs);
    if (!accumulator) return accumulator.error();
    adder.compat_.emplace(std::move(*accumulator));
    return adder;
  }
  auto accumulator = Accumulator::create(module);
  if (!accumulator) return accumulator.error();
  adder.records_.emplace(std::move(*accumulator));
  if (has_times(module)) adder.activity_.emplace(nprocs);
  return adder;
}

std::optional<Error> Adder::add(const Table& records) {
  if (compat_) return compat_->add(records);
  if (auto added = records_->add(records); !added) return added.error();
  if (activity_)
    if (auto added = activity_->add(records); !added) return added.error();
  return {};
}

Totals Adder::compat_totals() const {
  Totals totals{.record = std::make_shared<const Table>(compat_->record()), .files = {}, .performance = {}};
  auto metrics = compat_->metrics();
  if (!metrics) return totals;
  const CompatMetrics& m = *metrics;
  auto shared = added(from_compat(m.shared), from_compat(m.part_shared));
  totals.files = {from_compat(m.all),        from_compat(m.read_only), from_compat(m.write_only),
                  from_compat(m.read_write), from_compat(m.unique),    shared};
  totals.performance = Performance{
      .total_bytes = m.total_bytes,
      .unique_time = m.unique_io_total_time_by_slowest,
      .unique_meta_time = m.unique_md_only_time_by_slowest,
      .unique_rw_time = m.unique_rw_only_time_by_slowest,
      .slowest_rank = m.unique_io_slowest_rank,
      .shared_time = m.shared_io_total_time_by_slowest,
      .time = m.agg_time_by_slowest,
      .rate = m.agg_perf_by_slowest,
  };
  return totals;
}

Totals Adder::totals(bool damaged) const {
  if (compat_) return compat_totals();
  Totals totals{.record = records_->table(), .files = {}, .performance = {}};
  if (!activity_) return totals;
  const std::string label(module_->name);
  const Facts facts = facts_of(*activity_, damaged);
  totals.files = files_of(category_table("module", {&label, 1}, {&facts, 1}));
  totals.performance = performance_of(layer_table("module", {&label, 1}, {&facts, 1}));
  return totals;
}

void write_total(const Totals& totals, TextBuffer& out) {
  const Table& record = *totals.record;
  for (const Field* field : line_counters(*record.module)) {
    const Column* column = record.find(field->label());
    if (!column) continue;
    const bool is_known = record.rows > 0 && column->valid(0);
    out.put("total_").put(field->name).put(": ");
    if (column->type == ColumnType::f64) out.fixed6(is_known ? column->values<double>()[0] : double{not_known});
    else out.integer(is_known ? column->values<std::int64_t>()[0] : not_known);
    out.put("\n");
  }
}

void write_files(const Totals& totals, TextBuffer& out) {
  out.put(
      "\n# Total file counts\n"
      "# -----\n"
      "# <file_type>: what was done with a file, and by whom:\n"
      "#    *read_only: bytes were read, none written\n"
      "#    *write_only: bytes were written, none read\n"
      "#    *read_write: bytes were read and written\n"
      "#    *unique: one process only used it\n"
      "#    *shared: several processes used it, or all\n"
      "# <file_count>: number of such files\n"
      "# <total_bytes>: bytes read from them and written to them\n"
      "# <max_byte_offset>: highest offset that was reached in any of them\n"
      "\n"
      "# <file_type> <file_count> <total_bytes> <max_byte_offset>\n");
  constexpr std::string_view labels[] = {"total", "read_only", "write_only", "read_write", "unique", "shared"};
  for (std::size_t i = 0; i < std::size(labels); ++i) {
    const FileCount& count = (*totals.files)[i];
    out.put("# ").put(labels[i]).put(": ").integer(count.files).put(" ");
    out.integer(count.bytes).put(" ").integer(count.max_offset).put("\n");
  }
}

void write_performance(const Totals& totals, TextBuffer& out) {
  const Performance& p = *totals.performance;
  out.put("\n# performance\n# -----------\n# total_bytes: ").integer(p.total_bytes).put("\n");
  out.put("#\n# files with records of single ranks, seconds of the slowest one:\n# ...\n");
  out.put("# unique files: slowest_rank_io_time: ").fixed6(p.unique_time).put("\n");
  out.put("# unique files: slowest_rank_meta_only_time: ").fixed6(p.unique_meta_time).put("\n");
  out.put("# unique files: slowest_rank_rw_only_time: ").fixed6(p.unique_rw_time).put("\n");
  out.put("# unique files: slowest_rank: ").integer(p.slowest_rank).put("\n");
  out.put("#\n# files with one record of all ranks, seconds of the slowest of each:\n# ...\n");
  out.put("# shared files: time_by_slowest: ").fixed6(p.shared_time).put("\n");
  out.put("#\n# both together:\n# ...\n");
  out.put("# agg_time_by_slowest: ").fixed6(p.time).put(" # seconds\n");
  out.put("# agg_perf_by_slowest: ").fixed6(p.rate).put(" # MiB/s\n");
}

}  // namespace darrow::util_text

/// darrow._core.Log.compat: compatible mode, for tests.
#include "darrow/compat.hpp"

#include "bindings.hpp"

namespace darrow::python {
namespace {

nb::dict dict_of(const CompatCategory& c) {
  nb::dict out;
  out["count"] = c.count;
  out["total_read_volume_bytes"] = c.total_read_volume_bytes;
  out["total_write_volume_bytes"] = c.total_write_volume_bytes;
  out["max_read_volume_bytes"] = c.max_read_volume_bytes;
  out["max_write_volume_bytes"] = c.max_write_volume_bytes;
  out["total_max_offset_bytes"] = c.total_max_offset_bytes;
  out["max_offset_bytes"] = c.max_offset_bytes;
  out["nprocs"] = c.nprocs;
  return out;
}

nb::dict dict_of(const CompatMetrics& m) {
  nb::dict out, categories;
  out["total_bytes"] = m.total_bytes;
  out["unique_io_total_time_by_slowest"] = m.unique_io_total_time_by_slowest;
  out["unique_rw_only_time_by_slowest"] = m.unique_rw_only_time_by_slowest;
  out["unique_md_only_time_by_slowest"] = m.unique_md_only_time_by_slowest;
  out["unique_io_slowest_rank"] = m.unique_io_slowest_rank;
  out["shared_io_total_time_by_slowest"] = m.shared_io_total_time_by_slowest;
  out["agg_perf_by_slowest"] = m.agg_perf_by_slowest;
  out["agg_time_by_slowest"] = m.agg_time_by_slowest;
  categories["all"] = dict_of(m.all);
  categories["read_only"] = dict_of(m.read_only);
  categories["write_only"] = dict_of(m.write_only);
  categories["read_write"] = dict_of(m.read_write);
  categories["unique"] = dict_of(m.unique);
  categories["shared"] = dict_of(m.shared);
  categories["part_shared"] = dict_of(m.part_shared);
  out["category_counters"] = categories;
  return out;
}

}  // namespace

std::tuple<TableHandle, nb::object> compat(const LogHandle& self, std::string_view module,
                                           std::optional<std::vector<std::uint64_t>> ids) {
  std::shared_ptr<const Table> record;
  std::optional<CompatMetrics> metrics;
  {
    nb::gil_scoped_release release;
    const Module* known = find_module(module);
    if (!known) throw nb::value_error("not a module");
    const Job* job = self.log->job();
    auto accumulator = CompatAccumulator::create(*known, job ? job->nprocs : 0).value();
    TableOptions options;
    options.upstream_values = true;
    options.ids = std::move(ids);
    std::optional<Error> error;
    auto add = [&](const Table& records) {
      if (!error) error = accumulator.add(records);
    };
    (void)self.log->scan(module, options, add).value();
    if (error) throw ErrorException(*error);
    record = std::make_shared<const Table>(accumulator.record());
    metrics = accumulator.metrics();
  }
  return {TableHandle{record}, metrics ? nb::object(dict_of(*metrics)) : nb::none()};
}

}  // namespace darrow::python

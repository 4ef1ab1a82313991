/// darrow._core.Scan: many logs as one set of tables; and the logs that arguments stand for.
#include "darrow/scan.hpp"

#include <chrono>
#include <limits>
#include <map>
#include <mutex>

#include <nanobind/stl/map.h>

#include "bindings.hpp"
#include "darrow/log_paths.hpp"

namespace darrow::python {
namespace {

/// A scan as Python holds it: threads take turns.
class ScanHandle {
 public:
  explicit ScanHandle(std::unique_ptr<Scan> scan) : scan_(std::move(scan)) {}
  template <typename Function>
  auto with(Function function) {
    std::lock_guard lock(mutex_);
    return function(*scan_);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Scan> scan_;
};

/// Lets Python handle signals now and then: many logs without a row take long. Throws what a handler raised.
class Signals {
 public:
  void operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::vector<std::string> strings(const std::vector<nb::bytes>& list) {
  std::vector<std::string> out;
  for (const auto& b : list) out.emplace_back(b.c_str(), b.size());
  return out;
}

void make(ScanHandle* self, const std::vector<nb::bytes>& logs, std::vector<std::string> tables,
          std::vector<std::string> columns, std::optional<std::vector<std::uint64_t>> ids,
          std::optional<std::vector<std::int64_t>> ranks, const std::optional<std::string>& pattern,
          std::optional<std::vector<std::string>> names, std::optional<double> start, std::optional<double> end,
          std::int64_t batch_rows, std::uint64_t batch_bytes, std::uint64_t max_region_bytes, bool strict) {
  ScanOptions options;
  options.tables = std::move(tables);
  options.columns = std::move(columns);
  options.ids = std::move(ids);
  options.ranks = std::move(ranks);
  if (pattern) options.pattern = Pattern::compile(*pattern).value();
  options.names = std::move(names);
  constexpr double ever = std::numeric_limits<double>::infinity();
  if (start || end) options.time = TimeWindow{start.value_or(-ever), end.value_or(ever)};
  options.batch_rows = batch_rows;
  options.batch_bytes = batch_bytes;
  options.max_region_bytes = max_region_bytes;
  options.strict = strict;
  new (self) ScanHandle(Scan::create(strings(logs), std::move(options)).value());
}

std::optional<TableHandle> next(ScanHandle& self) {
  nb::gil_scoped_release release;
  auto batch = self.with([](Scan& scan) { return scan.next(Signals()); }).value();
  if (!batch) return {};
  return TableHandle{std::move(batch)};
}

std::map<std::string, std::uint64_t> counters(ScanHandle& self) {
  nb::gil_scoped_release release;
  auto c = self.with([](const Scan& scan) { return scan.counters(); });
  return {{"bytes_inflated", c.read.bytes_inflated},
          {"columns_decoded", c.read.columns_decoded},
          {"records_copied", c.read.records_copied},
          {"logs_opened", c.logs_opened}};
}

/// Position, code, message, region, offset.
using FailureRow = std::tuple<std::size_t, std::string_view, nb::str, nb::str, std::optional<std::uint64_t>>;

std::vector<FailureRow> failures(ScanHandle& self) {
  std::vector<ScanFailure> list;
  {
    nb::gil_scoped_release release;
    list = self.with([](const Scan& scan) { return scan.failures(); });
  }
  std::vector<FailureRow> rows;
  for (const auto& f : list)
    rows.emplace_back(f.position, to_string(f.error.code), text(f.error.message), text(f.error.region), f.error.offset);
  return rows;
}

/// The logs, and an error for each argument that leads nowhere: file and message.
using LogPaths = std::tuple<std::vector<nb::bytes>, std::vector<std::tuple<nb::bytes, nb::str>>>;

LogPaths log_paths(const std::vector<nb::bytes>& arguments, bool every_file) {
  const auto given = strings(arguments);
  std::vector<std::string> paths;
  std::vector<Error> errors;
  {
    nb::gil_scoped_release release;
    auto each = [&](const std::string& path) {
      paths.push_back(path);
      return true;
    };
    each_log_path(given, each, [&](const Error& e) { errors.push_back(e); }, every_file);
  }
  LogPaths parts;
  for (const auto& p : paths) std::get<0>(parts).emplace_back(p.data(), p.size());
  for (const auto& e : errors)
    std::get<1>(parts).emplace_back(nb::bytes(e.file.data(), e.file.size()), text(e.message));
  return parts;
}

std::string_view part_of(const ScanTable& table) {
  switch (table.part) {
    case TableOptions::Part::rows: return "rows";
    case TableOptions::Part::records: return "records";
    case TableOptions::Part::header: break;
  }
  return "header";
}

std::vector<const ScanTable*> tables() {
  std::vector<const ScanTable*> all;
  for (const auto& table : scan_tables()) all.push_back(&table);
  return all;
}

}  // namespace

void bind_scan(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<ScanHandle>(m, "Scan")
      .def("__init__", make, "logs"_a, "tables"_a = std::vector<std::string>(),
           "columns"_a = std::vector<std::string>(), "ids"_a = nb::none(), "ranks"_a = nb::none(),
           "pattern"_a = nb::none(), "names"_a = nb::none(), "start"_a = nb::none(), "end"_a = nb::none(),
           "batch_rows"_a = 0, "batch_bytes"_a = 0, "max_region_bytes"_a = default_max_region_bytes, "strict"_a = false)
      .def("next", next)
      .def("counters", counters)
      .def("failures", failures);
  nb::class_<ScanTable>(m, "ScanTable", "One of the tables of a scan.")
      .def_ro("name", &ScanTable::name)
      .def_prop_ro(
          "module", [](const ScanTable& table) { return table.module; }, nb::rv_policy::reference,
          nb::sig("def module(self) -> Module | None"), "Whose records it holds; None: it tells of the log.")
      .def_prop_ro("part", part_of,
                   "What of the module: rows, records (of traces) or header, as Log.table() has them.");
  m.def("scan_tables", tables, nb::rv_policy::reference, "Every table, in order.");
  m.def(
      "scan_schema",
      [](std::string_view table, const std::vector<std::string>& columns) {
        return TableHandle{scan_schema(table, columns).value()};
      },
      "table"_a, "columns"_a = std::vector<std::string>());
  m.def("log_paths", log_paths, "arguments"_a, "every_file"_a = false);
}

}  // namespace darrow::python

/// darrow._core.Log and Names.
#include <algorithm>

#include "bindings.hpp"

namespace darrow::python {
namespace {

std::int64_t checked(const NamesHandle& self, std::int64_t position) {
  if (position < 0 || position >= self.names->size()) throw nb::index_error("no such name");
  return position;
}
std::string_view name(const NamesHandle& self, std::int64_t position) {
  return self.names->name(checked(self, position));
}

// The rows of what a log says about itself; darrow/info.py names their parts.
using JobRow = std::tuple<std::int64_t, std::int64_t, std::int64_t, nb::str, std::int64_t, std::int64_t, std::int64_t,
                          std::int64_t, std::optional<double>, std::vector<std::tuple<nb::str, nb::str>>>;
using MountRow = std::tuple<nb::str, nb::str>;
using ModuleRow = std::tuple<int, nb::str, std::uint32_t, bool, std::uint64_t, std::uint64_t, std::string_view>;

LogHandle open(const nb::bytes& path, bool strict, std::uint64_t max_region_bytes) {
  const std::filesystem::path file(std::u8string_view(static_cast<const char8_t*>(path.data()), path.size()));
  nb::gil_scoped_release release;
  return {Log::open(file, {.strict = strict, .max_region_bytes = max_region_bytes}).value()};
}

LogHandle from_bytes(const nb::bytes& data, const nb::bytes& name, bool strict, std::uint64_t max_region_bytes) {
  const auto* first = static_cast<const std::byte*>(data.data());
  const auto* last = first + data.size();
  std::string file(name.c_str(), name.size());
  nb::gil_scoped_release release;
  return {Log::from_bytes({first, last}, std::move(file), {.strict = strict, .max_region_bytes = max_region_bytes})
              .value()};
}

std::optional<JobRow> job(const LogHandle& self) {
  const Job* j = self.log->job();
  if (!j) return std::nullopt;
  std::vector<std::tuple<nb::str, nb::str>> metadata;
  for (const auto& [key, value] : j->metadata) metadata.emplace_back(text(key), text(value));
  return JobRow{
      j->uid,          j->jobid,         j->nprocs,   text(j->exe),       j->start_time_sec, j->start_time_nsec,
      j->end_time_sec, j->end_time_nsec, j->run_time, std::move(metadata)};
}

std::vector<MountRow> mounts(const LogHandle& self) {
  std::vector<MountRow> rows;
  for (const auto& m : self.log->mounts()) rows.emplace_back(text(m.path), text(m.fs_type));
  return rows;
}

std::vector<ModuleRow> modules(const LogHandle& self) {
  std::vector<ModuleRow> rows;
  for (const auto& m : self.log->modules())
    rows.emplace_back(m.id, text(m.name), m.version, m.partial, m.offset, m.length, to_string(m.status));
  return rows;
}

NamesHandle names(const LogHandle& self) {
  nb::gil_scoped_release release;
  return {self.log->names().value()};
}

TableOptions table_options(std::string_view part, std::vector<std::string> columns) {
  TableOptions options;
  if (part == "records") options.part = TableOptions::Part::records;
  else if (part == "header") options.part = TableOptions::Part::header;
  else if (part != "rows") throw nb::value_error("part is rows, records or header");
  options.name_bytes = std::ranges::find(columns, "name_bytes") != columns.end();
  options.columns = std::move(columns);
  return options;
}

TableHandle table(const LogHandle& self, std::string_view name, std::string_view part, std::vector<std::string> columns,
                  std::optional<std::vector<std::uint64_t>> ids, std::optional<std::vector<std::int64_t>> ranks,
                  bool upstream_values) {
  TableOptions options = table_options(part, std::move(columns));
  options.ids = std::move(ids);
  options.ranks = std::move(ranks);
  options.upstream_values = upstream_values;
  nb::gil_scoped_release release;
  return {self.log->table(name, options).value()};
}

TableHandle schema(const LogHandle& self, std::string_view name, std::string_view part,
                   std::vector<std::string> columns) {
  return {self.log->schema(name, table_options(part, std::move(columns))).value()};
}

nb::bytes bytes(const LogHandle& self, std::string_view module) {
  Buffer buffer;
  {
    nb::gil_scoped_release release;
    buffer = self.log->bytes(module).value();
  }
  return nb::bytes(buffer.data, buffer.size);
}

std::vector<ProblemRow> problems(const LogHandle& self) { return rows_of(self.log->problems()); }

std::vector<ProblemRow> verify(const LogHandle& self) {
  std::vector<Problem> found;
  {
    nb::gil_scoped_release release;
    found = self.log->verify();
  }
  return rows_of(found);
}

nb::dict counters(const LogHandle& self) {
  const auto counted = self.log->counters();
  nb::dict values;
  values["bytes_inflated"] = counted.bytes_inflated;
  values["columns_decoded"] = counted.columns_decoded;
  values["records_copied"] = counted.records_copied;
  return values;
}

}  // namespace

std::vector<ProblemRow> rows_of(const std::vector<Problem>& problems) {
  std::vector<ProblemRow> rows;
  for (const auto& p : problems) {
    std::optional<std::string_view> offset_of;
    if (p.offset) offset_of = p.inflated ? "inflated" : "file";
    rows.emplace_back(to_string(p.severity()), to_string(p.kind), text(p.region), text(p.module), p.offset, offset_of,
                      p.count, text(p.message));
  }
  return rows;
}

void bind_log(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<NamesHandle>(m, "Names")
      .def("__len__", [](const NamesHandle& self) { return self.names->size(); })
      .def(
          "id", [](const NamesHandle& self, std::int64_t i) { return self.names->id(checked(self, i)); }, "position"_a)
      .def(
          "text", [](const NamesHandle& self, std::int64_t i) { return text(name(self, i)); }, "position"_a)
      .def(
          "bytes",
          [](const NamesHandle& self, std::int64_t i) { return nb::bytes(name(self, i).data(), name(self, i).size()); },
          "position"_a)
      .def("find", [](const NamesHandle& self, std::uint64_t id) { return self.names->find(id); }, "id"_a);

  nb::class_<LogHandle>(m, "Log")
      .def_static("open", open, "path"_a, "strict"_a, "max_region_bytes"_a)
      .def_static("from_bytes", from_bytes, "data"_a, "name"_a, "strict"_a, "max_region_bytes"_a)
      .def_prop_ro("path", [](const LogHandle& self) { return text(self.log->path()); })
      .def_prop_ro("format_version", [](const LogHandle& self) { return text(self.log->format_version()); })
      .def_prop_ro("byte_order", [](const LogHandle& self) { return to_string(self.log->byte_order()); })
      .def_prop_ro("compression", [](const LogHandle& self) { return to_string(self.log->compression()); })
      .def_prop_ro("size", [](const LogHandle& self) { return self.log->size(); })
      .def("job", job)
      .def("mounts", mounts)
      .def("modules", modules)
      .def("names", names)
      .def("table", table, "name"_a, "part"_a, "columns"_a, "ids"_a.none(), "ranks"_a.none(),
           "upstream_values"_a = false)
      .def("schema", schema, "name"_a, "part"_a, "columns"_a)
      .def("bytes", bytes, "module"_a)
      .def("compat", compat, "module"_a, "ids"_a.none() = nb::none())
      .def("counters", counters, nb::sig("def counters(self) -> dict[str, int]"))
      .def("problems", problems)
      .def("verify", verify);
}

}  // namespace darrow::python

/// Writing logs, and records as bytes.
#include "darrow/write.hpp"

#include <fmt/format.h>

#include "bindings.hpp"
#include "darrow/log.hpp"
#include "darrow/name_hash.hpp"

namespace darrow::python {
namespace {

using Ids = std::optional<std::vector<std::uint64_t>>;
using Ranks = std::optional<std::vector<std::int64_t>>;

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
std::span<const std::byte> span(const nb::bytes& bytes) {
  return {static_cast<const std::byte*>(bytes.data()), bytes.size()};
}

ErrorException wrong(std::string message) {
  return ErrorException(
      {.code = ErrorCode::invalid_argument, .message = std::move(message), .file = {}, .region = {}, .offset = {}});
}

Compression compression_of(std::string_view name) {
  for (auto c : {Compression::zlib, Compression::bzip2, Compression::none})
    if (name == to_string(c)) return c;
  throw wrong(fmt::format("no compression \"{}\": there are zlib, bzip2 and none", name));
}

ByteOrder byte_order_of(std::string_view name) {
  for (auto order : {ByteOrder::little, ByteOrder::big})
    if (name == to_string(order)) return order;
  throw wrong(fmt::format("no byte order \"{}\": there are little and big", name));
}

const Module& module_of(std::string_view name) {
  if (const Module* module = find_module(name)) return *module;
  throw wrong(fmt::format("no module is called \"{}\"", name));
}

LogWriter create(std::string_view compression, int level, std::string_view byte_order, std::string target,
                 bool strict) {
  WriteOptions options;
  options.compression = compression_of(compression);
  options.level = level;
  options.byte_order = byte_order_of(byte_order);
  options.target = std::move(target);
  options.strict = strict;
  return LogWriter::create(std::move(options)).value();
}

/// The numbers in the order of darrow/info.py.
void set_job(LogWriter& self, const std::vector<std::int64_t>& numbers, const nb::bytes& exe,
             std::optional<double> run_time, const std::vector<std::tuple<nb::bytes, nb::bytes>>& metadata) {
  Job job;
  job.uid = numbers.at(0);
  job.jobid = numbers.at(1);
  job.nprocs = numbers.at(2);
  job.start_time_sec = numbers.at(3);
  job.start_time_nsec = numbers.at(4);
  job.end_time_sec = numbers.at(5);
  job.end_time_nsec = numbers.at(6);
  job.exe = view(exe);
  job.run_time = run_time;
  for (const auto& [key, value] : metadata) job.metadata.emplace_back(view(key), view(value));
  self.set_job(std::move(job));
}

void set_mounts(LogWriter& self, const std::vector<std::tuple<nb::bytes, nb::bytes>>& mounts) {
  std::vector<Mount> list;
  for (const auto& [path, fs_type] : mounts) list.push_back({std::string(view(path)), std::string(view(fs_type))});
  self.set_mounts(std::move(list));
}

void add_names(LogWriter& self, const std::vector<std::uint64_t>& ids, const std::vector<nb::bytes>& names) {
  for (std::size_t i = 0; i < ids.size(); ++i) self.add_name(ids[i], view(names.at(i)));
}

void add_names_of(LogWriter& self, const NamesHandle& names) {
  for (std::int64_t i = 0; i < names.names->size(); ++i) self.add_name(names.names->id(i), names.names->name(i));
}

template <typename T>
Column number_column(std::string name, ColumnType type, T value) {
  auto owner = std::make_shared<T>(value);
  Column c;
  c.name = std::move(name);
  c.type = type;
  c.length = 1;
  c.data = {owner, reinterpret_cast<const std::byte*>(owner.get()), sizeof(T)};
  return c;
}

/// A table of one row, of Python's numbers.
Table row_table(std::string_view name, const nb::dict& row) {
  Table table;
  table.name = name;
  table.rows = 1;
  for (auto [key, value] : row) {
    auto column = nb::cast<std::string>(key);
    if (nb::isinstance<nb::float_>(value)) {
      table.columns.push_back(number_column<double>(column, ColumnType::f64, nb::cast<double>(value)));
    } else {
      std::int64_t number = 0;
      table.columns.push_back(nb::try_cast(value, number)
                                  ? number_column(column, ColumnType::i64, number)
                                  : number_column(column, ColumnType::u64, nb::cast<std::uint64_t>(value)));
    }
  }
  return table;
}

std::vector<const Table*> pointers(const std::vector<TableHandle>& batches) {
  std::vector<const Table*> tables;
  for (const auto& batch : batches) tables.push_back(batch.table.get());
  return tables;
}

std::int64_t add_table(LogWriter& self, std::string_view module, const std::vector<TableHandle>& batches) {
  nb::gil_scoped_release release;
  return self.add(module, pointers(batches)).value();
}

std::int64_t add_traces(LogWriter& self, std::string_view module, const TableHandle& records,
                        const std::vector<TableHandle>& segments) {
  nb::gil_scoped_release release;
  return self.add_traces(module, *records.table, pointers(segments)).value();
}

std::int64_t add_log(LogWriter& self, std::string_view module, const LogHandle& log, Ids ids, Ranks ranks) {
  nb::gil_scoped_release release;
  return self.add(*log.log, module, {.ids = std::move(ids), .ranks = std::move(ranks)}).value();
}

nb::bytes bytes(LogWriter& self) {
  std::vector<std::byte> all;
  {
    nb::gil_scoped_release release;
    all = self.bytes().value();
  }
  return nb::bytes(all.data(), all.size());
}

std::uint64_t write(LogWriter& self, const nb::bytes& path, bool overwrite) {
  const std::filesystem::path file(std::u8string_view(static_cast<const char8_t*>(path.data()), path.size()));
  nb::gil_scoped_release release;
  return self.write(file, overwrite).value();
}

nb::bytes records_as_bytes(const std::vector<TableHandle>& batches, std::string_view module, int version) {
  Buffer packed;
  {
    nb::gil_scoped_release release;
    packed = to_records(pointers(batches), module_of(module), version).value();
  }
  return nb::bytes(packed.data, packed.size);
}

TableHandle bytes_as_records(const nb::bytes& data, std::string_view module, int version, std::string_view byte_order) {
  return {from_records(span(data), module_of(module), version, byte_order_of(byte_order)).value()};
}

}  // namespace

void bind_write(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<LogWriter>(m, "LogWriter")
      .def_static("create", create, "compression"_a, "level"_a, "byte_order"_a, "target"_a, "strict"_a)
      .def("set_job", set_job, "numbers"_a, "exe"_a, "run_time"_a.none(), "metadata"_a)
      .def("set_mounts", set_mounts, "mounts"_a)
      .def("add_names", add_names, "ids"_a, "names"_a)
      .def("add_names_of", add_names_of, "names"_a)
      .def(
          "add_names_of_log", [](LogWriter& self, const LogHandle& log) { return self.add_names(*log.log).value(); },
          "log"_a)
      .def(
          "set_partial",
          [](LogWriter& self, std::string_view module, std::optional<int> version) {
            (void)self.set_partial(module, version).value();
          },
          "module"_a, "version"_a.none())
      .def(
          "set_version",
          [](LogWriter& self, std::string_view module, int version) {
            (void)self.set_version(module, version).value();
          },
          "module"_a, "version"_a)
      .def("add_table", add_table, "module"_a, "batches"_a)
      .def("add_traces", add_traces, "module"_a, "records"_a, "segments"_a)
      .def(
          "add_header",
          [](LogWriter& self, std::string_view module, const nb::typed<nb::dict, nb::str, nb::object>& row) {
            (void)self.add_header(module, row_table(module, row)).value();
          },
          "module"_a, "row"_a)
      .def("add_log", add_log, "module"_a, "log"_a, "ids"_a.none(), "ranks"_a.none())
      .def(
          "add_bytes",
          [](LogWriter& self, std::string_view module, int version, const nb::bytes& data,
             std::string_view byte_order) {
            return self.add_bytes(module, version, span(data), byte_order_of(byte_order)).value();
          },
          "module"_a, "version"_a, "data"_a, "byte_order"_a)
      .def("problems", [](const LogWriter& self) { return rows_of(self.problems()); })
      .def("to_bytes", bytes)
      .def("write", write, "path"_a, "overwrite"_a);
  m.def("to_records", records_as_bytes, "batches"_a, "module"_a, "version"_a);
  m.def("from_records", bytes_as_records, "data"_a, "module"_a, "version"_a, "byte_order"_a);
  m.def("column_names", [](std::string_view module) { return column_names(module_of(module)); }, "module"_a);
  m.def("record_id", [](const nb::bytes& name) { return record_id(view(name)); }, "name"_a);
}

}  // namespace darrow::python

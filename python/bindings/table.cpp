/// darrow._core.Table: columns out, through the Arrow C interface or value by value.
#include "bindings.hpp"
#include "capsule.hpp"
#include "darrow/arrow.hpp"

namespace darrow::python {
namespace {

bool shows_null(const Column& c, std::int64_t row, bool raw) { return !(raw && c.stored_nulls) && !c.valid(row); }

/// One cell as a Python object.
nb::object cell(const Column& c, std::int64_t row, bool raw) {
  if (shows_null(c, row, raw)) return nb::none();
  const auto at = static_cast<std::size_t>(row);
  switch (c.type) {
    case ColumnType::boolean:
      return nb::bool_(((std::to_integer<unsigned>(c.data.data[at >> 3]) >> (at & 7)) & 1u) != 0);
    case ColumnType::i32: return nb::int_(c.values<std::int32_t>()[at]);
    case ColumnType::u32: return nb::int_(c.values<std::uint32_t>()[at]);
    case ColumnType::i64: return nb::int_(c.values<std::int64_t>()[at]);
    case ColumnType::u64: return nb::int_(c.values<std::uint64_t>()[at]);
    case ColumnType::f64: return nb::float_(c.values<double>()[at]);
    case ColumnType::utf8:
    case ColumnType::dictionary: return text(c.text(row));
    case ColumnType::binary: {
      const auto bytes = c.text(row);
      return nb::bytes(bytes.data(), bytes.size());
    }
    case ColumnType::list: {
      nb::list out;
      const auto offsets = c.offsets.as<std::int32_t>();
      for (std::int64_t i = offsets[at]; i < offsets[at + 1]; ++i) out.append(cell(c.children[0], i, raw));
      return out;
    }
    case ColumnType::structure: {
      nb::dict out;
      for (const auto& child : c.children) out[text(child.name)] = cell(child, row, raw);
      return out;
    }
  }
  return nb::none();
}

/// The column's type as pyarrow writes it.
std::string type_text(const Column& c) {
  switch (c.type) {
    case ColumnType::boolean: return "bool";
    case ColumnType::i32: return "int32";
    case ColumnType::u32: return "uint32";
    case ColumnType::i64: return "int64";
    case ColumnType::u64: return "uint64";
    case ColumnType::f64: return "double";
    case ColumnType::utf8: return "string";
    case ColumnType::binary: return "binary";
    case ColumnType::dictionary: return "dictionary<int32, string>";
    case ColumnType::list: return "list<" + type_text(c.children[0]) + ">";
    case ColumnType::structure: {
      std::string out = "struct<";
      for (const auto& child : c.children)
        out += (out.back() == '<' ? "" : ", ") + child.name + ": " + type_text(child);
      return out + ">";
    }
  }
  return "";
}

/// Addresses of the column's buffers in the order of pyarrow's Array.buffers(); None where there is none.
void addresses(const Column& c, bool raw, std::vector<std::optional<std::uintptr_t>>& out) {
  const auto add = [&out](const Buffer& b) {
    out.push_back(b.data ? std::optional(reinterpret_cast<std::uintptr_t>(b.data)) : std::nullopt);
  };
  add(raw && c.stored_nulls ? Buffer{} : c.validity);
  if (c.type == ColumnType::utf8 || c.type == ColumnType::binary || c.type == ColumnType::list) add(c.offsets);
  if (c.children.empty() && c.type != ColumnType::structure) add(c.data);
  for (const auto& child : c.children) addresses(child, raw, out);
}

const Column& find(const Table& table, std::string_view name) {
  if (const Column* c = table.find(name)) return *c;
  throw nb::key_error(("no column " + std::string(name) + " in " + table.name).c_str());
}

/// A table of some of the columns, in the order asked for. Nothing is copied.
TableHandle select(const TableHandle& self, const std::vector<std::string>& columns) {
  auto out = std::make_shared<Table>();
  out->name = self.table->name;
  out->module = self.table->module;
  out->version = self.table->version;
  out->rows = self.table->rows;
  for (const auto& name : columns) out->columns.push_back(find(*self.table, name));
  return {std::move(out)};
}

/// The columns without rows: a schema that keeps no data alive.
TableHandle schema(const TableHandle& self) {
  auto out = std::make_shared<Table>();
  out->name = self.table->name;
  out->module = self.table->module;
  out->version = self.table->version;
  for (const auto& c : self.table->columns) out->columns.push_back(without_rows(c));
  return {std::move(out)};
}

/// Name, type, unit, meaning, rule, since; darrow/schema.py names the parts.
using FieldRow =
    std::tuple<nb::str, std::string, std::string_view, std::string_view, std::string_view, std::optional<int>>;

std::vector<FieldRow> fields(const TableHandle& self) {
  std::vector<FieldRow> rows;
  for (const auto& c : self.table->columns) {
    if (const Field* f = c.field)
      rows.emplace_back(text(c.name), type_text(c), f->unit, f->doc, f->rule == Rule::none ? "" : to_string(f->rule),
                        f->first);
    else rows.emplace_back(text(c.name), type_text(c), "", "", "", std::nullopt);
  }
  return rows;
}

std::vector<nb::object> column(const TableHandle& self, std::string_view name, bool raw) {
  const Column& c = find(*self.table, name);
  std::vector<nb::object> out;
  out.reserve(static_cast<std::size_t>(c.length));
  for (std::int64_t row = 0; row < c.length; ++row) out.push_back(cell(c, row, raw));
  return out;
}

}  // namespace

void bind_table(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<TableHandle>(m, "Table")
      .def_prop_ro("name", [](const TableHandle& self) { return text(self.table->name); })
      .def_prop_ro("rows", [](const TableHandle& self) { return self.table->rows; })
      .def_prop_ro("nbytes", [](const TableHandle& self) { return self.table->bytes(); })
      .def_prop_ro("columns",
                   [](const TableHandle& self) {
                     std::vector<nb::str> names;
                     for (const auto& c : self.table->columns) names.push_back(text(c.name));
                     return names;
                   })
      .def("fields", fields)
      .def("schema", schema)
      .def("select", select, "columns"_a)
      .def("column", column, "name"_a, "raw"_a)
      .def(
          "addresses",
          [](const TableHandle& self, std::string_view name, bool raw) {
            std::vector<std::optional<std::uintptr_t>> out;
            addresses(find(*self.table, name), raw, out);
            return out;
          },
          "name"_a, "raw"_a)
      .def("schema_capsule",
           [](const TableHandle& self) {
             return capsule<ArrowSchema>("arrow_schema", [&](ArrowSchema* out) { export_schema(*self.table, out); });
           })
      .def(
          "stream_capsule",
          [](const TableHandle& self, bool raw) {
            return capsule<ArrowArrayStream>("arrow_array_stream", [&](ArrowArrayStream* out) {
              export_stream(self.table, raw ? Nulls::raw : Nulls::arrow, out);
            });
          },
          "raw"_a);
}

}  // namespace darrow::python

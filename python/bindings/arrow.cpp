/// darrow._core.import_stream, import_array: tables of others come in through the Arrow C interface.
#include "darrow/arrow.hpp"

#include "bindings.hpp"

namespace darrow::python {
namespace {

/// Tables, and columns that were left out with what they are.
using ImportedParts = std::tuple<std::vector<TableHandle>, std::vector<std::tuple<nb::str, nb::str>>>;

ImportedParts parts_of(Imported imported) {
  ImportedParts parts;
  for (auto& batch : imported.batches) std::get<0>(parts).push_back({std::make_shared<const Table>(std::move(batch))});
  for (const auto& column : imported.unusable) std::get<1>(parts).emplace_back(text(column.name), text(column.type));
  return parts;
}

/// The Arrow struct in a capsule.
template <typename T>
T* inside(const nb::object& capsule, const char* name) {
  auto* value = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (!value) throw nb::python_error();
  return value;
}

ImportedParts import_stream_capsule(const nb::object& capsule, const std::vector<std::string>& left_out) {
  auto* stream = inside<ArrowArrayStream>(capsule, "arrow_array_stream");
  Imported imported;
  {
    nb::gil_scoped_release release;  // a producer written in Python takes it for itself
    imported = import_stream(stream, left_out).value();
  }
  return parts_of(std::move(imported));
}

ImportedParts import_array_capsules(const nb::object& schema_capsule, const nb::object& array_capsule,
                                    const std::vector<std::string>& left_out) {
  auto* schema = inside<ArrowSchema>(schema_capsule, "arrow_schema");
  auto* array = inside<ArrowArray>(array_capsule, "arrow_array");
  Imported imported;
  {
    nb::gil_scoped_release release;
    imported = import_array(array, schema, left_out).value();
  }
  return parts_of(std::move(imported));
}

}  // namespace

void bind_arrow(nb::module_& m) {
  using namespace nb::literals;
  m.def("import_stream", import_stream_capsule, "stream"_a, "left_out"_a = std::vector<std::string>());
  m.def("import_array", import_array_capsules, "schema"_a, "array"_a, "left_out"_a = std::vector<std::string>());
}

}  // namespace darrow::python

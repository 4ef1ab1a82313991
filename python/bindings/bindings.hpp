/// What the parts of the extension module share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string_view>

#include "darrow/log.hpp"
#include "darrow/table.hpp"

namespace darrow::python {

namespace nb = nanobind;

/// A table as Python holds it.
struct TableHandle {
  std::shared_ptr<const Table> table;
};

/// A log as Python holds it.
struct LogHandle {
  std::shared_ptr<const Log> log;
};

/// Names as Python holds them.
struct NamesHandle {
  std::shared_ptr<const Names> names;
};

/// Text as stored: bytes that are not UTF-8 become lone surrogates, as in os.fsdecode.
inline nb::str text(std::string_view bytes) {
  PyObject* str = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape");
  if (!str) throw nb::python_error();
  return nb::steal<nb::str>(str);
}

/// A problem as darrow/info.py names its parts.
using ProblemRow = std::tuple<std::string_view, std::string_view, nb::str, nb::str, std::optional<std::uint64_t>,
                              std::optional<std::string_view>, std::optional<std::int64_t>, nb::str>;
std::vector<ProblemRow> rows_of(const std::vector<Problem>& problems);

/// Makes darrow.errors raise for every error of the core.
void bind_errors();
void bind_modules(nb::module_&);
void bind_log(nb::module_&);
void bind_table(nb::module_&);
void bind_aggregate(nb::module_&);
void bind_write(nb::module_&);
void bind_arrow(nb::module_&);
void bind_scan(nb::module_&);
void bind_stream(nb::module_&);
void bind_many_logs(nb::module_&);

/// What darshan-util's accumulator makes of a module's records, or of those with one of these ids: the aggregate record,
/// and its metrics (None if it has none).
std::tuple<TableHandle, nb::object> compat(const LogHandle&, std::string_view module,
                                           std::optional<std::vector<std::uint64_t>> ids);

}  // namespace darrow::python

/// darrow._core.Module: what the tables of modules say of each.
#include "darrow/module.hpp"

#include <map>

#include <nanobind/stl/map.h>

#include "bindings.hpp"

namespace darrow::python {
namespace {

std::string_view file_column(const Module& module) {
  const Field* file = find_role(module.fields, Role::file);
  return (file ? *file : id_field).label();
}

std::map<std::string_view, std::vector<std::string_view>> roles(const Module& module) {
  std::map<std::string_view, std::vector<std::string_view>> columns;
  for (const auto& field : module.fields)
    if (field.role != Role::none && !field.hidden && field.in(module.current()))
      columns[to_string(field.role)].push_back(field.label());
  return columns;
}

std::vector<const Module*> all_modules() { return {modules().begin(), modules().end()}; }

}  // namespace

void bind_modules(nb::module_& m) {
  nb::class_<Module>(m, "Module", "One Darshan module.")
      .def_ro("name", &Module::name, "As Darshan prints it: MPI-IO.")
      .def_ro("sql_name", &Module::sql_name, "Its table: mpiio.")
      .def_ro("bottom", &Module::bottom, "Whether data leaves the program through it: such modules add up.")
      .def_ro("example", &Module::example, "Whether it is in no log of a job.")
      .def_prop_ro(
          "combines", [](const Module& module) { return module.instead.empty(); },
          "Whether its records combine into one.")
      .def_prop_ro("file", file_column,
                   "The column that tells the file of a record: its id unless it is a part of a file.")
      .def_prop_ro("roles", roles, "The columns of each role in metrics, of the newest version.");
  m.def("modules", all_modules, nb::rv_policy::reference, "All known modules, by ascending id.");
}

}  // namespace darrow::python

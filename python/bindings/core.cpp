/// The extension module darrow._core: the C++ library as it is; the Python files beside it make it friendly.
#include "bindings.hpp"

#include "darrow/version.hpp"

NB_MODULE(_core, m) {
#ifndef DARROW_SANITIZE
  // Others may keep objects of ours until Python has ended, which is no leak and nothing that users can mend: DuckDB what
  // it was handed, a process made by fork() the frames of threads that it does not have.
  nanobind::set_leak_warnings(false);
#endif
  m.attr("version") = darrow::version;
  m.attr("default_max_region_bytes") = darrow::default_max_region_bytes;
  m.attr("longest_time") = darrow::longest_time;
  darrow::python::bind_errors();
  darrow::python::bind_modules(m);
  darrow::python::bind_table(m);
  darrow::python::bind_log(m);
  darrow::python::bind_aggregate(m);
  darrow::python::bind_write(m);
  darrow::python::bind_arrow(m);
  darrow::python::bind_scan(m);
  darrow::python::bind_stream(m);
  darrow::python::bind_many_logs(m);
}

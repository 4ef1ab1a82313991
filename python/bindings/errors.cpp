/// Errors of the core become the exceptions of darrow.errors.
#include "bindings.hpp"

#include "darrow/result.hpp"

namespace darrow::python {
namespace {

/// Sets the Python error that darrow.errors makes of `e`.
void raise(const Error& e) {
  nb::object offset = e.offset ? nb::object(nb::int_(*e.offset)) : nb::none();
  nb::object offset_of = e.offset ? nb::object(nb::str(e.inflated ? "inflated" : "file")) : nb::none();
  nb::object exception = nb::module_::import_("darrow.errors")
                             .attr("from_core")(text(to_string(e.code)), text(e.message), text(e.describe()),
                                                text(e.file), text(e.region), offset, offset_of, e.system_error);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

void translate(const std::exception_ptr& p, void*) {
  try {
    std::rethrow_exception(p);
  } catch (const ErrorException& e) {
    try {
      raise(e.error);
    } catch (nb::python_error& failure) {
      failure.restore();
    }
  }
}

}  // namespace

void bind_errors() { nb::register_exception_translator(translate); }

}  // namespace darrow::python

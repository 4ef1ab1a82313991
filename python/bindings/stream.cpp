/// darrow._core.stream_of: batches that Python hands out, as an Arrow stream.
#include "bindings.hpp"
#include "capsule.hpp"
#include "darrow/arrow.hpp"

namespace darrow::python {
namespace {

/// What Python calls for the next batch. It lives as long as the stream and is let go of with the GIL.
using Callable = std::shared_ptr<nb::object>;

Callable shared(nb::object callable) {
  return Callable(new nb::object(std::move(callable)), [](nb::object* held) {
    nb::gil_scoped_acquire acquire;
    delete held;
  });
}

/// A Python exception for a reader that knows of messages only.
Error error_of(const nb::python_error& raised, bool is_interrupt) {
  std::string message = is_interrupt ? "interrupted" : nb::cast<std::string>(nb::str(raised.value()));
  return {.code = ErrorCode::corrupt, .message = std::move(message), .file = {}, .region = {}, .offset = {}};
}

Result<std::shared_ptr<const Table>> next_of(const nb::object& callable) {
  nb::gil_scoped_acquire acquire;
  Error error;
  bool is_interrupt = false;
  try {
    nb::object batch = callable();
    if (batch.is_none()) return std::shared_ptr<const Table>();
    return nb::cast<const TableHandle&>(batch).table;
  } catch (const nb::python_error& raised) {
    is_interrupt = raised.matches(PyExc_KeyboardInterrupt);
    error = error_of(raised, is_interrupt);
  }
  // It comes again as soon as Python goes on: not while the frames of the first one end, whose callbacks would swallow it.
  if (is_interrupt) PyErr_SetInterrupt();
  return error;
}

/// A stream of the tables that `next` gives until it gives None; all have the columns of `schema`.
nb::object stream_of(const TableHandle& schema, nb::object next) {
  Callable callable = shared(std::move(next));
  return capsule<ArrowArrayStream>("arrow_array_stream", [&](ArrowArrayStream* out) {
    export_stream(schema.table, [callable] { return next_of(*callable); }, Nulls::arrow, out);
  });
}

}  // namespace

void bind_stream(nb::module_& m) {
  using namespace nb::literals;
  m.def("stream_of", stream_of, "schema"_a, "next"_a);
}

}  // namespace darrow::python

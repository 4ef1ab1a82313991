/// Arrow structs in capsules, as the Arrow PyCapsule interface has them.
#pragma once

#include <memory>

#include "bindings.hpp"

namespace darrow::python {

/// Frees an Arrow struct; releases what nobody took out of it.
template <typename T>
void drop(void* p) noexcept {
  auto* value = static_cast<T*>(p);
  if (value->release) value->release(value);
  delete value;
}

/// A capsule that owns an Arrow struct, which `fill` fills without the GIL.
template <typename T, typename Fill>
nb::object capsule(const char* name, Fill fill) {
  auto value = std::make_unique<T>();
  {
    nb::gil_scoped_release release;
    fill(value.get());
  }
  nb::capsule out(value.get(), name, drop<T>);
  (void)value.release();
  return out;
}

}  // namespace darrow::python

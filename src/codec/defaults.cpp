#include "codec/defaults.hpp"

#include <algorithm>

#include "base/memory.hpp"

namespace darrow {

Buffer Defaults::of(const Field& f, std::size_t rows) {
  auto made = std::find_if(made_.begin(), made_.end(),
                           [&](const Made& m) { return m.field->type == f.type && m.field->absent == f.absent; });
  if (made == made_.end()) made = made_.insert(made_.end(), {&f, {}});
  if (made->values.size < rows * 8) {
    NewBuffer values(rows * 8);
    if (f.type == Type::f64) std::fill_n(values.as<double>(), rows, static_cast<double>(f.absent));
    else std::fill_n(values.as<std::int64_t>(), rows, f.absent);
    made->values = values.buffer();
  }
  return {made->values.owner, made->values.data, rows * 8};
}

Buffer Defaults::zeros(std::size_t rows) {
  static constexpr Field zero{.name = "0", .absent = 0};
  return of(zero, rows);
}

}  // namespace darrow

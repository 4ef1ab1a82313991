#include <cstring>

#include "base/memory.hpp"
#include "codec/decode.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

/// Validity of the values that are not `missing`; nothing is made if there are none.
template <typename T>
void mark_missing(Column& c, T missing) {
  auto values = c.values<T>();
  for (auto v : values) c.null_count += v == missing;
  if (c.null_count == 0) return;
  NewBuffer bits((values.size() + 7) / 8);
  std::memset(bits.data, 0, bits.size);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != missing) bits.data[i >> 3] |= std::byte{1} << (i & 7);
  c.validity = bits.buffer();
}

void mark(Column& c, int version, Buffer& none) {
  for (auto& child : c.children) {
    Buffer none_of_child;
    mark(child, version, none_of_child);
  }
  if (!c.field || c.length == 0) return;
  const Field& f = *c.field;
  c.stored_nulls = true;
  if (!f.in(version) && f.absent_is_null) {
    if (none.empty()) none = validity_none(c.length);
    c.validity = none;
    c.null_count = c.length;
  } else if (c.all_zero) {  // no −1 among them
    return;
  } else if (f.minus_one_is_null && c.type == ColumnType::i64) {
    mark_missing<std::int64_t>(c, -1);
  } else if (f.minus_one_is_null && c.type == ColumnType::f64) {
    mark_missing<double>(c, -1.0);
  }
}

}  // namespace

void mark_nulls(Records& records) {
  Buffer none;
  for (auto& c : records.columns) mark(c, records.version, none);
  for (auto& e : records.elements) {
    Buffer none_of_elements;
    for (auto& c : e.columns) mark(c, records.version, none_of_elements);
  }
}

}  // namespace darrow

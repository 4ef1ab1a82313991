/// Immutable columns in the memory layout of Arrow: what every reader, aggregate and export hands out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/buffer.hpp"
#include "darrow/module.hpp"

namespace darrow {

/// Arrow types that occur in our tables.
enum class ColumnType : std::uint8_t {
  boolean,  ///< one bit a row
  i32,
  u32,
  i64,
  u64,
  f64,
  utf8,        ///< 32-bit offsets; always valid UTF-8: other bytes stand as \xNN
  binary,      ///< 32-bit offsets
  dictionary,  ///< i32 indices into `dictionary` (utf8)
  list,        ///< 32-bit offsets into the only child
  structure,   ///< children side by side
};

/// One column. Numbers lie in `data`; null rows keep their stored value there.
struct Column {
  std::string name;
  ColumnType type = ColumnType::i64;
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  Buffer validity;                           ///< one bit a row, 1 = valid; empty: no nulls
  Buffer offsets;                            ///< utf8, binary, list: length + 1 int32
  Buffer data;                               ///< values, indices or text bytes
  std::vector<Column> children;              ///< list: 1; structure: its fields
  std::shared_ptr<const Column> dictionary;  ///< dictionary: the values
  bool all_zero = false;                     ///< every value is known to be 0 (false: unknown)
  bool stored_nulls = false;                 ///< nulls stand for stored values (−1): `raw` shows those instead
  const Field* field = nullptr;              ///< the counter it holds, if any: unit, meaning, rule

  bool valid(std::int64_t row) const {
    return validity.empty() || ((std::to_integer<unsigned>(validity.data[row >> 3]) >> (row & 7)) & 1u);
  }
  template <typename T>
  std::span<const T> values() const {
    return data.as<T>().first(static_cast<std::size_t>(length));
  }
  /// Text of a row of a utf8, binary or dictionary column (empty for null).
  std::string_view text(std::int64_t row) const;
};

/// The column without rows: name, type and field, and those of its parts.
Column without_rows(const Column& column);

/// Named columns of equal length. Immutable; share it by shared_ptr<const Table>.
struct Table {
  std::string name;                ///< module name or "job", "modules", "names", …
  const Module* module = nullptr;  ///< whose records it holds, if any
  int version = 0;                 ///< module version of the log it came from, 0 if none
  std::int64_t rows = 0;
  std::vector<Column> columns;

  /// The column of that name, or null.
  const Column* find(std::string_view column) const;
  /// Bytes of all distinct buffers that the columns refer to.
  std::size_t bytes() const;
};

}  // namespace darrow

/// The Arrow C data and stream interface: tables leave without a copy.
#pragma once

#include <cstdint>
#include <memory>

#include "darrow/table.hpp"

// The ABI of the Arrow C data interface, guarded as its specification asks.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
}
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
extern "C" {
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
}
#endif

namespace darrow {

/// How a table shows its nulls.
enum class Nulls : std::uint8_t {
  arrow,  ///< "not recorded" is null
  raw,    ///< stored values, nothing null that was stored
};

/// Fills `out` with the schema of the table: names, types, and per field the metadata unit, meaning, rule, since.
/// The caller releases it.
void export_schema(const Table& table, ArrowSchema* out);
/// Fills `out` with all rows as one struct array. Buffers are the table's own; the release callback drops the table.
void export_array(std::shared_ptr<const Table> table, Nulls nulls, ArrowArray* out);
/// Fills `out` with a stream of one batch. The caller releases it.
void export_stream(std::shared_ptr<const Table> table, Nulls nulls, ArrowArrayStream* out);

}  // namespace darrow

/// The Arrow C data and stream interface: tables leave without a copy.
#pragma once

#include <cstdint>
#include <memory>

#include "darrow/arrow_abi.h"
#include "darrow/table.hpp"

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

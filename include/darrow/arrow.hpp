/// The Arrow C data and stream interface: tables leave without a copy, and others come in.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "darrow/arrow_abi.h"
#include "darrow/result.hpp"
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
/// Gives the next batch of a stream, null at the end.
using NextBatch = std::function<Result<std::shared_ptr<const Table>>()>;
/// Fills `out` with a stream of the batches that `next` gives, which is called when they are asked for; all have the columns of `schema`. Its
/// errors go to whoever reads the stream, with their whole message. The caller releases it.
void export_stream(std::shared_ptr<const Table> schema, NextBatch next, Nulls nulls, ArrowArrayStream* out);

/// A column of a type that has no counterpart here, such as times.
struct UnusableColumn {
  std::string name;
  std::string type;  ///< in words, and as Arrow writes it: timestamp (Arrow "tsu:UTC")
};

/// Tables that came in.
struct Imported {
  std::vector<Table> batches;            ///< all of the same columns; one at least, maybe without rows
  std::vector<UnusableColumn> unusable;  ///< columns that were left out
};

/// Takes all batches of a stream, and the stream itself: it is released whatever happens.
///
/// Numbers of the widths that ColumnType has are not copied: columns keep the arrays that they came in. Narrower ones are
/// widened, signed ones to i64, unsigned ones to u64, floats to f64; columns of type null are i64. Text of all kinds becomes
/// utf8 (bytes that are not UTF-8 stand as \xNN), or a dictionary if it was one; its null texts are nulls of the rows. Numbers of
/// a dictionary stand as themselves. Lists of
/// all kinds become list. Offsets start at 0, and there are as many items as the last one says; a null list may have items.
/// Where a structure is null, or a row of a batch, all that it holds is null. What lies behind a null is of no meaning.
/// `left_out`: names of columns that are not read.
/// Errors: invalid_argument (no table, two columns of one name, arrays that contradict themselves, a producer that fails),
/// out_of_memory (or more than 2 GiB of text, or 2^31 list items, in one column of a batch).
Result<Imported> import_stream(ArrowArrayStream* stream, std::span<const std::string> left_out = {});
/// The same with a single batch, as a struct array and its schema.
Result<Imported> import_array(ArrowArray* array, ArrowSchema* schema, std::span<const std::string> left_out = {});

}  // namespace darrow

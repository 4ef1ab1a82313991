/// From tables back to records: the reverse of log/shape.hpp, for any table with the right columns.
#pragma once

#include <optional>

#include "darrow/result.hpp"
#include "table/records.hpp"

namespace darrow {

/// The records that the rows of a table stand for, in the form of tables (before undo_fixups), with what is missing as absent.
/// Columns are found by name. Errors (invalid_argument): see LogWriter::add().
Result<Records> records_of(const Table& table, const Module& module);

/// The record that opens a region.
Result<Records> header_of(const Table& table, const Module& module);

/// Parts that the two kinds of tables share; REQUIRES: `rows` is that of the table.
namespace table_records {

std::optional<Error> without_nulls(const Column& column, const Module& module);
/// Column `id`, else the hashes of column `name`.
Result<Column> id_column(const Table& table, const Module& module);
Result<Column> rank_column(const Table& table, const Module& module);
/// The field's column as its type; if the table has none, a column of its unset value, or an error if it is needed.
/// `lists`: see cast().
Result<Column> field_column(const Table& table, const Field& field, const Module& module,
                            std::span<const std::int32_t> lists = {});
/// A column of one value.
Column constant_column(const Field& field, std::int64_t value, std::int64_t rows);

}  // namespace table_records

/// Records of a table with a row a segment. Rows of one record (id, rank, host) need not stand together: then they go by their
/// column `segment`, if there is one.
Result<Records> segment_records(const Table& table, const Module& module);
/// Records of a trace with counts of segments, which stand in `segments` one record after the other, writes first.
Result<Records> trace_records(const Table& rows, const Table& segments, const Module& module);

}  // namespace darrow

/// Arrays from elsewhere as columns.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "arrow/foreign_type.hpp"

namespace darrow {

/// Some rows of an array, the first of its own being row 0.
struct RowRange {
  std::int64_t begin;
  std::int64_t length;
};

/// Makes columns of an array and what lies in it. They keep `owner`, which keeps the memory.
class ColumnReader {
 public:
  /// `left_out`: parts of structures that are not read.
  explicit ColumnReader(std::shared_ptr<const void> owner, std::span<const std::string> left_out = {})
      : owner_(std::move(owner)), left_out_(left_out) {}

  /// Those rows as a column. `above`: which rows are not null in the structure that it belongs to; empty: all.
  /// Errors: invalid_argument (the array contradicts itself), out_of_memory. Throws std::length_error, std::bad_alloc.
  /// REQUIRES: the type is usable, or a structure of which then only the usable parts are taken.
  Result<Column> read(const ArrowSchema& schema, const ArrowArray& array, RowRange rows,
                      const Buffer& above = {}) const;

 private:
  // What fills a column that has its type, length and nulls. `rows` count from the start of the array's buffers.
  std::optional<Error> fill(Column& c, const ArrowSchema& schema, const ArrowArray& array, RowRange rows) const;
  std::optional<Error> numbers(Column& c, const ArrowSchema& schema, const ArrowArray& array, RowRange rows) const;
  std::optional<Error> dictionary(Column& c, const ArrowSchema& schema, const ArrowArray& array, RowRange rows) const;
  std::optional<Error> text(Column& c, const ArrowSchema& schema, const ArrowArray& array, RowRange rows) const;
  std::optional<Error> views(Column& c, const ArrowArray& array, RowRange rows) const;
  std::optional<Error> list(Column& c, const ArrowSchema& schema, const ArrowArray& array, RowRange rows) const;
  std::optional<Error> fixed_list(Column& c, const ArrowSchema& schema, const ArrowArray& array, RowRange rows) const;
  std::optional<Error> structure(Column& c, const ArrowSchema& schema, const ArrowArray& array, RowRange rows) const;

  void mark_nulls(Column& c, const ArrowArray& array, RowRange rows, const Buffer& above) const;
  /// Values of `width` bytes: where they are, if such values may lie there.
  Buffer values(const void* memory, RowRange rows, std::size_t width) const;
  /// Bits: where they are, if the first begins a byte.
  Buffer bits(const void* memory, RowRange rows) const;
  /// Sets the offsets, from 0 on: where they are, if they are like that. `rows` become what they refer to.
  template <typename Offset>
  std::optional<Error> offsets(Column& c, const void* memory, RowRange& rows) const;

  std::shared_ptr<const void> owner_;
  std::span<const std::string> left_out_;
};

}  // namespace darrow

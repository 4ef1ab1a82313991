/// Columns from elsewhere as the stored type of a counter.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "darrow/result.hpp"
#include "darrow/table.hpp"

namespace darrow {

/// The column as values of `field`: whole numbers, floats, or utf8 for text and uuid; with its name. Nothing is copied where
/// the type is right and nulls stand for stored values already.
///
/// Numbers keep their value or are refused: whole numbers must fit, floats be whole for a whole number, and neither may be
/// beyond what a double holds exactly (2^53 for a float that becomes a whole number). Booleans are 0 and 1. A NaN is null
/// where whole numbers are expected. A column of nulls only fits everything. Null rows store `field.unset()`, texts nothing.
/// Error: invalid_argument, with the row, counted from 0, as part of the message; `table` becomes its region.
/// `lists`: if the column holds the items of lists, their offsets: errors then tell the row of the list.
/// REQUIRES: field.type is not Type::pad.
Result<Column> cast(const Column& column, const Field& field, std::string_view table,
                    std::span<const std::int32_t> lists = {});

}  // namespace darrow

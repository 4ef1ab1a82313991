/// Any table as JSON or CSV.
#pragma once

#include <cstdint>
#include <optional>

#include "darrow/table.hpp"
#include "render/csv.hpp"
#include "render/json.hpp"

namespace darrow::render {

/// An array of one object a row. Lists and structures are arrays and objects, binary is hexadecimal text.
void table_json(const Table& table, JsonWriter& json);
/// A header and a line a row. Lists and structures are JSON text.
void table_csv(const Table& table, CsvWriter& csv);

/// One row of a column: what it holds, or null.
void cell_json(const Column& column, std::int64_t row, JsonWriter& json);
void cell_csv(const Column& column, std::int64_t row, CsvWriter& csv);

/// A whole number, boolean (0 or 1) or real number of a table; none if there is no such column or it is null there.
std::optional<std::int64_t> whole(const Table& table, std::string_view column, std::int64_t row);
std::optional<double> real(const Table& table, std::string_view column, std::int64_t row);

}  // namespace darrow::render

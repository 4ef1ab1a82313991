#include "table/cast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/invalid_argument.hpp"
#include "base/memory.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

/// From here on doubles leave out whole numbers.
constexpr std::uint64_t most_exact = std::uint64_t{1} << 53;

std::string_view content_of(ColumnType type) {
  switch (type) {
    case ColumnType::boolean: return "booleans";
    case ColumnType::i32:
    case ColumnType::u32:
    case ColumnType::i64:
    case ColumnType::u64: return "whole numbers";
    case ColumnType::f64: return "floats";
    case ColumnType::utf8:
    case ColumnType::dictionary: return "text";
    case ColumnType::binary: return "bytes";
    case ColumnType::list: return "lists";
    case ColumnType::structure: return "structures";
  }
  return "nothing";
}

/// Where the column is from.
struct Origin {
  std::string_view table;
  std::span<const std::int32_t> lists;
  /// The row of the table.
  std::size_t row(std::size_t item) const {
    if (lists.empty()) return item;
    auto behind = std::upper_bound(lists.begin(), lists.end(), static_cast<std::int32_t>(item));
    return static_cast<std::size_t>(behind - lists.begin()) - 1;
  }
};

Error wrong_content(const Column& column, const Field& field, const Origin& origin) {
  return invalid_argument(origin.table, fmt::format("column {} holds {}, {} expected", field.label(),
                                                    content_of(column.type), content_of(column_type(field.type))));
}

Column named(Column column, const Field& field) {
  column.name = field.label();
  column.field = &field;
  column.stored_nulls = true;
  return column;
}

bool is_exact(double) { return true; }
template <typename Whole>
bool is_exact(Whole value) {
  auto size = static_cast<std::uint64_t>(value);
  if (value < 0) size = 0 - size;
  return size <= most_exact || size >> std::countr_zero(size) <= most_exact;
}

/// The number as a To, unless that changes it.
template <typename To, typename From>
std::optional<To> exact(From value) {
  if constexpr (std::is_floating_point_v<To>) {
    if (is_exact(value)) return static_cast<To>(value);
  } else if constexpr (std::is_floating_point_v<From>) {
    if (std::abs(value) <= double{most_exact} && std::trunc(value) == value)
      return exact<To>(static_cast<std::int64_t>(value));
  } else {
    if (std::in_range<To>(value)) return static_cast<To>(value);
  }
  return {};
}

/// Why exact() gives nothing.
template <typename To, typename From>
std::string reason(From value) {
  if constexpr (std::is_floating_point_v<To>) {
    return fmt::format("{} would change: floats hold whole numbers exactly only up to 2^53", value);
  } else if constexpr (std::is_floating_point_v<From>) {
    if (!std::isfinite(value) || std::trunc(value) != value) return fmt::format("{} is no whole number", value);
    if (std::abs(value) > double{most_exact})
      return fmt::format("{:.0f} may be inexact: floats hold whole numbers exactly only up to 2^53", value);
  }
  return fmt::format("{} is not between {} and {}", value, std::numeric_limits<To>::min(),
                     std::numeric_limits<To>::max());
}

template <typename To, typename From>
bool is_null(From value) {
  if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) return std::isnan(value);
  else return false;
}

/// Why the value of a row is refused.
template <typename To, typename From>
Error wrong_value(const Field& field, const Origin& origin, std::size_t row, From value) {
  return invalid_argument(origin.table,
                          fmt::format("column {}, row {}: {}", field.label(), origin.row(row), reason<To>(value)));
}

template <typename To, typename From>
Result<Column> convert(const Column& column, const Field& field, const Origin& origin) {
  const auto from = column.values<From>();
  const To absent = static_cast<To>(field.unset());
  NewBuffer out(from.size() * sizeof(To));
  populate_pages(out.data, out.size);
  To* to = out.as<To>();
  std::vector<std::int64_t> nulls;
  for (std::size_t row = 0; row < from.size(); ++row) {
    if (!column.valid(static_cast<std::int64_t>(row)) || is_null<To>(from[row])) {
      nulls.push_back(static_cast<std::int64_t>(row));
      to[row] = absent;
    } else if (auto value = exact<To>(from[row])) {
      to[row] = *value;
    } else {
      return wrong_value<To>(field, origin, row, from[row]);
    }
  }
  Column c;
  c.type = column_type(field.type);
  c.length = column.length;
  c.null_count = static_cast<std::int64_t>(nulls.size());
  c.validity = validity_without(c.length, nulls);
  c.data = out.buffer();
  return named(std::move(c), field);
}

template <typename To>
Result<Column> numbers(const Column& column, const Field& field, const Origin& origin) {
  switch (column.type) {
    case ColumnType::i32: return convert<To, std::int32_t>(column, field, origin);
    case ColumnType::u32: return convert<To, std::uint32_t>(column, field, origin);
    case ColumnType::i64: return convert<To, std::int64_t>(column, field, origin);
    case ColumnType::u64: return convert<To, std::uint64_t>(column, field, origin);
    case ColumnType::f64: return convert<To, double>(column, field, origin);
    default: return wrong_content(column, field, origin);
  }
}

/// Booleans as 0 and 1.
Column numbers_of_bits(const Column& column) {
  Column c = column;
  NewBuffer out(static_cast<std::size_t>(column.length) * sizeof(std::int32_t));
  for (std::size_t i = 0; i < static_cast<std::size_t>(column.length); ++i)
    out.as<std::int32_t>()[i] = std::to_integer<std::int32_t>(column.data.data[i >> 3] >> (i & 7)) & 1;
  c.type = ColumnType::i32;
  c.data = out.buffer();
  return c;
}

Column texts(const Column& column, const Field& field) {
  TextBuilder out{std::string(field.label())};
  for (std::int64_t row = 0; row < column.length; ++row) {
    if (column.valid(row)) out.add_valid(column.text(row));
    else out.add_null();
  }
  return named(std::move(out).finish(), field);
}

/// Nulls with nothing behind them.
Column nulls(std::int64_t length, ColumnType type) {
  Column c;
  c.type = type;
  c.length = length;
  c.null_count = length;
  if (length > 0) c.validity = validity_none(length);
  c.data = NewBuffer(static_cast<std::size_t>(length) * sizeof(std::int64_t)).buffer();
  return c;
}

Result<Column> converted(const Column& column, const Field& field, const Origin& origin) {
  switch (column_type(field.type)) {
    case ColumnType::i64: return numbers<std::int64_t>(column, field, origin);
    case ColumnType::u64: return numbers<std::uint64_t>(column, field, origin);
    case ColumnType::f64: return numbers<double>(column, field, origin);
    case ColumnType::i32: return numbers<std::int32_t>(column, field, origin);
    case ColumnType::u32: return numbers<std::uint32_t>(column, field, origin);
    default: break;
  }
  if (column.type == ColumnType::utf8 || column.type == ColumnType::dictionary) return texts(column, field);
  return wrong_content(column, field, origin);
}

}  // namespace

Result<Column> cast(const Column& column, const Field& field, std::string_view table,
                    std::span<const std::int32_t> lists) {
  const Origin origin{table, lists};
  const ColumnType type = column_type(field.type);
  if (column.type == type && (column.null_count == 0 || column.stored_nulls)) return named(column, field);
  if (column.null_count == column.length) return converted(nulls(column.length, type), field, origin);
  if (column.type == ColumnType::boolean) return converted(numbers_of_bits(column), field, origin);
  return converted(column, field, origin);
}

}  // namespace darrow

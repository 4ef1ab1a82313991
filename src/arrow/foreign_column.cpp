#include "arrow/foreign_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "base/memory.hpp"
#include "base/utf8.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

/// RowRange up to which places in buffers can be counted.
constexpr std::int64_t most_rows = std::numeric_limits<std::int64_t>::max() / 64;
/// What the offsets of a column can tell.
constexpr std::int64_t most_items = std::numeric_limits<std::int32_t>::max();

/// A value of an array, which may lie anywhere.
template <typename T>
T load(const void* memory, std::int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(memory) + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

/// A float of 16 bits.
struct Half {
  std::uint16_t bits;
  operator double() const {  // NOLINT: implicit as among floats
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
    if (exponent == 31) size = fraction ? NAN : HUGE_VAL;
    return bits >> 15 ? -size : size;
  }
};

template <typename From, typename To>
Buffer widened(const void* memory, RowRange rows) {
  NewBuffer out(static_cast<std::size_t>(rows.length) * sizeof(To));
  for (std::int64_t i = 0; i < rows.length; ++i) out.as<To>()[i] = load<From>(memory, rows.begin + i);
  return out.buffer();
}

std::int64_t count_nulls(const Buffer& validity, std::int64_t length) {
  std::int64_t valid = 0, row = 0;
  for (; row + 64 <= length; row += 64) valid += std::popcount(load<std::uint64_t>(validity.data, row / 64));
  for (; row < length; ++row) valid += load<std::uint8_t>(validity.data, row / 8) >> (row % 8) & 1;
  return length - valid;
}

Buffer both(const Buffer& a, const Buffer& b) {
  NewBuffer out(a.size);
  for (std::size_t i = 0; i < a.size; ++i) out.data[i] = a.data[i] & b.data[i];
  return out.buffer();
}

std::optional<Error> too_much(std::string_view what) {
  Error e = malformed(fmt::format("more than 2^31 {} in one batch", what));
  e.code = ErrorCode::out_of_memory;
  return e;
}

/// Whether an array can be what its schema says.
std::optional<Error> check(const ArrowSchema& schema, const ArrowArray& array, RowRange rows) {
  const ForeignType& type = *foreign_type(schema.format);
  if (!array.release) return malformed("an array that was released");
  if (array.length < 0 || array.offset < 0 || array.length > most_rows - array.offset)
    return malformed(fmt::format("an array of {} rows from row {}", array.length, array.offset));
  if (rows.begin > array.length || rows.length > array.length - rows.begin)
    return malformed(fmt::format("an array of {} rows, {} expected", array.length, rows.begin + rows.length));
  if (array.n_buffers < type.buffers || (array.n_buffers > 0 && !array.buffers))
    return malformed(fmt::format("an array of type \"{}\" with {} buffers", schema.format, array.n_buffers));
  if (type.buffers > 1 && rows.length > 0 && !array.buffers[1]) return malformed("an array without its values");
  if (array.n_children != schema.n_children || (array.n_children > 0 && !array.children))
    return malformed(fmt::format("an array with {} children, {} expected", array.n_children, schema.n_children));
  for (std::int64_t i = 0; i < array.n_children; ++i)
    if (!array.children[i]) return malformed("an array without its children");
  if (schema.dictionary && !array.dictionary) return malformed("a dictionary without its values");
  return {};
}

/// Whether each text is valid UTF-8. Characters could lie across two of them.
bool is_text(const Column& c) {
  if (!is_utf8({reinterpret_cast<const char*>(c.data.data), c.data.size})) return false;
  for (auto offset : c.offsets.as<std::int32_t>()) {
    const auto at = static_cast<std::size_t>(offset);
    if (at < c.data.size && (std::to_integer<unsigned>(c.data.data[at]) & 0xc0) == 0x80) return false;
  }
  return true;
}

/// Numbers of dictionary values, −1 for null; null if one does not exist.
template <typename Index>
std::optional<Buffer> read_indices(const Column& c, const Column& values, const void* memory, RowRange rows) {
  NewBuffer out(static_cast<std::size_t>(rows.length) * sizeof(std::int32_t));
  for (std::int64_t i = 0; i < rows.length; ++i) {
    auto& number = out.as<std::int32_t>()[i];
    number = -1;
    if (!c.valid(i)) continue;
    const auto index = load<Index>(memory, rows.begin + i);
    if (std::cmp_less(index, 0) || std::cmp_greater_equal(index, values.length)) return {};
    if (values.valid(static_cast<std::int64_t>(index))) number = static_cast<std::int32_t>(index);
  }
  return out.buffer();
}

/// Sets the numbers of a dictionary, and what is null.
void gather(Column& c, const Column& values, const Buffer& indices) {
  const std::size_t width = values.type == ColumnType::i32 || values.type == ColumnType::u32 ? 4 : 8;
  NewBuffer out(static_cast<std::size_t>(c.length) * width);
  std::memset(out.data, 0, out.size);
  std::vector<std::int64_t> nulls;
  for (std::int64_t i = 0; i < c.length; ++i) {
    const auto index = load<std::int32_t>(indices.data, i);
    if (index < 0) nulls.push_back(i);
    else
      std::memcpy(out.data + static_cast<std::size_t>(i) * width,
                  values.data.data + static_cast<std::size_t>(index) * width, width);
  }
  c.data = out.buffer();
  c.null_count = static_cast<std::int64_t>(nulls.size());
  c.validity = validity_without(c.length, nulls);
}

}  // namespace

Result<Column> ColumnReader::read(const ArrowSchema& schema, const ArrowArray& array, RowRange rows,
                                  const Buffer& above) const {
  if (auto error = check(schema, array, rows)) return *error;
  Column c = empty_column(schema);
  if (rows.length == 0) return c;
  rows.begin += array.offset;
  c.length = rows.length;
  mark_nulls(c, array, rows, above);
  if (auto error = fill(c, schema, array, rows)) return *error;
  return c;
}

void ColumnReader::mark_nulls(Column& c, const ArrowArray& array, RowRange rows, const Buffer& above) const {
  const bool may_have = array.null_count != 0 && array.n_buffers > 0 && array.buffers[0];
  Buffer validity = may_have ? bits(array.buffers[0], rows) : above;
  if (may_have && !above.empty()) validity = both(validity, above);
  if (validity.empty()) return;
  c.null_count = count_nulls(validity, c.length);
  if (c.null_count > 0) c.validity = std::move(validity);
}

std::optional<Error> ColumnReader::fill(Column& c, const ArrowSchema& schema, const ArrowArray& array,
                                        RowRange rows) const {
  if (schema.dictionary) return dictionary(c, schema, array, rows);
  switch (c.type) {
    case ColumnType::boolean: c.data = bits(array.buffers[1], rows); return {};
    case ColumnType::utf8:
    case ColumnType::binary: return schema.format[0] == 'v' ? views(c, array, rows) : text(c, schema, array, rows);
    case ColumnType::list:
      return items_in_each(schema.format) < 0 ? list(c, schema, array, rows) : fixed_list(c, schema, array, rows);
    case ColumnType::structure: return structure(c, schema, array, rows);
    default: return numbers(c, schema, array, rows);
  }
}

std::optional<Error> ColumnReader::numbers(Column& c, const ArrowSchema& schema, const ArrowArray& array,
                                           RowRange rows) const {
  const char format = schema.format[0];
  if (format == 'n') {
    NewBuffer zeros(static_cast<std::size_t>(rows.length) * sizeof(std::int64_t));
    std::memset(zeros.data, 0, zeros.size);
    c.data = zeros.buffer();
    c.validity = validity_none(rows.length);
    c.null_count = rows.length;
    return {};
  }
  const void* memory = array.buffers[1];
  switch (format) {
    case 'c': c.data = widened<std::int8_t, std::int64_t>(memory, rows); break;
    case 'C': c.data = widened<std::uint8_t, std::uint64_t>(memory, rows); break;
    case 's': c.data = widened<std::int16_t, std::int64_t>(memory, rows); break;
    case 'S': c.data = widened<std::uint16_t, std::uint64_t>(memory, rows); break;
    case 'e': c.data = widened<Half, double>(memory, rows); break;
    case 'f': c.data = widened<float, double>(memory, rows); break;
    case 'i':
    case 'I': c.data = values(memory, rows, 4); break;
    default: c.data = values(memory, rows, 8);
  }
  return {};
}

std::optional<Error> ColumnReader::dictionary(Column& c, const ArrowSchema& schema, const ArrowArray& array,
                                              RowRange rows) const {
  auto values = read(*schema.dictionary, *array.dictionary, {0, array.dictionary->length});
  if (!values) return values.error();
  if (values->length > most_items) return too_much("values");
  const void* memory = array.buffers[1];
  std::optional<Buffer> indices;
  switch (schema.format[0]) {
    case 'c': indices = read_indices<std::int8_t>(c, *values, memory, rows); break;
    case 'C': indices = read_indices<std::uint8_t>(c, *values, memory, rows); break;
    case 's': indices = read_indices<std::int16_t>(c, *values, memory, rows); break;
    case 'S': indices = read_indices<std::uint16_t>(c, *values, memory, rows); break;
    case 'i': indices = read_indices<std::int32_t>(c, *values, memory, rows); break;
    case 'I': indices = read_indices<std::uint32_t>(c, *values, memory, rows); break;
    case 'l': indices = read_indices<std::int64_t>(c, *values, memory, rows); break;
    default: indices = read_indices<std::uint64_t>(c, *values, memory, rows);
  }
  if (!indices) return malformed("an index beyond its dictionary");
  if (holds_numbers(*schema.dictionary)) return gather(c, *values, *indices), std::nullopt;
  if (values->type != ColumnType::utf8) *values = *c.dictionary;  // nothing but nulls
  c = dictionary_column(std::move(c.name), std::make_shared<const Column>(std::move(*values)), rows.length,
                        std::move(*indices));
  return {};
}

std::optional<Error> ColumnReader::text(Column& c, const ArrowSchema& schema, const ArrowArray& array,
                                        RowRange rows) const {
  const bool is_large = schema.format[0] == 'U' || schema.format[0] == 'Z';
  RowRange bytes = rows;
  if (auto error = is_large ? offsets<std::int64_t>(c, array.buffers[1], bytes)
                            : offsets<std::int32_t>(c, array.buffers[1], bytes))
    return error;
  if (bytes.length > 0 && !array.buffers[2]) return malformed("an array without its text");
  c.data = values(array.buffers[2], bytes, 1);
  if (c.type == ColumnType::binary || is_text(c)) return {};
  TextBuilder escaped(std::move(c.name));
  for (std::int64_t row = 0; row < c.length; ++row) {
    if (c.valid(row)) escaped.add(c.text(row));
    else escaped.add_null();
  }
  c = std::move(escaped).finish();
  return {};
}

std::optional<Error> ColumnReader::views(Column& c, const ArrowArray& array, RowRange rows) const {
  // Validity, views, any number of buffers with long texts, their sizes. A view is {length, text of up to 12 bytes}, or
  // {length, beginning of the text, buffer, offset}.
  constexpr std::int64_t view_bytes = 16, short_text = 12, first_buffer = 2;
  const std::int64_t n_buffers = array.n_buffers - 1 - first_buffer;
  const void* sizes = array.buffers[array.n_buffers - 1];
  if (n_buffers > 0 && !sizes) return malformed("text without the sizes of its buffers");
  TextBuilder out(std::move(c.name));
  for (std::int64_t row = 0; row < rows.length; ++row) {
    if (!c.valid(row)) {
      out.add_null();
      continue;
    }
    const auto* view = static_cast<const char*>(array.buffers[1]) + (rows.begin + row) * view_bytes;
    const auto length = load<std::int32_t>(view, 0);
    if (length < 0) return malformed("a text of negative length");
    const char* begin = view + 4;
    if (length > short_text) {
      const auto buffer = load<std::int32_t>(view, 2), offset = load<std::int32_t>(view, 3);
      if (buffer < 0 || buffer >= n_buffers || offset < 0 ||
          std::int64_t{offset} + length > load<std::int64_t>(sizes, buffer) || !array.buffers[first_buffer + buffer])
        return malformed("a text beyond its buffer");
      begin = static_cast<const char*>(array.buffers[first_buffer + buffer]) + offset;
    }
    const std::string_view text(begin, static_cast<std::size_t>(length));
    if (c.type == ColumnType::utf8) out.add(text);
    else out.add_valid(text);
  }
  c = std::move(out).finish(c.type);
  return {};
}

std::optional<Error> ColumnReader::list(Column& c, const ArrowSchema& schema, const ArrowArray& array,
                                        RowRange rows) const {
  RowRange items = rows;
  if (auto error = schema.format[1] == 'L' ? offsets<std::int64_t>(c, array.buffers[1], items)
                                           : offsets<std::int32_t>(c, array.buffers[1], items))
    return error;
  auto child = read(*schema.children[0], *array.children[0], items);
  if (!child) return child.error();
  child->name = std::move(c.children[0].name);
  c.children[0] = std::move(*child);
  return {};
}

std::optional<Error> ColumnReader::fixed_list(Column& c, const ArrowSchema& schema, const ArrowArray& array,
                                              RowRange rows) const {
  const std::int64_t each = items_in_each(schema.format);
  if (each > 0 && rows.begin + rows.length > most_rows / each) return malformed("lists that are too long");
  if (each > 0 && rows.length > most_items / each) return too_much("list items");
  auto child = read(*schema.children[0], *array.children[0], {rows.begin * each, rows.length * each});
  if (!child) return child.error();
  child->name = std::move(c.children[0].name);
  c.children[0] = std::move(*child);
  NewBuffer out(static_cast<std::size_t>(rows.length + 1) * sizeof(std::int32_t));
  for (std::int64_t row = 0; row <= rows.length; ++row)
    out.as<std::int32_t>()[row] = static_cast<std::int32_t>(row * each);
  c.offsets = out.buffer();
  return {};
}

std::optional<Error> ColumnReader::structure(Column& c, const ArrowSchema& schema, const ArrowArray& array,
                                             RowRange rows) const {
  c.children.clear();
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& part = *schema.children[i];
    if (!is_usable(part) || std::ranges::find(left_out_, name_of(part)) != left_out_.end()) continue;
    auto child = read(part, *array.children[i], rows, c.validity);
    if (!child) {
      child.error().message = fmt::format("column {}: {}", name_of(part), child.error().message);
      return child.error();
    }
    c.children.push_back(std::move(*child));
  }
  return {};
}

Buffer ColumnReader::values(const void* memory, RowRange rows, std::size_t width) const {
  const auto* first = static_cast<const std::byte*>(memory) + rows.begin * static_cast<std::int64_t>(width);
  const std::size_t bytes = static_cast<std::size_t>(rows.length) * width;
  if (bytes == 0) return {};
  if (reinterpret_cast<std::uintptr_t>(first) % width == 0) return {owner_, first, bytes};
  NewBuffer out(bytes);
  std::memcpy(out.data, first, bytes);
  return out.buffer();
}

Buffer ColumnReader::bits(const void* memory, RowRange rows) const {
  const auto bytes = static_cast<std::size_t>((rows.length + 7) / 8);
  const auto* first = static_cast<const std::byte*>(memory) + rows.begin / 8;
  const int shift = static_cast<int>(rows.begin % 8);
  if (shift == 0) return {owner_, first, bytes};
  const auto theirs = static_cast<std::size_t>((shift + rows.length + 7) / 8);
  NewBuffer out(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    out.data[i] = first[i] >> shift;
    if (i + 1 < theirs) out.data[i] |= first[i + 1] << (8 - shift);
  }
  return out.buffer();
}

template <typename Offset>
std::optional<Error> ColumnReader::offsets(Column& c, const void* memory, RowRange& rows) const {
  const std::int64_t begin = rows.begin, end = begin + rows.length;
  const std::int64_t first = load<Offset>(memory, begin), last = load<Offset>(memory, end);
  auto before = first;
  bool ascend = first >= 0;
  for (auto row = begin; row <= end; ++row) {
    const std::int64_t offset = load<Offset>(memory, row);
    ascend = ascend && before <= offset;
    before = offset;
  }
  if (!ascend) return malformed("offsets that do not ascend");
  if (last - first > most_items) return too_much(c.type == ColumnType::list ? "list items" : "bytes of text");
  rows = {first, last - first};
  if constexpr (sizeof(Offset) == sizeof(std::int32_t)) {
    if (first == 0) {
      c.offsets = values(memory, {begin, end - begin + 1}, sizeof(Offset));
      return {};
    }
  }
  NewBuffer out(static_cast<std::size_t>(end - begin + 1) * sizeof(std::int32_t));
  for (auto row = begin; row <= end; ++row)
    out.as<std::int32_t>()[row - begin] = static_cast<std::int32_t>(load<Offset>(memory, row) - first);
  c.offsets = out.buffer();
  return {};
}

}  // namespace darrow

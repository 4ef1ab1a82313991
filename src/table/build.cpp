#include "table/build.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "base/utf8.hpp"

namespace darrow {
namespace {

Buffer copy(const void* data, std::size_t bytes) {
  NewBuffer out(bytes);
  if (bytes) std::memcpy(out.data, data, bytes);
  return out.buffer();
}

constexpr std::size_t most_text = std::numeric_limits<std::int32_t>::max();

std::size_t bitmap_bytes(std::int64_t length) { return static_cast<std::size_t>((length + 7) / 8); }

}  // namespace

ColumnType column_type(Type type) {
  switch (type) {
    case Type::i64: return ColumnType::i64;
    case Type::u64: return ColumnType::u64;
    case Type::f64: return ColumnType::f64;
    case Type::i32: return ColumnType::i32;
    case Type::u32: return ColumnType::u32;
    case Type::text:
    case Type::uuid:
    case Type::pad: break;
  }
  return ColumnType::utf8;
}

void TextBuilder::add(std::string_view text) {
  if (is_utf8(text)) add_valid(text);
  else add_valid(escape_utf8(text));
}

void TextBuilder::add_valid(std::string_view text) {
  if (text.size() > most_text - text_.size()) throw std::length_error("more than 2 GiB of text in one column");
  text_ += text;
  offsets_.push_back(static_cast<std::int32_t>(text_.size()));
}

void TextBuilder::add_null() {
  nulls_.push_back(size());
  offsets_.push_back(offsets_.back());
}

Column TextBuilder::finish(ColumnType type) && {
  Column c;
  c.name = std::move(name_);
  c.type = type;
  c.length = size();
  c.null_count = static_cast<std::int64_t>(nulls_.size());
  c.validity = validity_without(c.length, nulls_);
  c.offsets = copy(offsets_.data(), offsets_.size() * sizeof(std::int32_t));
  c.data = copy(text_.data(), text_.size());
  return c;
}

std::int32_t DictionaryBuilder::number(std::string_view text) {
  auto [at, is_new] = numbers_.try_emplace(std::string(text), static_cast<std::int32_t>(numbers_.size()));
  if (is_new) texts_.add(text);
  return at->second;
}

std::shared_ptr<const Column> DictionaryBuilder::finish() && {
  return std::make_shared<const Column>(std::move(texts_).finish());
}

Column dictionary_column(std::string name, std::shared_ptr<const Column> values, std::int64_t length, Buffer indices) {
  Column c;
  c.name = std::move(name);
  c.type = ColumnType::dictionary;
  c.length = length;
  c.data = std::move(indices);
  c.dictionary = std::move(values);
  auto numbers = c.values<std::int32_t>();
  for (auto n : numbers) c.null_count += n < 0;
  if (c.null_count) {
    NewBuffer bits(bitmap_bytes(length));
    std::memset(bits.data, 0, bits.size);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i] >= 0) bits.data[i >> 3] |= std::byte{1} << (i & 7);
    c.validity = bits.buffer();
  }
  return c;
}

template <typename T>
Column value_column(std::string name, const std::vector<std::optional<T>>& values) {
  Column c;
  c.name = std::move(name);
  c.length = static_cast<std::int64_t>(values.size());
  std::vector<std::int64_t> nulls;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!values[i]) nulls.push_back(static_cast<std::int64_t>(i));
  c.null_count = static_cast<std::int64_t>(nulls.size());
  c.validity = validity_without(c.length, nulls);
  if constexpr (std::is_same_v<T, bool>) {
    c.type = ColumnType::boolean;
    NewBuffer bits(bitmap_bytes(c.length));
    std::memset(bits.data, 0, bits.size);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i].value_or(false)) bits.data[i >> 3] |= std::byte{1} << (i & 7);
    c.data = bits.buffer();
  } else {
    c.type = std::is_same_v<T, std::int32_t>    ? ColumnType::i32
             : std::is_same_v<T, std::uint32_t> ? ColumnType::u32
             : std::is_same_v<T, std::int64_t>  ? ColumnType::i64
             : std::is_same_v<T, std::uint64_t> ? ColumnType::u64
                                                : ColumnType::f64;
    NewBuffer out(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) out.as<T>()[i] = values[i].value_or(T{});
    c.data = out.buffer();
  }
  return c;
}

template Column value_column(std::string, const std::vector<std::optional<bool>>&);
template Column value_column(std::string, const std::vector<std::optional<std::int32_t>>&);
template Column value_column(std::string, const std::vector<std::optional<std::uint32_t>>&);
template Column value_column(std::string, const std::vector<std::optional<std::int64_t>>&);
template Column value_column(std::string, const std::vector<std::optional<std::uint64_t>>&);
template Column value_column(std::string, const std::vector<std::optional<double>>&);

Column list_column(std::string name, const std::vector<std::int32_t>& offsets, Column items) {
  NewBuffer ends(offsets.size() * sizeof(std::int32_t));
  std::copy(offsets.begin(), offsets.end(), ends.as<std::int32_t>());
  Column list;
  list.name = std::move(name);
  list.type = ColumnType::list;
  list.length = static_cast<std::int64_t>(offsets.size()) - 1;
  list.offsets = ends.buffer();
  items.name = "item";
  list.children.push_back(std::move(items));
  return list;
}

Buffer validity_without(std::int64_t length, const std::vector<std::int64_t>& nulls) {
  if (nulls.empty()) return {};
  NewBuffer bits(bitmap_bytes(length));
  std::memset(bits.data, 0xff, bits.size);
  for (auto row : nulls) bits.data[row >> 3] &= ~(std::byte{1} << (row & 7));
  return bits.buffer();
}

Buffer validity_none(std::int64_t length) {
  NewBuffer bits(bitmap_bytes(length));
  std::memset(bits.data, 0, bits.size);
  return bits.buffer();
}

}  // namespace darrow

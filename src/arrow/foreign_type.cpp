#include "arrow/foreign_type.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "table/build.hpp"

namespace darrow {
namespace {

constexpr ForeignType types[] = {
    {"n", ColumnType::i64, 0, 0},        {"b", ColumnType::boolean, 2, 0}, {"c", ColumnType::i64, 2, 0},
    {"C", ColumnType::u64, 2, 0},        {"s", ColumnType::i64, 2, 0},     {"S", ColumnType::u64, 2, 0},
    {"i", ColumnType::i32, 2, 0},        {"I", ColumnType::u32, 2, 0},     {"l", ColumnType::i64, 2, 0},
    {"L", ColumnType::u64, 2, 0},        {"e", ColumnType::f64, 2, 0},     {"f", ColumnType::f64, 2, 0},
    {"g", ColumnType::f64, 2, 0},        {"u", ColumnType::utf8, 3, 0},    {"U", ColumnType::utf8, 3, 0},
    {"vu", ColumnType::utf8, 3, 0},      {"z", ColumnType::binary, 3, 0},  {"Z", ColumnType::binary, 3, 0},
    {"vz", ColumnType::binary, 3, 0},    {"+l", ColumnType::list, 2, 1},   {"+L", ColumnType::list, 2, 1},
    {"+s", ColumnType::structure, 1, 0},
};
constexpr std::string_view fixed_list = "+w:";
constexpr ForeignType fixed_list_type{fixed_list, ColumnType::list, 1, 1};

/// How types begin that have no counterpart, and what they are called.
constexpr struct {
  std::string_view prefix, words;
} unusable[] = {
    {"d:", "decimal"},
    {"td", "date"},
    {"tt", "time"},
    {"ts", "timestamp"},
    {"tD", "duration"},
    {"ti", "interval"},
    {"+r", "run-end encoded"},
    {"+m", "map"},
    {"+u", "union"},
    {"+v", "list view"},
    {"w:", "fixed-size binary"},
};

/// Deeper ones are not looked into: nothing here is.
constexpr int most_depth = 16;

std::string in_words(std::string_view format) {
  for (const auto& [prefix, words] : unusable)
    if (format.starts_with(prefix)) return fmt::format("{} (Arrow \"{}\")", words, format);
  return fmt::format("Arrow \"{}\"", format);
}

bool is_whole(ColumnType type) {
  return type == ColumnType::i32 || type == ColumnType::u32 || type == ColumnType::i64 || type == ColumnType::u64;
}

bool is_number(ColumnType type) { return is_whole(type) || type == ColumnType::f64; }

}  // namespace

const ForeignType* foreign_type(std::string_view format) {
  for (const auto& t : types)
    if (t.format == format) return &t;
  return items_in_each(format) >= 0 ? &fixed_list_type : nullptr;
}

std::int64_t items_in_each(std::string_view format) {
  if (!format.starts_with(fixed_list)) return -1;
  std::int64_t n = -1;
  const char* end = format.data() + format.size();
  auto [stop, error] = std::from_chars(format.data() + fixed_list.size(), end, n);
  return stop == end && error == std::errc{} ? n : -1;
}

Result<std::string> unusable_type(const ArrowSchema& schema, int depth) {
  if (!schema.release || !schema.format) return malformed("a schema that was released or has no type");
  if (depth > most_depth) return fmt::format("nested more than {} deep", most_depth);
  const ForeignType* type = foreign_type(schema.format);
  if (!type) return in_words(schema.format);
  if (schema.dictionary) {
    auto values = unusable_type(*schema.dictionary, depth + 1);
    if (!values) return values.error();
    if (!values->empty()) return fmt::format("dictionary of {}", *values);
    const std::string_view format = schema.dictionary->format;
    const auto of_values = foreign_type(format)->type;
    const bool is_usable = is_number(of_values) || of_values == ColumnType::utf8;
    if (!is_usable || schema.dictionary->dictionary) return fmt::format("dictionary of Arrow \"{}\"", format);
    if (!is_whole(type->type) || type->buffers == 0)
      return malformed("a dictionary whose indices are no whole numbers");
  }
  const bool is_structure = type->type == ColumnType::structure;
  if (is_structure ? schema.n_children < 0 : schema.n_children != type->children)
    return malformed(fmt::format("a type \"{}\" with {} children", schema.format, schema.n_children));
  std::set<std::string_view> names;
  std::string first;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (!schema.children || !schema.children[i]) return malformed("a schema without its children");
    auto child = unusable_type(*schema.children[i], depth + 1);
    if (!child) return child.error();
    if (first.empty()) first = std::move(*child);
    auto name = name_of(*schema.children[i]);
    if (!names.insert(name).second) return malformed(fmt::format("two columns are called \"{}\"", name));
  }
  return first;
}

bool is_usable(const ArrowSchema& schema) { return unusable_type(schema).value().empty(); }

bool holds_numbers(const ArrowSchema& schema) {
  return schema.format != std::string_view("n") && is_number(foreign_type(schema.format)->type);
}

std::string_view name_of(const ArrowSchema& schema) { return schema.name ? schema.name : ""; }

Column empty_column(const ArrowSchema& schema) {
  static constexpr std::int32_t zero = 0;
  Column c;
  c.name = name_of(schema);
  c.type = foreign_type(schema.format)->type;
  if (schema.dictionary && holds_numbers(*schema.dictionary)) {
    c.type = foreign_type(schema.dictionary->format)->type;
  } else if (schema.dictionary) {
    c.type = ColumnType::dictionary;
    c.dictionary = std::make_shared<const Column>(TextBuilder("dictionary").finish());
  }
  if (c.type == ColumnType::utf8 || c.type == ColumnType::binary || c.type == ColumnType::list)
    c.offsets = {nullptr, reinterpret_cast<const std::byte*>(&zero), sizeof zero};
  for (std::int64_t i = 0; i < schema.n_children; ++i)
    if (is_usable(*schema.children[i])) c.children.push_back(empty_column(*schema.children[i]));
  if (c.type == ColumnType::list) c.children[0].name = "item";
  return c;
}

Error malformed(std::string message) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(message), .file = {}, .region = {}, .offset = {}};
}

}  // namespace darrow

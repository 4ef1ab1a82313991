#include "table/join.hpp"

#include <cstring>
#include <stdexcept>

#include "base/memory.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

std::int64_t rows_of(std::span<const Piece> pieces) {
  std::int64_t rows = 0;
  for (const auto& p : pieces) rows += p.end - p.begin;
  return rows;
}

std::size_t width_of(ColumnType type) { return type == ColumnType::i32 || type == ColumnType::u32 ? 4 : 8; }

/// Which rows are null, over all pieces.
void join_validity(std::span<const Piece> pieces, Column& out) {
  std::vector<std::int64_t> nulls;
  std::int64_t row = 0;
  for (const auto& p : pieces)
    for (std::int64_t r = p.begin; r < p.end; ++r, ++row)
      if (p.column->null_count != 0 && !p.column->valid(r)) nulls.push_back(row);
  out.null_count = static_cast<std::int64_t>(nulls.size());
  out.validity = validity_without(out.length, nulls);
}

void join_numbers(std::span<const Piece> pieces, Column& out) {
  std::size_t width = width_of(out.type);
  NewBuffer data(static_cast<std::size_t>(out.length) * width);
  std::byte* at = data.data;
  for (const auto& p : pieces) {
    std::size_t bytes = static_cast<std::size_t>(p.end - p.begin) * width;
    if (bytes) std::memcpy(at, p.column->data.data + static_cast<std::size_t>(p.begin) * width, bytes);
    at += bytes;
  }
  out.data = data.buffer();
}

void join_bits(std::span<const Piece> pieces, Column& out) {
  std::vector<std::optional<bool>> bits;
  for (const auto& p : pieces)
    for (auto r = static_cast<std::size_t>(p.begin); r < static_cast<std::size_t>(p.end); ++r)
      bits.emplace_back((std::to_integer<unsigned>(p.column->data.data[r >> 3] >> (r & 7)) & 1u) != 0);
  out.data = value_column<bool>({}, bits).data;
}

Column join_texts(std::span<const Piece> pieces, const Column& first) {
  TextBuilder texts(first.name);
  for (const auto& p : pieces)
    for (std::int64_t r = p.begin; r < p.end; ++r)
      p.column->valid(r) ? texts.add_valid(p.column->text(r)) : texts.add_null();
  return std::move(texts).finish(first.type == ColumnType::binary ? ColumnType::binary : ColumnType::utf8);
}

/// Null lists become empty, whatever stands behind them.
void join_lists(std::span<const Piece> pieces, Column& out) {
  std::vector<Piece> items;
  std::vector<std::int32_t> ends{0};
  std::int64_t total = 0;
  for (const auto& p : pieces) {
    auto offsets = p.column->offsets.as<std::int32_t>();
    for (auto r = static_cast<std::size_t>(p.begin); r < static_cast<std::size_t>(p.end); ++r) {
      bool valid = p.column->valid(static_cast<std::int64_t>(r));
      Piece list{&p.column->children[0], offsets[r], valid ? offsets[r + 1] : offsets[r]};
      total += list.end - list.begin;
      if (total > INT32_MAX) throw std::length_error("more than 2^31 list elements in one column");
      ends.push_back(static_cast<std::int32_t>(total));
      bool follows = !items.empty() && items.back().column == list.column && items.back().end == list.begin;
      if (follows) items.back().end = list.end;
      else items.push_back(list);
    }
  }
  if (items.empty()) items.push_back({&pieces[0].column->children[0], 0, 0});
  Column lists = list_column({}, ends, join(items));
  out.offsets = lists.offsets;
  out.children = std::move(lists.children);
}

void join_fields(std::span<const Piece> pieces, Column& out) {
  for (std::size_t i = 0; i < pieces[0].column->children.size(); ++i) {
    std::vector<Piece> of_field;
    for (const auto& p : pieces) of_field.push_back({&p.column->children[i], p.begin, p.end});
    out.children.push_back(join(of_field));
  }
}

}  // namespace

Column join(std::span<const Piece> pieces) {
  const Column& first = *pieces[0].column;
  Column out;
  if (first.type == ColumnType::utf8 || first.type == ColumnType::binary || first.type == ColumnType::dictionary)
    out = join_texts(pieces, first);
  out.name = first.name;
  out.field = first.field;
  out.stored_nulls = true;
  for (const auto& p : pieces) out.stored_nulls &= p.column->stored_nulls;
  if (!out.offsets.empty()) return out;
  out.type = first.type;
  out.length = rows_of(pieces);
  join_validity(pieces, out);
  switch (out.type) {
    case ColumnType::boolean: join_bits(pieces, out); break;
    case ColumnType::list: join_lists(pieces, out); break;
    case ColumnType::structure: join_fields(pieces, out); break;
    default: join_numbers(pieces, out);
  }
  return out;
}

Table join(std::span<const Table* const> batches) {
  if (batches.size() == 1) return *batches[0];
  Table all;
  all.name = batches[0]->name;
  all.module = batches[0]->module;
  all.version = batches[0]->version;
  for (const Table* t : batches) all.rows += t->rows;
  for (std::size_t i = 0; i < batches[0]->columns.size(); ++i) {
    std::vector<Piece> pieces;
    for (const Table* t : batches) pieces.push_back({&t->columns[i], 0, t->rows});
    all.columns.push_back(join(pieces));
  }
  return all;
}

}  // namespace darrow

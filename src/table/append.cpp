#include "table/append.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "table/bits.hpp"

namespace darrow {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

/// Bytes of a value; 0 for what has no fixed width.
std::size_t width_of(ColumnType type) {
  switch (type) {
    case ColumnType::i32:
    case ColumnType::u32:
    case ColumnType::dictionary: return 4;
    case ColumnType::i64:
    case ColumnType::u64:
    case ColumnType::f64: return 8;
    default: return 0;
  }
}

bool has_offsets(ColumnType type) {
  return type == ColumnType::utf8 || type == ColumnType::binary || type == ColumnType::list;
}

std::size_t at(std::int64_t row) { return static_cast<std::size_t>(row); }

void put(GrowingBytes& bytes, std::int32_t value) {
  std::memcpy(bytes.extend_unset(sizeof value), &value, sizeof value);
}

/// The bytes, which are empty again then.
Buffer taken(GrowingBytes& bytes) {
  if (bytes.size() == 0) return {};
  return std::exchange(bytes, GrowingBytes()).freeze();
}

}  // namespace

ColumnAppender::ColumnAppender(const Column& like) : like_(without_rows(like)), width_(width_of(like.type)) {
  for (const auto& child : like.children) children_.emplace_back(child);
  if (like.type != ColumnType::dictionary) return;
  Column texts;
  texts.name = "dictionary";
  texts.type = ColumnType::utf8;
  values_ = std::make_unique<ColumnAppender>(texts);
}

bool ColumnAppender::fits(const Column& column, std::int64_t begin, std::int64_t end) const {
  if (has_offsets(like_.type) && column.length > 0) {
    auto ends = column.offsets.as<std::int32_t>();
    std::int64_t there =
        like_.type == ColumnType::list ? children_[0].length_ : static_cast<std::int64_t>(data_.size());
    if (there + ends[at(end)] - ends[at(begin)] > most) return false;
    return like_.type != ColumnType::list || children_[0].fits(column.children[0], ends[at(begin)], ends[at(end)]);
  }
  if (like_.type == ColumnType::dictionary && column.dictionary)
    return values_->fits(*column.dictionary, 0, column.dictionary->length);
  for (std::size_t i = 0; i < children_.size(); ++i)
    if (!children_[i].fits(column.children[i], begin, end)) return false;
  return true;
}

void ColumnAppender::add_valid(std::int64_t rows) {
  if (null_count_ == 0) return;
  extend_bits(validity_, length_ + rows);
  set_bits(validity_.data(), length_, length_ + rows);
}

void ColumnAppender::add_null(std::int64_t rows) {
  extend_bits(validity_, length_ + rows);
  if (null_count_ == 0) set_bits(validity_.data(), 0, length_);
  null_count_ += rows;
}

void ColumnAppender::append_validity(const Column& column, std::int64_t begin, std::int64_t end) {
  if (column.null_count == 0 || column.validity.empty()) return add_valid(end - begin);
  if (column.null_count == column.length) return add_null(end - begin);
  extend_bits(validity_, length_ + end - begin);
  const std::int64_t nulls = copy_bits(validity_.data(), length_, column.validity.data, begin, end);
  if (null_count_ == 0) set_bits(validity_.data(), 0, length_);
  null_count_ += nulls;
}

void ColumnAppender::append_offsets(const Column& column, std::int64_t begin, std::int64_t end) {
  auto ends = column.offsets.as<std::int32_t>();
  const std::int32_t first = ends[at(begin)], last = ends[at(end)];
  const bool list = like_.type == ColumnType::list;
  const auto there = static_cast<std::int32_t>(list ? children_[0].length_ : static_cast<std::int64_t>(data_.size()));
  if (offsets_.size() == 0) put(offsets_, 0);
  auto* out = reinterpret_cast<std::int32_t*>(offsets_.extend_unset(at(end - begin) * sizeof(std::int32_t)));
  const std::int32_t shift = there - first;
  for (std::int64_t r = begin; r < end; ++r) *out++ = ends[at(r) + 1] + shift;
  if (list) children_[0].append(column.children[0], first, last);
  else data_.append(column.data.bytes().subspan(at(first), at(last - first)));
}

void ColumnAppender::append_bits(const Column& column, std::int64_t begin, std::int64_t end) {
  extend_bits(data_, length_ + end - begin);
  copy_bits(data_.data(), length_, column.data.data, begin, end);
}

std::int32_t ColumnAppender::number_of(std::string_view text) {
  if (auto known = numbers_.find(text); known != numbers_.end()) return known->second;
  const auto number = static_cast<std::int32_t>(numbers_.size());
  numbers_.emplace(text, number);
  auto& texts = *values_;
  if (texts.offsets_.size() == 0) put(texts.offsets_, 0);
  texts.data_.append(std::as_bytes(std::span(text)));
  put(texts.offsets_, static_cast<std::int32_t>(texts.data_.size()));
  ++texts.length_;
  return number;
}

void ColumnAppender::append_indices(const Column& column, std::int64_t begin, std::int64_t end) {
  constexpr std::int32_t unknown = -2;
  renumbered_.assign(column.dictionary ? at(column.dictionary->length) : 0, unknown);
  auto* out = reinterpret_cast<std::int32_t*>(data_.extend_unset(at(end - begin) * sizeof(std::int32_t)));
  auto numbers = column.values<std::int32_t>();
  for (std::int64_t r = begin; r < end; ++r) {
    const std::int32_t number = numbers[at(r)];
    if (number < 0) {
      *out++ = number;
      continue;
    }
    std::int32_t& here = renumbered_[at(number)];
    if (here == unknown) here = number_of(column.dictionary->text(number));
    *out++ = here;
  }
}

void ColumnAppender::append(const Column& column, std::int64_t begin, std::int64_t end) {
  if (begin == end) return;
  stored_nulls_ &= column.stored_nulls;
  append_validity(column, begin, end);
  switch (like_.type) {
    case ColumnType::boolean: append_bits(column, begin, end); break;
    case ColumnType::utf8:
    case ColumnType::binary:
    case ColumnType::list: append_offsets(column, begin, end); break;
    case ColumnType::dictionary: append_indices(column, begin, end); break;
    case ColumnType::structure:
      for (std::size_t i = 0; i < children_.size(); ++i) children_[i].append(column.children[i], begin, end);
      break;
    default: data_.append(column.data.bytes().subspan(at(begin) * width_, at(end - begin) * width_));
  }
  length_ += end - begin;
}

void ColumnAppender::append_text(const std::string_view* text, std::int64_t rows) {
  text ? add_valid(rows) : add_null(rows);
  auto* out = reinterpret_cast<std::int32_t*>(data_.extend_unset(at(rows) * sizeof(std::int32_t)));
  std::fill_n(out, rows, text ? number_of(*text) : -1);
  length_ += rows;
}

void ColumnAppender::append_number(const std::int64_t* number, std::int64_t rows) {
  number ? add_valid(rows) : add_null(rows);
  auto* out = reinterpret_cast<std::int64_t*>(data_.extend_unset(at(rows) * sizeof(std::int64_t)));
  std::fill_n(out, rows, number ? *number : 0);
  length_ += rows;
}

std::size_t ColumnAppender::bytes() const {
  std::size_t bytes = validity_.size() + offsets_.size() + data_.size();
  for (const auto& child : children_) bytes += child.bytes();
  return values_ ? bytes + values_->bytes() : bytes;
}

Column ColumnAppender::finish() {
  Column out;
  out.name = like_.name;
  out.type = like_.type;
  out.field = like_.field;
  out.length = std::exchange(length_, 0);
  out.null_count = std::exchange(null_count_, 0);
  out.stored_nulls = std::exchange(stored_nulls_, true);
  if (has_offsets(out.type) && offsets_.size() == 0) put(offsets_, 0);
  Buffer validity = taken(validity_);
  if (out.null_count > 0) out.validity = std::move(validity);
  out.offsets = taken(offsets_);
  out.data = taken(data_);
  for (auto& child : children_) out.children.push_back(child.finish());
  if (values_) {
    numbers_.clear();
    out.dictionary = std::make_shared<const Column>(values_->finish());
  }
  return out;
}

}  // namespace darrow

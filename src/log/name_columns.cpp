#include "log/name_columns.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/memory.hpp"
#include "base/utf8.hpp"
#include "modules/tables.hpp"
#include "table/build.hpp"

namespace darrow {

NameColumns::NameColumns(const MountedNames& names, std::span<const Mount> mounts, std::size_t budget)
    : names_(names), budget_(std::min<std::size_t>(budget, INT32_MAX)) {
  for (const auto& m : mounts) {
    mount_paths_.push_back(escape_utf8(m.path));
    fs_types_.push_back(escape_utf8(m.fs_type));
  }
}

void NameColumns::begin(std::span<const std::uint64_t> ids) {
  ids_ = ids;
  positions_.clear();
  positions_.reserve(ids.size());
  for (auto id : ids) {
    std::int64_t position = names_.find(id);
    positions_.push_back(position);
    if (position < 0 || names_.all_utf8() || escaped_.contains(position)) continue;  // looked at once a name
    std::string_view name = names_.name(position);
    escaped_.emplace(position, is_utf8(name) ? std::nullopt : std::optional(escape_utf8(name)));
  }
}

NameColumns::Taken& NameColumns::taken_by(std::string_view column) {
  for (auto& t : taken_)
    if (t.column == column) return t;
  return taken_.emplace_back(Taken{column});
}

void NameColumns::report(ProblemSink& problems) const {
  for (const auto& t : taken_)
    if (t.lost)
      problems.add(ProblemKind::name_text_too_large,
                   fmt::format("column {}: {} rows left without text, more than {} bytes would be needed", t.column,
                               t.lost, budget_),
                   t.lost);
}

std::optional<std::string_view> NameColumns::name_bytes_of(std::size_t row) const {
  if (positions_[row] < 0) return {};
  return names_.name(positions_[row]);
}

std::optional<std::string_view> NameColumns::name_of(std::size_t row) const {
  if (!escaped_.empty())
    if (auto at = escaped_.find(positions_[row]); at != escaped_.end() && at->second) return *at->second;
  return name_bytes_of(row);
}

std::optional<std::string_view> NameColumns::mount_of(std::size_t row) const {
  std::int32_t mount = positions_[row] < 0 ? -1 : names_.mount(positions_[row]);
  if (mount < 0) return {};
  return mount_paths_[static_cast<std::size_t>(mount)];
}

std::optional<std::string_view> NameColumns::fs_type_of(std::size_t row) const {
  std::int32_t mount = positions_[row] < 0 ? -1 : names_.mount(positions_[row]);
  if (mount < 0) return {};
  return fs_types_[static_cast<std::size_t>(mount)];
}

std::optional<std::string_view> NameColumns::layer_of(std::size_t row) const {
  if (auto known = heatmap_layer(ids_[row]); !known.empty()) return known;
  auto name = name_of(row);
  constexpr std::string_view prefix = "heatmap:";
  if (name && name->starts_with(prefix)) name->remove_prefix(prefix.size());
  return name;
}

Column NameColumns::text(std::string_view column, TextOf text_of, ColumnType type) {
  std::size_t rows = ids_.size(), size = 0;
  std::vector<std::int64_t> nulls;
  Taken& taken = taken_by(column);
  NewBuffer offsets((rows + 1) * sizeof(std::int32_t));
  auto* ends = offsets.as<std::int32_t>();
  ends[0] = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    auto text = (this->*text_of)(r);
    if (text && taken.bytes + size + text->size() > budget_) {
      ++taken.lost;
      text.reset();
    }
    if (text) size += text->size();
    else nulls.push_back(static_cast<std::int64_t>(r));
    ends[r + 1] = static_cast<std::int32_t>(size);
  }
  taken.bytes += size;
  NewBuffer data(size);
  for (std::size_t r = 0; r < rows; ++r)
    if (std::size_t n = static_cast<std::size_t>(ends[r + 1] - ends[r]))
      std::memcpy(data.data + ends[r], (this->*text_of)(r)->data(), n);

  Column c;
  c.name = column;
  c.type = type;
  c.length = static_cast<std::int64_t>(rows);
  c.null_count = static_cast<std::int64_t>(nulls.size());
  c.validity = validity_without(c.length, nulls);
  c.offsets = offsets.buffer();
  c.data = data.buffer();
  return c;
}

Column NameColumns::name() { return text("name", &NameColumns::name_of); }
Column NameColumns::name_bytes() { return text("name_bytes", &NameColumns::name_bytes_of, ColumnType::binary); }
Column NameColumns::mount() { return text("mount", &NameColumns::mount_of); }
Column NameColumns::fs_type() { return text("fs_type", &NameColumns::fs_type_of); }
Column NameColumns::layer() { return text("layer", &NameColumns::layer_of); }

std::vector<Column> NameColumns::repeated(std::span<const std::int64_t> counts, const Selection& selection) const {
  std::int64_t rows = 0;
  for (auto n : counts) rows += n;
  const std::pair<const char*, TextOf> texts[] = {
      {"name", &NameColumns::name_of}, {"mount", &NameColumns::mount_of}, {"fs_type", &NameColumns::fs_type_of}};
  std::vector<Column> columns;
  for (const auto& [column, text_of] : texts) {
    if (!selection.has(column)) continue;
    DictionaryBuilder dictionary;
    NewBuffer indices(static_cast<std::size_t>(rows) * sizeof(std::int32_t));
    auto* out = indices.as<std::int32_t>();
    for (std::size_t r = 0; r < counts.size(); ++r) {
      if (counts[r] == 0) continue;
      auto text = (this->*text_of)(r);
      out = std::fill_n(out, counts[r], text ? dictionary.number(*text) : -1);
    }
    columns.push_back(dictionary_column(column, std::move(dictionary).finish(), rows, indices.buffer()));
  }
  return columns;
}

}  // namespace darrow

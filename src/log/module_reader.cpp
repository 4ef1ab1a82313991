#include "log/module_reader.hpp"

#include <algorithm>

#include "log/shape.hpp"

namespace darrow {
namespace {

using Part = TableOptions::Part;

/// Text columns may take this much more memory than the regions they come from: enough for any real log.
std::size_t text_budget(std::size_t inflated, std::size_t names) {
  const std::size_t both = names < SIZE_MAX - inflated ? inflated + names : SIZE_MAX;
  return (std::size_t{64} << 20) + 16 * std::min(both, std::size_t{1} << 40);
}

bool has_segments(const ModuleInfo& info, const TableOptions& options) {
  return info.module->shape == Shape::segments && options.part == Part::rows;
}

bool needs_names(const Selection& selection) {
  for (auto column : {"name", "name_bytes", "mount", "fs_type", "layer"})
    if (selection.has(column)) return true;
  return false;
}

}  // namespace

ModuleReader::ModuleReader(Log::State& state, const ModuleInfo& info, TableOptions options, Selection selection,
                           Slice batch, bool read)
    : state_(state),
      options_(std::move(options)),
      selection_(std::move(selection)),
      batch_{.rows = batch.rows, .bytes = batch.bytes, .split = has_segments(info, options_)},
      read_(read),
      wants_names_(options_.part != Part::header && needs_names(selection_)),
      reader_(state, info, options_, selection_, read, batch_.all()) {}

std::optional<Error> ModuleReader::begin_names(const Records& records) {
  if (!wants_names_) return {};
  if (!names_of_rows_) {
    auto all = read_ ? state_.read_names() : std::make_shared<const MountedNames>(NameTable(), state_.mounts);
    if (!all) return all.error();
    names_of_log_ = *all;
    names_of_rows_.emplace(*names_of_log_, state_.mounts, text_budget(reader_.region_bytes(), names_of_log_->bytes()));
  }
  names_of_rows_->begin(records.columns[0].values<std::uint64_t>());
  return {};
}

Result<Table> ModuleReader::read_batch() {
  Records records = reader_.next(batch_);
  if (options_.part == Part::header) return Table{};
  Buffer ids = records.columns[0].data;  // stays until the names are there, whatever becomes of the records
  if (auto e = begin_names(records)) return *e;
  auto shape = batch_.split ? segment_table : record_table;
  return shape(std::move(records), names_of_rows_ ? &*names_of_rows_ : nullptr, selection_);
}

Table ModuleReader::hand_out(Table table) {
  rows_ += table.rows;
  handed_out_ = true;
  return table;
}

Result<std::optional<Table>> ModuleReader::next() {
  if (is_finished_) return std::optional<Table>();
  while (!reader_.done() || !handed_out_) {
    if (reader_.done() && options_.part == Part::header)
      return std::optional(hand_out(record_table(reader_.header(), nullptr, selection_)));
    auto table = read_batch();
    if (!table) return table.error();
    if (options_.part != Part::header && (table->rows > 0 || (reader_.done() && !handed_out_)))
      return std::optional(hand_out(std::move(*table)));
  }
  is_finished_ = true;
  if (!read_) return std::optional<Table>();
  if (names_of_rows_) names_of_rows_->report(reader_.problems());
  if (auto e = reader_.finish()) return *e;
  return std::optional<Table>();
}

}  // namespace darrow

/// Reading one module: its records with their names, in the shape of its table.
#include <fmt/format.h>

#include <algorithm>

#include "log/record_reader.hpp"
#include "log/shape.hpp"

namespace darrow {
namespace {

using Part = TableOptions::Part;

/// Text columns may take this much more memory than the regions they come from: enough for any real log.
std::size_t text_budget(std::size_t inflated, std::size_t names) {
  const std::size_t both = names < SIZE_MAX - inflated ? inflated + names : SIZE_MAX;
  return (std::size_t{64} << 20) + 16 * std::min(both, std::size_t{1} << 40);
}

bool needs_names(const Selection& selection) {
  for (auto column : {"name", "name_bytes", "mount", "fs_type", "layer"})
    if (selection.has(column)) return true;
  return false;
}

/// The first names, and how many there are.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i ? ", " : "") + names[i];
  return names.size() > most ? fmt::format("{}, … ({} in all)", text, names.size()) : text;
}

}  // namespace

Result<Selection> Log::State::selection_of(const ModuleInfo& info, const TableOptions& options) const {
  if (info.status == ModuleStatus::unknown_module)
    return error(ErrorCode::unsupported_version, info.name, "an unknown module: its data is available as bytes only",
                 info.offset);
  if (info.status == ModuleStatus::unknown_version)
    return error(ErrorCode::unsupported_version, info.name,
                 fmt::format("module version {} is not known (newest known: {}): its data is available as bytes only",
                             info.version, info.module->current()),
                 info.offset);
  if (options.part == Part::header && info.module->header.empty())
    return error(ErrorCode::invalid_argument, info.name, "this module has no header record");

  if (options.time && (info.module->shape != Shape::segments || options.part != Part::rows))
    return error(ErrorCode::invalid_argument, info.name,
                 fmt::format("a window of time chooses among the segments of traces; {}",
                             info.module->shape == Shape::segments ? "these are records" : "this module is no trace"));

  auto selected = options.columns;
  auto known = column_names(*info.module, options.part);
  for (const auto& c : selected)
    if (std::find(known.begin(), known.end(), c) == known.end() && c != "name_bytes")
      return error(ErrorCode::invalid_argument, info.name,
                   fmt::format("no column \"{}\" in {}; there are {}", c, info.name, list_of(known)));
  if (options.name_bytes) {
    if (selected.empty()) selected = known;
    selected.emplace_back("name_bytes");
  }
  return Selection(std::move(selected), options.part == Part::rows);
}

Result<std::int64_t> Log::State::scan_module(const ModuleInfo& info, const TableOptions& options, Slice batch,
                                             const std::function<void(Table&&)>& each, bool read) {
  auto selected = selection_of(info, options);
  if (!selected) return selected.error();
  const Selection& selection = *selected;
  const bool segments = info.module->shape == Shape::segments && options.part == Part::rows;
  const bool wants_names = options.part != Part::header && needs_names(selection);

  batch.split = segments;
  RecordReader reader(*this, info, options, selection, read, batch.all());
  std::shared_ptr<const MountedNames> names_of_log;
  std::optional<NameColumns> names_of_rows;
  std::int64_t rows = 0;
  bool handed_out = false;
  auto hand_out = [&](Table table) {
    rows += table.rows;
    handed_out = true;
    each(std::move(table));
  };

  do {
    Records records = reader.next(batch);
    if (options.part == Part::header) continue;
    if (wants_names && !names_of_rows) {  // not earlier: a region that is read in one piece is gone by now
      auto all = read ? read_names() : std::make_shared<const MountedNames>(NameTable(), mounts);
      if (!all) return all.error();
      names_of_log = *all;
      names_of_rows.emplace(*names_of_log, mounts, text_budget(reader.region_bytes(), names_of_log->bytes()));
    }
    Buffer ids = records.columns[0].data;  // stays until the names are there, whatever becomes of the records
    if (names_of_rows) names_of_rows->begin(records.columns[0].values<std::uint64_t>());
    auto shape = segments ? segment_table : record_table;
    Table table = shape(std::move(records), names_of_rows ? &*names_of_rows : nullptr, selection);
    if (table.rows > 0 || (reader.done() && !handed_out)) hand_out(std::move(table));
  } while (!reader.done());
  if (options.part == Part::header) hand_out(record_table(reader.header(), nullptr, selection));
  if (!read) return rows;

  if (names_of_rows) names_of_rows->report(reader.problems());
  if (auto e = reader.finish()) return *e;
  return rows;
}

Result<std::shared_ptr<const Table>> Log::State::read_module(const ModuleInfo& info, const TableOptions& options,
                                                             bool read) {
  auto table = std::make_shared<Table>();
  auto whole = scan_module(info, options, Slice{}, [&](Table&& all) { *table = std::move(all); }, read);
  if (!whole) return whole.error();
  return std::shared_ptr<const Table>(std::move(table));
}

}  // namespace darrow

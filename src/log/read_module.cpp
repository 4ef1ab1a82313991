/// Reading one module: inflate, decode, fix up, mark nulls, add names.
#include <fmt/format.h>

#include <algorithm>

#include "base/memory.hpp"
#include "codec/decode.hpp"
#include "log/shape.hpp"
#include "log/state.hpp"
#include "log/value_checks.hpp"
#include "modules/fixups.hpp"
#include "modules/tables.hpp"
#include "modules/upstream_values.hpp"

namespace darrow {
namespace {

using Part = TableOptions::Part;

/// Memory of decoded records is given back in pieces of this size.
constexpr std::size_t drop_bytes = std::size_t{4} << 20;

/// Text columns may take this much more memory than the regions they come from: enough for any real log.
std::size_t text_budget(std::size_t inflated, std::size_t names) {
  return (std::size_t{64} << 20) + 16 * (inflated + names);
}

RowFilter filter_of(const TableOptions& options) {
  RowFilter filter;
  if (options.ids) filter.ids.emplace(options.ids->begin(), options.ids->end());
  if (options.ranks) filter.ranks.emplace(options.ranks->begin(), options.ranks->end());
  return filter;
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
  const RowFilter filter = filter_of(options);
  const Module& module = *info.module;
  const bool segments = module.shape == Shape::segments && options.part == Part::rows;
  const bool wants_names = options.part != Part::header && needs_names(selection);

  std::vector<Problem> found;
  ProblemSink sink(info.name, info.name, found);
  Buffer region = read ? inflated(info.id, sink) : Buffer{};
  int version = info.length > 0 ? static_cast<int>(info.version) : module.current();
  Decoder decoder(module, version, header.swapped(), region.bytes(), selection, filter, sink);
  const std::size_t inflated_bytes = region.size;
  std::shared_ptr<const MountedNames> names_of_log;
  std::optional<NameColumns> names_of_rows;
  ProblemCounts counts;
  ValueChecks checks(job);
  UpstreamReading reading{.swapped = header.swapped()};
  for (const auto& m : modules)
    if (m.module == &tables::h5f) reading.h5f_version = static_cast<int>(m.version);
  std::int64_t rows = 0, records_read = 0;
  bool handed_out = false;
  // What is decoded goes at once, so that what is made of it may take its place. Uncompressed regions are the file's own.
  const bool is_own = read && header.compression != Compression::none;
  std::size_t dropped = 0;
  auto hand_out = [&](Table table) {
    rows += table.rows;
    handed_out = true;
    each(std::move(table));
  };

  do {
    Records batch_records = decoder.next(batch);
    if (decoder.done()) region = {};
    else if (is_own && decoder.position() - dropped >= drop_bytes) {
      drop_pages(region.data + dropped, decoder.position() - dropped);
      dropped = decoder.position();
    }
    if (options.upstream_values) spoil_before_fixups(batch_records, reading);
    if (module.shape == Shape::records || options.part == Part::rows) apply_fixups(batch_records, counts);
    if (options.upstream_values) spoil_after_fixups(batch_records, reading);
    mark_nulls(batch_records);
    checks.add(batch_records, counts);
    records_read += batch_records.rows;
    if (options.part == Part::header) continue;
    if (wants_names && !names_of_rows) {  // not earlier: a region that is read in one piece is gone by now
      auto all = read ? read_names() : std::make_shared<const MountedNames>(NameTable(), mounts);
      if (!all) return all.error();
      names_of_log = *all;
      names_of_rows.emplace(*names_of_log, mounts, text_budget(inflated_bytes, names_of_log->bytes()));
    }
    Buffer ids = batch_records.columns[0].data;  // names are found by them, even if the table leaves them out
    if (names_of_rows) names_of_rows->begin(batch_records.columns[0].values<std::uint64_t>());
    auto shape = segments ? segment_table : record_table;
    Table table = shape(std::move(batch_records), names_of_rows ? &*names_of_rows : nullptr, selection);
    if (table.rows > 0 || (decoder.done() && !handed_out)) hand_out(std::move(table));
  } while (!decoder.done());
  if (options.part == Part::header) hand_out(record_table(decoder.header(), nullptr, selection));
  if (!read) return rows;

  // What the values tell is told of whole regions only: counts of a part, or of wrong values, would say something else.
  const bool whole = filter.all() && !options.upstream_values;
  if (whole) counts.report(sink);
  if (names_of_rows) names_of_rows->report(sink);
  remember(info.id, found);
  if (whole) {
    std::lock_guard lock(mutex);
    records[info.id] = records_read;
  }
  if (auto e = strict_error(info.id, found)) return *e;
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

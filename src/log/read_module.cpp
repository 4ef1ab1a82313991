/// Reading one module: inflate, decode, fix up, mark nulls, add names.
#include <fmt/format.h>

#include <algorithm>

#include "base/id_index.hpp"
#include "codec/decode.hpp"
#include "log/shape.hpp"
#include "log/state.hpp"
#include "modules/fixups.hpp"
#include "modules/tables.hpp"

namespace darrow {
namespace {

using Part = TableOptions::Part;

/// Text columns may take this much more memory than the regions they come from: enough for any real log.
std::size_t text_budget(std::size_t inflated, std::size_t names) {
  return (std::size_t{64} << 20) + 16 * (inflated + names);
}

void report_ranks(const Records& records, const std::optional<Job>& job, ProblemSink& sink) {
  std::int64_t beyond = 0, below = 0, highest = 0, nprocs = job ? job->nprocs : 0;
  for (auto rank : records.columns[1].values<std::int64_t>()) {
    below += rank < -1;
    beyond += nprocs >= 1 && rank >= nprocs;
    highest = std::max(highest, rank);
  }
  if (beyond)
    sink.add(ProblemKind::rank_beyond_nprocs,
             fmt::format("records of ranks that the job does not have: {}; it has {} processes, the highest rank is {}",
                         beyond, nprocs, highest),
             beyond);
  if (below) sink.add(ProblemKind::rank_below_minus_one, fmt::format("records of a rank below -1: {}", below), below);
}

/// Heat maps of one layer should agree in bins and width, and bins are bytes.
void report_heatmaps(Records& records, ProblemSink& sink) {
  const Column *widths = records.find("bin_width_seconds"), *bins = records.find("nbins");
  if (widths && bins) {
    auto ids = records.columns[0].values<std::uint64_t>();
    auto width = widths->values<double>();
    auto count = bins->values<std::int64_t>();
    IdIndex layers;
    std::vector<std::size_t> first;
    std::int64_t differ = 0;
    for (std::size_t r = 0; r < ids.size(); ++r) {
      auto [layer, is_new] = layers.insert(ids[r]);
      if (is_new) first.push_back(r);
      std::size_t f = first[static_cast<std::size_t>(layer)];
      differ += width[r] != width[f] || count[r] != count[f];
    }
    if (differ)
      sink.add(ProblemKind::heatmap_uneven,
               fmt::format("records that differ in bins or width from the first of their layer: {}", differ), differ);
  }
  std::int64_t negative = 0;
  for (const auto& e : records.elements)
    for (auto bytes : e.columns[0].values<std::int64_t>()) negative += bytes < 0;
  if (negative) sink.add(ProblemKind::negative_bins, fmt::format("bins of negative bytes: {}", negative), negative);
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

Result<std::shared_ptr<const Table>> Log::State::read_module(const ModuleInfo& info, const TableOptions& options,
                                                             bool read) {
  if (info.status == ModuleStatus::unknown_module)
    return error(ErrorCode::unsupported_version, info.name, "an unknown module: its data is available as bytes only",
                 info.offset);
  if (info.status == ModuleStatus::unknown_version)
    return error(ErrorCode::unsupported_version, info.name,
                 fmt::format("module version {} is not known (newest known: {}): its data is available as bytes only",
                             info.version, info.module->current()),
                 info.offset);
  const Module& module = *info.module;
  if (options.part == Part::header && module.header.empty())
    return error(ErrorCode::invalid_argument, info.name, "this module has no header record");
  bool segments = module.shape == Shape::segments && options.part == Part::rows;

  auto selected = options.columns;
  auto known = column_names(module, options.part);
  for (const auto& c : selected)
    if (std::find(known.begin(), known.end(), c) == known.end() && c != "name_bytes")
      return error(ErrorCode::invalid_argument, info.name,
                   fmt::format("no column \"{}\" in {}; there are {}", c, info.name, list_of(known)));
  if (options.name_bytes) {
    if (selected.empty()) selected = known;
    selected.emplace_back("name_bytes");
  }
  Selection selection(std::move(selected), options.part == Part::rows);

  RowFilter filter = filter_of(options);

  std::vector<Problem> found;
  ProblemSink sink(info.name, info.name, found);
  Buffer region = read ? inflated(info.id, sink) : Buffer{};
  int version = info.length > 0 ? static_cast<int>(info.version) : module.current();
  Decoded decoded = decode(module, version, header.swapped(), region.bytes(), selection, filter, sink);
  std::size_t budget = region.size;
  region = {};
  // What the values tell is told of whole regions only: counts of a part would say something else.
  std::vector<Problem> of_a_part;
  ProblemSink of_values(info.name, info.name, filter.all() ? found : of_a_part);
  if (module.shape == Shape::records || options.part == Part::rows) apply_fixups(decoded.records, of_values);
  std::int64_t rows = decoded.records.rows;
  mark_nulls(decoded.records);
  report_ranks(decoded.records, job, of_values);
  if (&module == &tables::heatmap) report_heatmaps(decoded.records, of_values);

  Table table;
  if (options.part == Part::header) {
    table = record_table(std::move(decoded.header), nullptr, selection);
  } else {
    std::optional<NameColumns> columns;
    std::shared_ptr<const MountedNames> with_names = std::make_shared<const MountedNames>(NameTable(), mounts);
    if (needs_names(selection)) {
      if (read) {
        auto all = read_names();
        if (!all) return all.error();
        with_names = *all;
      }
      columns.emplace(*with_names, mounts, decoded.records.columns[0].values<std::uint64_t>(),
                      text_budget(budget, with_names->bytes()), sink);
    }
    const NameColumns* names_of_rows = columns ? &*columns : nullptr;
    // Moving the records keeps their id buffer alive only through the table: hold it.
    Buffer ids = decoded.records.columns[0].data;
    table = segments ? segment_table(std::move(decoded.records), names_of_rows, selection)
                     : record_table(std::move(decoded.records), names_of_rows, selection);
  }
  if (!read) return std::make_shared<const Table>(std::move(table));
  remember(info.id, found);
  if (filter.all()) {
    std::lock_guard lock(mutex);
    records[info.id] = rows;
  }
  if (auto e = strict_error(info.id, found)) return *e;
  return std::make_shared<const Table>(std::move(table));
}

}  // namespace darrow

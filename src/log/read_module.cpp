/// Reading one module: its records with their names, in the shape of its table.
#include <fmt/format.h>

#include <algorithm>

#include "log/module_reader.hpp"

namespace darrow {
namespace {

using Part = TableOptions::Part;

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
  std::vector<std::string> known;
  if (!selected.empty() || options.name_bytes) known = column_names(*info.module, options.part);
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

Result<std::unique_ptr<ModuleReader>> Log::State::open_module(const ModuleInfo& info, const TableOptions& options,
                                                              Slice batch, bool read) {
  auto selection = selection_of(info, options);
  if (!selection) return selection.error();
  return std::make_unique<ModuleReader>(*this, info, options, std::move(*selection), batch, read);
}

Result<std::int64_t> Log::State::scan_module(const ModuleInfo& info, const TableOptions& options, Slice batch,
                                             const std::function<void(Table&&)>& each, bool read) {
  auto reader = open_module(info, options, batch, read);
  if (!reader) return reader.error();
  for (;;) {
    auto table = (*reader)->next();
    if (!table) return table.error();
    if (!*table) return (*reader)->rows();
    each(std::move(**table));
  }
}

Result<std::shared_ptr<const Table>> Log::State::read_module(const ModuleInfo& info, const TableOptions& options,
                                                             bool read) {
  auto table = std::make_shared<Table>();
  auto whole = scan_module(info, options, Slice{}, [&](Table&& all) { *table = std::move(all); }, read);
  if (!whole) return whole.error();
  return std::shared_ptr<const Table>(std::move(table));
}

Result<std::shared_ptr<const Table>> schema(const Module& module, const TableOptions& options) {
  Log::State nothing;
  ModuleInfo info;
  info.id = module.id;
  info.name = module.name;
  info.module = &module;
  info.version = static_cast<std::uint32_t>(module.current());
  return nothing.read_module(info, options, false);
}

}  // namespace darrow

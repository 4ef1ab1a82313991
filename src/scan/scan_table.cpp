#include "scan/scan_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/invalid_argument.hpp"
#include "scan/log_tables.hpp"

namespace darrow {
namespace {

using Part = TableOptions::Part;

std::vector<ScanTable> make_tables() {
  std::vector<ScanTable> tables;
  for (const Module* m : modules()) tables.push_back({.name = std::string(m->sql_name), .module = m});
  for (const Module* m : modules())
    if (m->shape == Shape::segments)
      tables.push_back({.name = std::string(m->sql_name) + "_records", .module = m, .part = Part::records});
  for (const Module* m : modules())
    if (!m->header.empty())
      tables.push_back({.name = std::string(m->sql_name) + "_header", .module = m, .part = Part::header});
  const std::pair<const char*, LogTable> of_log[] = {
      {"jobs", LogTable::jobs},       {"modules", LogTable::modules},   {"names", LogTable::names},
      {"mounts", LogTable::mounts},   {"metadata", LogTable::metadata}, {"problems", LogTable::problems},
      {"metrics", LogTable::metrics},
  };
  for (const auto& [name, table] : of_log) tables.push_back({.name = name, .of_log = table});
  return tables;
}

Result<Table> all_columns(LogTable table) {
  switch (table) {
    case LogTable::jobs: return jobs_of(nullptr);
    case LogTable::modules: return modules_of(nullptr, true);
    case LogTable::names: return names_of(nullptr, NameFilter(), 0, 0);
    case LogTable::mounts: return mounts_of(nullptr);
    case LogTable::metadata: return metadata_of(nullptr);
    case LogTable::problems: return problems_of(nullptr);
    case LogTable::metrics: break;
  }
  return metrics_of(nullptr, nullptr);
}

}  // namespace

std::span<const ScanTable> scan_tables() {
  static const std::vector<ScanTable> tables = make_tables();
  return tables;
}

const ScanTable* find_scan_table(std::string_view name) {
  for (const auto& t : scan_tables())
    if (t.name == name) return &t;
  return nullptr;
}

Result<std::shared_ptr<const Table>> columns_of(const ScanTable& table,
                                                const std::optional<std::vector<std::string>>& columns) {
  Table all;
  if (table.module) {
    TableOptions options;
    options.part = table.part;
    options.name_bytes = columns && std::ranges::count(*columns, "name_bytes");
    auto schema = darrow::schema(*table.module, options);
    if (!schema) return schema.error();
    all = **schema;
  } else {
    auto of_log = all_columns(table.of_log);
    if (!of_log) return of_log.error();
    all = std::move(*of_log);
  }
  all.name = table.name;
  all.version = 0;
  if (columns) {
    for (const auto& c : *columns)
      if (!all.find(c)) return invalid_argument(table.name, fmt::format("no column \"{}\" in {}", c, table.name));
    std::erase_if(all.columns, [&](const Column& c) { return !std::ranges::count(*columns, c.name); });
  }
  return std::make_shared<const Table>(std::move(all));
}

}  // namespace darrow

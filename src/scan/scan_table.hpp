/// The tables that a scan can have.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "darrow/log.hpp"

namespace darrow {

/// Which rows of a log's names were asked for; none: all.
using NameFilter = std::function<bool(std::uint64_t id, std::string_view shown)>;

/// A table beside the modules, of one log.
enum class LogTable : std::uint8_t { jobs, modules, names, mounts, metadata, problems, metrics };

/// One of the tables of a scan.
struct ScanTable {
  std::string name;
  const Module* module = nullptr;  ///< whose records it holds, if any
  TableOptions::Part part = TableOptions::Part::rows;
  LogTable of_log = LogTable::jobs;  ///< if it has no module
};

/// All of them, in order.
std::span<const ScanTable> all_scan_tables();
/// The one of that name, or null.
const ScanTable* find_scan_table(std::string_view name);
/// Its columns behind `log` and `jobid`: no rows. `columns`: only these, which may be none; nothing: all. Error: invalid_argument.
Result<std::shared_ptr<const Table>> columns_of(const ScanTable& table,
                                                const std::optional<std::vector<std::string>>& columns);

}  // namespace darrow

/// What the tables of a scan are made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/scan.hpp"

namespace darrow {

/// The table of that name, or null.
const ScanTable* find_scan_table(std::string_view name);
/// Its columns behind `log` and `jobid`: no rows. `columns`: only these, which may be none; nothing: all. Error: invalid_argument.
Result<std::shared_ptr<const Table>> columns_of(const ScanTable& table,
                                                const std::optional<std::vector<std::string>>& columns);

}  // namespace darrow

#include "merge/scan.hpp"

#include "write/renumber.hpp"

namespace darrow::merging {

std::optional<Error> scan_all(Logs logs, const Runs& runs, std::string_view module, const TableOptions& options,
                              const std::function<void(std::size_t log, const Table& batch)>& each) {
  for (std::size_t log = 0; log < logs.size(); ++log) {
    const ModuleInfo* info = logs[log]->module(module);
    if (!info || info->length == 0 || info->status != ModuleStatus::readable) continue;
    auto rows = logs[log]->scan(module, options, [&](const Table& batch) {
      if (!runs.several()) return each(log, batch);
      Table numbered = batch;
      renumber_ranks(numbered.columns, [&](std::int64_t rank) { return runs.number(log, rank); });
      each(log, numbered);
    });
    if (!rows) return rows.error();
  }
  return {};
}

}  // namespace darrow::merging

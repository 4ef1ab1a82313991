#include "merge/last_time.hpp"

#include <algorithm>
#include <string>

#include "aggregate/exact_sum.hpp"

namespace darrow::merging {
namespace {

/// The columns of a module's table that hold times since the start.
std::vector<std::string> time_columns(const Module& module) {
  std::vector<std::string> names;
  auto take = [&](std::span<const Field> fields, bool is_column) {
    for (const auto& f : fields)
      if (is_column && f.in(module.current()) && !f.hidden && f.unit == "seconds since start")
        names.emplace_back(f.label());
  };
  take(module.fields, true);
  for (const auto& repeat : module.repeats) take(repeat.fields, module.shape == Shape::segments);
  return names;
}

}  // namespace

Result<std::optional<double>> last_time(const Log& log) {
  std::optional<double> last;
  for (const auto& info : log.modules()) {
    if (info.status != ModuleStatus::readable || info.length == 0) continue;
    TableOptions options;
    options.columns = time_columns(*info.module);
    if (options.columns.empty()) continue;
    auto rows = log.scan(info.name, options, [&](const Table& batch) {
      for (const auto& column : batch.columns)
        for (std::int64_t row = 0; row < batch.rows; ++row) {
          double time = column.values<double>()[static_cast<std::size_t>(row)];
          if (column.valid(row) && is_time(time) && time > 0) last = std::max(last.value_or(0), time);
        }
    });
    if (!rows) return rows.error();
  }
  return last;
}

}  // namespace darrow::merging

#include <fmt/format.h>

#include <algorithm>

#include "base/guarded.hpp"
#include "darrow/diff.hpp"
#include "darrow/summary.hpp"
#include "diff/rules.hpp"

namespace darrow {
namespace {

using namespace diffing;

constexpr std::string_view label = "module";

/// The value of a metric, if it is known.
DiffValue value_of(const Table& layers, std::string_view metric, std::int64_t row) {
  const Column* column = row < 0 ? nullptr : layers.find(metric);
  if (!column || !column->valid(row)) return {};
  auto r = static_cast<std::size_t>(row);
  switch (column->type) {
    case ColumnType::f64: return column->values<double>()[r];
    case ColumnType::i64: return column->values<std::int64_t>()[r];
    default: return std::string(column->text(row));
  }
}

std::int64_t row_of(const Table& layers, std::string_view module) {
  for (std::int64_t row = 0; row < layers.rows; ++row)
    if (layers.find(label)->text(row) == module) return row;
  return -1;
}

bool is_time(const Metric& metric) {
  return metric.unit.find("second") != metric.unit.npos || metric.unit.ends_with("/s");
}

}  // namespace

Result<DiffEnd> diff_metrics(const Log& a, const Log& b, const DiffOptions& options, const DiffOutput& output) {
  return guarded({}, [&]() -> Result<DiffEnd> {
    auto rules = Rules::create(options);
    if (!rules) return rules.error();
    auto left = summarize(a), right = summarize(b);
    if (!left) return left.error();
    if (!right) return right.error();
    std::vector<std::string> modules;
    for (const Table* layers : {left->layers.get(), right->layers.get()})
      for (std::int64_t row = 0; row < layers->rows; ++row)
        if (std::string name(layers->find(label)->text(row)); std::ranges::find(modules, name) == modules.end())
          modules.push_back(std::move(name));
    DiffEnd end;
    for (const auto& module : modules) {
      if (auto* known = find_module(module); known && rules->ignores_module(*known)) continue;
      const auto i = row_of(*left->layers, module), j = row_of(*right->layers, module);
      for (const auto& metric : metrics()) {
        if (metric.table != MetricTable::layers || metric.unit == "rank" || rules->ignores(metric.name)) continue;
        if (rules->ignores_group(times) && is_time(metric)) continue;
        auto x = value_of(*left->layers, metric.name, i), y = value_of(*right->layers, metric.name, j);
        if (rules->near(metric.name, x, y)) continue;
        ++end.differences;
        output.difference({.kind = Difference::Kind::metric,
                           .module = module,
                           .counter = std::string(metric.name),
                           .a = std::move(x),
                           .b = std::move(y)});
      }
    }
    return end;
  });
}

}  // namespace darrow

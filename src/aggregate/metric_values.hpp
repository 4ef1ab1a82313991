/// Metrics with the functions that compute them.
#pragma once

#include <optional>
#include <span>
#include <variant>

#include "darrow/metrics.hpp"

namespace darrow {

/// A number of the metric's type, or null.
using Value = std::variant<std::optional<std::int64_t>, std::optional<double>>;

struct LayerMetric {
  Metric metric;
  Value (*value)(const Facts&);
};
struct CategoryMetric {
  Metric metric;
  Value (*value)(const Facts::Files&);
};

std::span<const LayerMetric> metrics_of_layers();
std::span<const CategoryMetric> metrics_of_categories();

}  // namespace darrow

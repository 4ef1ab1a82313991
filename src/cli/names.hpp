/// Names as people type them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/module.hpp"

namespace darrow::cli {

/// The names of all modules, as listed().
std::string all_modules();

/// "a, b, c".
std::string listed(std::span<const std::string_view> names);
/// Those of `known` that are most like a misspelt name, the best first; none if nothing is near.
std::vector<std::string_view> nearest(std::string_view name, std::span<const std::string_view> known);

}  // namespace darrow::cli

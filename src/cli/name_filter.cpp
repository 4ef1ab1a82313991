#include "cli/name_filter.hpp"

#include <algorithm>

namespace darrow::cli {

bool NameFilter::keeps(std::string_view name) const {
  auto in_name = [name](const Pattern& pattern) { return pattern.in(name); };
  return (find.empty() || std::any_of(find.begin(), find.end(), in_name)) &&
         std::none_of(exclude.begin(), exclude.end(), in_name);
}

}  // namespace darrow::cli

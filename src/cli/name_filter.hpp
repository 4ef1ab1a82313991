/// Which names regular expressions choose.
#pragma once

#include <string_view>
#include <vector>

#include "darrow/pattern.hpp"

namespace darrow::cli {

struct NameFilter {
  std::vector<Pattern> find;     ///< any of these has to be in a name; empty: whatever is
  std::vector<Pattern> exclude;  ///< none of these may

  bool empty() const { return find.empty() && exclude.empty(); }
  bool keeps(std::string_view name) const;
  /// Whether it keeps what has no name.
  bool keeps_nameless() const { return find.empty(); }
};

}  // namespace darrow::cli

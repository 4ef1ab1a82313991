/// Which names regular expressions choose.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/result.hpp"

namespace re2 {
class RE2;
}

namespace darrow::cli {

using Pattern = std::shared_ptr<const re2::RE2>;
/// A pattern in the syntax of RE2, where a dot stands for a line end too. Error: invalid_argument, with RE2's message.
Result<Pattern> compile(const std::string& pattern);

/// Looks for patterns anywhere in names as tables have them: UTF-8, with every other byte written as \xNN.
struct NameFilter {
  std::vector<Pattern> find;     ///< any of these has to be in a name; empty: whatever is
  std::vector<Pattern> exclude;  ///< none of these may

  bool empty() const { return find.empty() && exclude.empty(); }
  bool keeps(std::string_view name) const;
  /// Whether it keeps what has no name.
  bool keeps_nameless() const { return find.empty(); }
};

}  // namespace darrow::cli

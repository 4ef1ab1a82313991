/// Which of several patterns are in a name.
#pragma once

#include <re2/set.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "darrow/pattern.hpp"

namespace darrow {

class PatternSet {
 public:
  explicit PatternSet(const std::vector<Pattern>& patterns);
  /// Their positions, in ascending order.
  std::vector<int> in(std::string_view name) const;

 private:
  std::vector<Pattern> patterns_;
  re2::RE2::Set set_;
  bool compiled_ = true;
};

}  // namespace darrow

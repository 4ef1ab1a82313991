#include "cli/name_filter.hpp"

#include <re2/re2.h>

#include <algorithm>

#include "cli/logs.hpp"

namespace darrow::cli {

Result<Pattern> compile(const std::string& pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(true);
  auto compiled = std::make_shared<const re2::RE2>(pattern, options);
  if (!compiled->ok()) return plain_error(ErrorCode::invalid_argument, compiled->error());
  return Pattern(std::move(compiled));
}

bool NameFilter::keeps(std::string_view name) const {
  auto in_name = [name](const Pattern& pattern) {
    return re2::RE2::PartialMatch({name.data(), name.size()}, *pattern);
  };
  return (find.empty() || std::any_of(find.begin(), find.end(), in_name)) &&
         std::none_of(exclude.begin(), exclude.end(), in_name);
}

}  // namespace darrow::cli

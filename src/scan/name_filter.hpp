/// Which records were asked for by their ids and names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/log.hpp"
#include "darrow/pattern.hpp"

namespace darrow {

/// One rule for records and for the table of names.
class NameFilter {
 public:
  using Ids = std::optional<std::vector<std::uint64_t>>;

  /// Takes all.
  NameFilter() = default;
  NameFilter(Ids ids, std::optional<Pattern> pattern, std::optional<std::vector<std::string>> names);

  /// Whether a name was asked for: its id, and the name as tables show it.
  bool takes(std::uint64_t id, std::string_view shown) const;
  /// Whether names matter: then records without one are left out.
  bool by_name() const { return pattern_ || names_; }
  /// The ids of a log's records that were asked for; none where there are no conditions. Errors: Log::names(), if names matter.
  Result<Ids> ids_of(const Log& log) const;

 private:
  Ids ids_;  ///< sorted
  std::optional<Pattern> pattern_;
  std::optional<std::vector<std::string>> names_;  ///< sorted
};

}  // namespace darrow

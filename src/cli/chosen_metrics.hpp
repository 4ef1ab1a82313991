/// What `--metric` chose.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/result.hpp"
#include "darrow/summary.hpp"

namespace darrow::cli {

/// The tables of a summary that can be chosen, in the order in which they are told.
enum class Part : std::uint8_t { layers, categories, access_sizes, common_accesses, mounts };
inline constexpr std::array parts = {Part::layers, Part::categories, Part::access_sizes, Part::common_accesses,
                                     Part::mounts};
std::string_view to_string(Part);
const Table& part_of(const Summary& summary, Part part);
/// The columns of that table, those before the metrics first.
std::vector<std::string_view> columns_of(Part part);
/// The metric that a column of the table holds, or null.
const Metric* metric_of(Part part, std::string_view column);

/// A choice of metrics; everything if nothing was chosen.
class ChosenMetrics {
 public:
  /// Names of metrics of modules, or of tables for all of theirs.
  /// Error: invalid_argument if there is no such name; it tells what may be meant.
  static Result<ChosenMetrics> parse(const std::vector<std::string>& names);

  bool everything() const { return everything_; }
  bool has(Part part) const { return everything_ || has_[static_cast<std::size_t>(part)]; }
  /// The tables of which something was chosen.
  std::vector<Part> tables() const;
  /// The chosen columns of a table: `module`, the metrics in their order, and of layers `partial` and `damaged`.
  std::vector<std::string_view> columns(Part part) const;

 private:
  bool everything_ = true;
  std::array<bool, parts.size()> has_{};
  std::vector<std::string_view> of_layers_;  ///< empty: all
};

}  // namespace darrow::cli

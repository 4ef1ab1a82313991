/// Heat maps of different lengths as darshan-util takes them.
#pragma once

#include <cstdint>
#include <optional>

#include "darrow/table.hpp"

namespace darrow::util_text {

/// Records of some releases have one bin more or less than others. darshan-util's reader makes them as long as the first record,
/// if they have its width: it leaves out the last bins, or adds bins of 0, and then it shifts those of reads (A4).
class HeatmapRepair {
 public:
  /// A table of HEATMAP; the tables of a log have to come in order.
  Table repaired(const Table& table);

 private:
  struct First {
    double width;
    std::int64_t bins;
  };
  std::optional<First> first_;
};

}  // namespace darrow::util_text

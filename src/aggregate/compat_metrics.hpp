/// The derived metrics of compatible mode: times by rank, bytes by file.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "aggregate/compat_columns.hpp"
#include "base/id_index.hpp"
#include "darrow/compat.hpp"

namespace darrow::compat {

class Metrics {
 public:
  Metrics(const Module& module, std::int64_t nprocs) : module_(module), nprocs_(nprocs) {}

  /// REQUIRES: no rank >= nprocs.
  void add(const Columns& records);
  CompatMetrics result() const;

 private:
  struct RankTimes {
    double all = 0, read_write = 0, meta = 0;
  };
  struct File {
    std::int64_t read = 0, written = 0;
    std::int64_t max_offset = 0;  ///< −1: the module tells none
    std::int64_t nprocs = 0;      ///< −1: shared
  };
  void add_times(const Columns&);
  void add_files(const Columns&);
  void add_to(CompatCategory&, const File&) const;

  const Module& module_;
  std::int64_t nprocs_, total_bytes_ = 0;
  double shared_time_ = 0;
  std::unordered_map<std::int64_t, RankTimes, IdHash> ranks_;
  IdIndex ids_;
  std::vector<File> files_;  ///< by position in ids_: in the order of their first records
};

}  // namespace darrow::compat

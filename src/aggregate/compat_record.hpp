/// The aggregate record of compatible mode.
#pragma once

#include <cstdint>
#include <vector>

#include "aggregate/compat_columns.hpp"
#include "darrow/table.hpp"

namespace darrow::compat {

/// All 0 until records are added. Fields fold on their own, by column; only groups look at several of them.
class AggregateRecord {
 public:
  explicit AggregateRecord(const Module& module);

  void add(const Columns& records);
  std::int64_t records() const { return records_; }
  /// Whether the integers of the records equal those of the aggregate, or of the first of them (Fold::first_only).
  bool agrees(const Columns& records) const;
  Table table() const;

 private:
  /// A running population variance.
  struct Variance {
    double mean = 0, squares = 0;
    double add(double value, double n);
  };

  void add_identity(const Columns&);
  void add_field(std::size_t field, const Columns&);
  void take(std::size_t field, const Columns&, std::size_t row);
  void add_max_with(const Group&, const Columns&);
  void add_extreme(const Group&, const Columns&);
  void add_variance(const Group&, const Columns&);
  void add_common_values(const Group&, const Columns&);
  void add_list(std::size_t repeat, const Columns&);
  /// What decides on the fastest and slowest ranks: bytes and time of one record.
  std::int64_t own_bytes(const Columns&, std::size_t row) const;
  double own_time(const Columns&, std::size_t row) const;
  std::size_t member(const Group& g, std::size_t i) const;

  const Module& module_;
  std::int64_t records_ = 0;
  std::uint64_t id_ = 0;
  std::int64_t rank_ = 0;
  std::vector<std::int64_t> ints_;                ///< by field
  std::vector<double> floats_;                    ///< by field
  std::vector<std::vector<std::int64_t>> lists_;  ///< by repeat
  Variance time_variance_, bytes_variance_;
  std::vector<bool> same_file_;  ///< of each row that is being added: the aggregate had its id
};

}  // namespace darrow::compat

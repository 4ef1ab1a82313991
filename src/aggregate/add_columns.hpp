/// Adding up a column of times.
#pragma once

#include "aggregate/exact_sum.hpp"
#include "aggregate/rows.hpp"

namespace darrow {

/// A sum of times and of how many.
struct CountedTime {
  TimeSum sum;
  std::int64_t terms = 0;
  std::optional<double> value() const { return terms ? std::optional(sum.value()) : std::nullopt; }
  void merge(const CountedTime& other) {
    sum.add(other.sum);
    terms += other.terms;
  }
};

/// Adds times to sum_at(group), a CountedTime. Returns how many were left out: those that are no times.
template <typename SumAt>
std::int64_t add_times(const Column& column, const Rows& rows, SumAt sum_at) {
  if (rows.groups.empty() && column.null_count == 0 && rows.count) {  // the usual case, fast
    CountedTime& sum = sum_at(rows.only);
    if (column.all_zero || sum.sum.add_all(column.values<double>())) {
      sum.terms += column.length;
      return 0;
    }
  }
  std::int64_t rejected = 0;
  each_value<double>(column, rows, [&](std::size_t, std::size_t group, double value) {
    if (!is_time(value)) {
      ++rejected;
      return;
    }
    CountedTime& sum = sum_at(group);
    if (value != 0) sum.sum.add(value);
    ++sum.terms;
  });
  return rejected;
}

}  // namespace darrow

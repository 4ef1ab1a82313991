/// The loops that add up a column: most of an aggregation's time.
#pragma once

#include "aggregate/exact_sum.hpp"
#include "aggregate/rows.hpp"

namespace darrow {

/// Adds counts to sum_at(group), a CountSum. Returns how many were left out: negative ones.
template <typename SumAt>
std::int64_t add_counts(const Column& column, const Rows& rows, SumAt sum_at) {
  auto values = column.values<std::int64_t>();
  if (all_zero_of_one_group(column, rows)) {
    sum_at(rows.only).add(0, column.length);
    return 0;
  }
  if (rows.groups.empty() && column.null_count == 0) {
    // The usual case, fast: no groups, nothing negative, nothing near the end of 64 bits.
    std::uint64_t sum = 0, bits = 0;
    for (auto value : values) {
      sum += static_cast<std::uint64_t>(value);
      bits |= static_cast<std::uint64_t>(value);
    }
    if (bits >> 40 == 0 && values.size() >> 22 == 0) {
      if (!values.empty())
        sum_at(rows.only).add(static_cast<std::int64_t>(sum), static_cast<std::int64_t>(values.size()));
      return 0;
    }
  }
  std::int64_t rejected = 0;
  each_value<std::int64_t>(column, rows, [&](std::size_t, std::size_t group, std::int64_t value) {
    if (value < 0) ++rejected;
    else sum_at(group).add(value);
  });
  return rejected;
}

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

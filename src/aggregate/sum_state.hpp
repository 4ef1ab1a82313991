/// Sums as parts of a state.
#pragma once

#include "aggregate/add_columns.hpp"
#include "aggregate/state.hpp"

namespace darrow {

inline void put(StateWriter& state, const CountSum& sum) {
  state.put(sum.sum);
  state.put(sum.terms);
  state.put(static_cast<std::uint8_t>(sum.overflow));
}
/// `most`: terms that it can have.
inline void get(StateReader& state, CountSum& sum, std::int64_t most) {
  sum.sum = state.get<std::int64_t>();
  sum.terms = state.get_terms(most);
  sum.overflow = state.get_bool();
  if (sum.sum < 0 && !sum.overflow) state.fail();
}
inline constexpr std::size_t count_sum_bytes = 17;

inline void put(StateWriter& state, const CountedTime& time) {
  state.put(time.sum.words());
  state.put(time.terms);
}
inline void get(StateReader& state, CountedTime& time, std::int64_t most) {
  time.sum.words() = state.get<std::array<std::uint64_t, 4>>();
  time.terms = state.get_terms(most);
}
inline constexpr std::size_t counted_time_bytes = 40;

}  // namespace darrow

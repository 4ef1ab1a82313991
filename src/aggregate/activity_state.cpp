// An Activity as bytes.
#include "aggregate/activity_state.hpp"
#include "aggregate/sum_state.hpp"
#include "base/invalid_argument.hpp"

namespace darrow {
namespace {

constexpr std::string_view activity_mark = "darrow activity 3";

}  // namespace

std::vector<std::byte> Activity::state() const {
  const State& s = *state_;
  StateWriter state;
  state.put(activity_mark);
  state.put(s.nprocs);
  state.put(s.records);
  state.put(static_cast<std::uint64_t>(s.groups.size()));
  for (const auto& group : s.groups) {
    state.put(group.records);
    for (const auto& time : group.times) put(state, time);
    for (bool shared : group.shared) state.put(static_cast<std::uint8_t>(shared));
    state.put(group.rank_records);
    state.put(group.shared_records);
    state.put(group.rank_times);
    state.put(group.present);
    state.put(group.lacking);
  }
  state_->each_counts([&](const ActivityCounts& c) {
    for (std::size_t g = 0; g < c.any.size(); ++g) {
      c.sums.write(state, g);
      state.put(c.any[g]);
    }
  });
  s.files.write(state);
  s.common.write(state);
  return std::move(state).finish();
}

Result<Activity> Activity::from_state(std::span<const std::byte> bytes) {
  StateReader state(bytes);
  if (state.get_text() != activity_mark)
    return invalid_argument({}, "not the state of an activity, or of another version of Darrow");
  Activity activity(state.get<std::int64_t>());
  State& s = *activity.state_;
  s.records = state.get_terms(most_records);
  s.resize(
      state.get_count(std::size(time_roles) * counted_time_bytes + 2 * size_buckets * (CountSums::state_bytes + 1)));
  for (auto& group : s.groups) {
    group.records = state.get_terms(s.records);
    for (auto& time : group.times) get(state, time, most_terms);
    for (auto& shared : group.shared) shared = state.get_bool();
    group.rank_records = state.get_terms(group.records);
    group.shared_records = state.get_terms(group.records);
    group.rank_times = state.get_terms(most_terms);
    group.present = state.get<RoleSet>();
    group.lacking = state.get<RoleSet>();
  }
  s.each_counts([&](ActivityCounts& c) {
    for (std::size_t g = 0; g < c.any.size() && state.ok(); ++g) {
      c.sums.read(state, g);
      c.any[g] = state.get_bool();
    }
  });
  s.files.read(state, s.groups.size());
  s.common.read(state, s.groups.size());
  if (!state.done()) return invalid_argument({}, "damaged state of an activity");
  return activity;
}

}  // namespace darrow

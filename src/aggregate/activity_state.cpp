// An Activity as bytes.
#include "aggregate/activity_state.hpp"
#include "base/invalid_argument.hpp"

namespace darrow {
namespace {

constexpr std::string_view activity_mark = "darrow activity 4";

}  // namespace

std::vector<std::byte> Activity::state() const {
  const State& s = *state_;
  StateWriter state;
  state.put(activity_mark);
  state.put(s.nprocs);
  state.put(s.records);
  state.put(static_cast<std::uint64_t>(s.groups.size()));
  for (std::size_t g = 0; g < s.groups.size(); ++g) {
    const auto& group = s.groups[g];
    state.put(group.records);
    state.put(group.present);
    state.put(group.lacking);
    state.put(group.timed);
    state.put(group.shared);
    for (bool flag : {group.rank_records, group.shared_records, group.ranks_timed})
      state.put(static_cast<std::uint8_t>(flag));
    for (const auto& times : s.rest) state.put(times.exact(g).words());
  }
  RoleCounts::each(s.counts, [&](const KnownCounts& counts) { counts.write(state); });
  s.ranks.write(state);
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
  s.resize(state.get_count(std::size(time_roles) * sizeof(TimeSum) + 2 * size_buckets * KnownCounts::state_bytes));
  for (std::size_t g = 0; g < s.groups.size() && state.ok(); ++g) {
    auto& group = s.groups[g];
    group.records = state.get_terms(s.records);
    group.present = state.get<RoleSet>();
    group.lacking = state.get<RoleSet>();
    group.timed = state.get<std::uint8_t>();
    group.shared = state.get<std::uint8_t>();
    for (bool* flag : {&group.rank_records, &group.shared_records, &group.ranks_timed}) *flag = state.get_bool();
    for (auto& times : s.rest) {
      TimeSum sum;
      sum.words() = state.get<std::array<std::uint64_t, 4>>();
      times.add(g, sum);
    }
  }
  RoleCounts::each(s.counts, [&](KnownCounts& counts) { counts.read(state); });
  s.ranks.read(state, s.groups.size());
  s.files.read(state, s.groups.size(), s.ranks);
  s.common.read(state, s.groups.size());
  if (!state.done()) return invalid_argument({}, "damaged state of an activity");
  return activity;
}

}  // namespace darrow

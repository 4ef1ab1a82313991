// An Activity as bytes.
#include "aggregate/activity_state.hpp"

namespace darrow {
namespace {

constexpr std::string_view state_mark = "darrow activity 2";

void write_count(StateWriter& state, const CountSum& sum) {
  state.put(sum.sum);
  state.put(sum.terms);
  state.put(static_cast<std::uint8_t>(sum.overflow));
}
void read_count(StateReader& state, CountSum& sum) {
  sum.sum = state.get<std::int64_t>();
  sum.terms = state.get<std::int64_t>();
  sum.overflow = state.get_bool();
  if ((sum.sum < 0 && !sum.overflow) || sum.terms < 0) state.fail();
}

Error invalid(std::string message) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(message), .file = {}, .region = {}, .offset = {}};
}

}  // namespace

std::vector<std::byte> Activity::state() const {
  const State& s = *state_;
  StateWriter state;
  state.put(state_mark);
  state.put(s.nprocs);
  state.put(s.records);
  state.put(static_cast<std::uint64_t>(s.groups.size()));
  for (const auto& group : s.groups) {
    state.put(group.records);
    for (const auto& sum : group.counts) write_count(state, sum);
    for (const auto& time : group.times) {
      state.put(time.sum.words());
      state.put(time.terms);
    }
    for (const auto& sum : group.read_sizes) write_count(state, sum);
    for (const auto& sum : group.write_sizes) write_count(state, sum);
    for (bool shared : group.shared) state.put(static_cast<std::uint8_t>(shared));
    state.put(group.rank_records);
    state.put(group.shared_records);
    state.put(group.rank_times);
    state.put(group.present);
    state.put(group.lacking);
  }
  s.files.write(state);
  s.common.write(state);
  return std::move(state).finish();
}

Result<Activity> Activity::from_state(std::span<const std::byte> bytes) {
  StateReader state(bytes);
  if (state.get_text() != state_mark) return invalid("not the state of an activity, or of another version of Darrow");
  Activity activity(state.get<std::int64_t>());
  State& s = *activity.state_;
  s.records = state.get<std::int64_t>();
  s.resize(state.get_count(role_count * (17 + 40) + 2 * size_buckets * 17));
  for (auto& group : s.groups) {
    group.records = state.get<std::int64_t>();
    for (auto& sum : group.counts) read_count(state, sum);
    for (auto& time : group.times) {
      time.sum.words() = state.get<std::array<std::uint64_t, 4>>();
      time.terms = state.get<std::int64_t>();
    }
    for (auto& sum : group.read_sizes) read_count(state, sum);
    for (auto& sum : group.write_sizes) read_count(state, sum);
    for (auto& shared : group.shared) shared = state.get_bool();
    group.rank_records = state.get<std::int64_t>();
    group.shared_records = state.get<std::int64_t>();
    group.rank_times = state.get<std::int64_t>();
    group.present = state.get<RoleSet>();
    group.lacking = state.get<RoleSet>();
  }
  s.files.read(state, s.groups.size());
  s.common.read(state, s.groups.size());
  if (!state.done() || s.records < 0) return invalid("damaged state of an activity");
  return activity;
}

}  // namespace darrow

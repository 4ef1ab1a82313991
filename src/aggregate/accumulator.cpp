#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "aggregate/outcome.hpp"
#include "aggregate/reducer.hpp"
#include "base/invalid_argument.hpp"
#include "base/problem_sink.hpp"
#include "darrow/aggregate.hpp"

namespace darrow {
namespace {

/// The first words of a state: what it is, and in which form.
constexpr std::string_view accumulator_mark = "darrow accumulator 3";

/// A number for the fields of a module and their rules: states of other tables are refused.
std::uint64_t fingerprint(const Module& module) {
  std::uint64_t hash = 1469598103934665603u;
  auto mix = [&](std::string_view text) {
    for (unsigned char c : text) hash = (hash ^ c) * 1099511628211u;
  };
  for (const auto& f : module.fields) {
    mix(f.name);
    mix(to_string(f.rule));
  }
  return hash;
}

bool is_aggregated(const Field& field, const Module& module) {
  return field.in(module.current()) && !field.hidden && field.rule != Rule::none;
}

/// Group numbers that leave groups as they are.
std::vector<std::uint32_t> same_groups(std::size_t groups) {
  std::vector<std::uint32_t> numbers(groups);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

}  // namespace

std::vector<std::unique_ptr<Reducer>> make_reducers(const Module& module) {
  std::vector<std::unique_ptr<Reducer>> reducers;
  for (std::size_t i = 0; i < module.fields.size(); ++i) {
    const Field& f = module.fields[i];
    if (!is_aggregated(f, module)) continue;
    switch (f.rule) {
      case Rule::sum: reducers.push_back(f.type == Type::f64 ? time_sum(module, i) : count_sum(module, i)); break;
      case Rule::max:
      case Rule::min:
      case Rule::start:
      case Rule::end:
      case Rule::flag: reducers.push_back(extreme(module, i)); break;
      case Rule::same: reducers.push_back(same_value(module, i)); break;
      case Rule::none:  // the rest by their groups
      case Rule::with_max:
      case Rule::fastest:
      case Rule::slowest:
      case Rule::variance:
      case Rule::top: break;
    }
  }
  for (const auto& group : module.groups) switch (group.kind) {
      case GroupKind::max_with: reducers.push_back(max_with(module, group)); break;
      case GroupKind::fastest:
      case GroupKind::slowest: reducers.push_back(rank_extreme(module, group)); break;
      case GroupKind::variance: reducers.push_back(rank_variance(module, group)); break;
      case GroupKind::top: reducers.push_back(common_values(module, group)); break;
    }
  for (const auto& repeat : module.repeats)
    if (repeat.in(module.current()) && repeat.fields.size() == 1 && repeat.fields[0].rule == Rule::sum)
      reducers.push_back(list_sum(module, repeat));
  return reducers;
}

Outcome::Outcome(const Groups& groups, std::size_t fields) : values(fields), missing(fields) {
  none_empty = true;
  for (std::size_t g = 0; g < groups.size(); ++g) none_empty &= groups.records(g) > 0;
  NewBuffer bytes(groups.size() * sizeof(std::int64_t));
  std::memset(bytes.data, 0, bytes.size);
  zeros = bytes.buffer();
}

struct Accumulator::State {
  explicit State(const Module& m) : module(&m), reducers(make_reducers(m)) {}
  const Module* module;
  std::int64_t records = 0;
  Groups groups;
  std::vector<std::unique_ptr<Reducer>> reducers;

  /// Without the memory for it there are as many groups as before.
  void resize(std::size_t count) {
    std::size_t before = groups.size();
    if (count <= before) return;
    try {
      for (auto& r : reducers) r->resize(count);
      groups.resize(count);
    } catch (...) {
      for (auto& r : reducers) r->resize(before);
      throw;
    }
  }
  /// `first`: records seen before those of `other`.
  void merge(const State& other, std::span<const std::uint32_t> into, std::int64_t first) {
    resize(groups_for(into));
    groups.merge(other.groups, into);
    for (std::size_t i = 0; i < reducers.size(); ++i) {
      reducers[i]->merge(*other.reducers[i], into, first);
      reducers[i]->rejected += other.reducers[i]->rejected;
    }
  }
  static std::size_t group_bytes(const Module& module);
  Outcome finish() const {
    Outcome outcome(groups, module->fields.size());
    for (const auto& r : reducers) r->finish(groups, outcome);
    return outcome;
  }
  template <typename T, typename Get>
  Column per_group(std::string name, Get get) const {
    std::vector<std::optional<T>> values;
    for (std::size_t g = 0; g < groups.size(); ++g) values.push_back(get(g));
    return value_column<T>(std::move(name), values);
  }
};

Accumulator::Accumulator(std::unique_ptr<State> state) : state_(std::move(state)) {}
Accumulator::Accumulator(Accumulator&&) noexcept = default;
Accumulator& Accumulator::operator=(Accumulator&&) noexcept = default;
Accumulator::~Accumulator() = default;

Result<Accumulator> Accumulator::create(const Module& module) {
  if (!module.instead.empty())
    return invalid_argument(module.name,
                            fmt::format("records of {} do not combine into one: {}", module.name, module.instead));
  return Accumulator(std::make_unique<State>(module));
}

const Module& Accumulator::module() const { return *state_->module; }
std::int64_t Accumulator::groups() const { return static_cast<std::int64_t>(state_->groups.size()); }
std::int64_t Accumulator::records() const { return state_->records; }

std::vector<std::string> Accumulator::columns(const Module& module) {
  std::vector<std::string> names{"id", "rank"};
  for (const auto& f : module.fields)
    if (f.in(module.current()) && !f.hidden) names.emplace_back(f.label());
  for (const auto& r : module.repeats)
    if (r.in(module.current()) && r.fields.size() == 1) names.emplace_back(r.fields[0].label());
  return names;
}

Result<std::int64_t> Accumulator::add(const Table& table, std::span<const std::uint32_t> groups) {
  const Module& module = *state_->module;
  if (table.module != &module)
    return invalid_argument(module.name,
                            fmt::format("a table of {} given where {} is added up", table.name, module.name));
  if (!groups.empty() && groups.size() != static_cast<std::size_t>(table.rows))
    return invalid_argument(module.name, fmt::format("{} groups given for {} rows", groups.size(), table.rows));
  std::size_t count = groups.empty() ? 1 : groups_for(groups);
  if (count > most_groups) return invalid_argument(module.name, too_many_groups(count));
  Rows rows = rows_of(table, module, groups, state_->records);
  std::string lacks;
  if (!rows.id) lacks = "id";
  else if (!rows.rank) lacks = "rank";
  for (std::size_t i = 0; i < module.fields.size(); ++i)
    if (lacks.empty() && is_aggregated(module.fields[i], module) && !rows.columns[i]) lacks = module.fields[i].label();
  for (std::size_t i = 0; i < module.repeats.size(); ++i)
    if (lacks.empty() && module.repeats[i].fields[0].rule == Rule::sum && !rows.lists[i])
      lacks = module.repeats[i].fields[0].label();
  if (!lacks.empty())
    return invalid_argument(module.name, fmt::format("the table lacks column {}, which aggregation needs", lacks));

  state_->resize(count);
  state_->groups.add(rows);
  for (auto& r : state_->reducers) r->add(rows, state_->groups);
  state_->records += table.rows;
  return table.rows;
}

Result<std::int64_t> Accumulator::merge(const Accumulator& other, std::span<const std::uint32_t> into) {
  if (other.state_->module != state_->module)
    return invalid_argument(module().name, fmt::format("an accumulator of {} cannot be merged", other.module().name));
  if (&other == this) return invalid_argument(module().name, "an accumulator cannot be merged with itself");
  if (!into.empty() && into.size() != other.state_->groups.size())
    return invalid_argument(module().name, fmt::format("{} groups given for {}", into.size(), other.groups()));
  auto numbers = into.empty() ? same_groups(other.state_->groups.size()) : std::vector(into.begin(), into.end());
  std::size_t count = groups_for(numbers);
  if (count > most_groups) return invalid_argument(module().name, too_many_groups(count));
  state_->merge(*other.state_, numbers, state_->records);
  state_->records += other.state_->records;
  return other.state_->records;
}

Accumulator Accumulator::regrouped(std::span<const std::vector<std::uint32_t>> rounds) const {
  Accumulator other(std::make_unique<State>(module()));
  for (const auto& round : rounds) other.state_->merge(*state_, round, 0);
  other.state_->records = state_->records;
  return other;
}

std::vector<std::byte> Accumulator::state() const {
  StateWriter state;
  state.put(accumulator_mark);
  state.put(state_->module->name);
  state.put(fingerprint(*state_->module));
  state.put(state_->records);
  state.put(static_cast<std::uint64_t>(state_->groups.size()));
  state_->groups.write(state);
  for (const auto& r : state_->reducers) {
    state.put(r->rejected);
    r->write(state);
  }
  return std::move(state).finish();
}

/// Bytes of a group in a state, at least.
std::size_t Accumulator::State::group_bytes(const Module& module) {
  Accumulator empty(std::make_unique<State>(module)), one(std::make_unique<State>(module));
  one.state_->resize(1);
  return one.state().size() - empty.state().size();
}

Result<Accumulator> Accumulator::from_state(std::span<const std::byte> bytes) {
  auto wrong = [](std::string message) { return invalid_argument({}, std::move(message)); };
  StateReader state(bytes);
  if (state.get_text() != accumulator_mark)
    return wrong("not the state of an accumulator, or of another version of Darrow");
  std::string name(state.get_text());
  const Module* module = find_module(name);
  if (!module || !module->instead.empty())
    return wrong(fmt::format("state of \"{}\", which is no module that aggregates", name));
  if (state.get<std::uint64_t>() != fingerprint(*module))
    return wrong(fmt::format("state of another layout of {}: it was made by another version of Darrow", name));
  Accumulator accumulator(std::make_unique<State>(*module));
  auto& s = *accumulator.state_;
  s.records = state.get_terms(most_records);
  s.resize(state.get_count(State::group_bytes(*module)));
  s.groups.read(state);
  for (auto& r : s.reducers) {
    r->rejected = state.get_terms(most_terms);
    r->read(state, s.groups);
  }
  if (!state.done()) return wrong(fmt::format("damaged state of an accumulator of {}", name));
  return accumulator;
}

std::shared_ptr<const Table> Accumulator::table() const { return tables().first; }
std::shared_ptr<const Table> Accumulator::missing() const { return tables().second; }

std::pair<std::shared_ptr<const Table>, std::shared_ptr<const Table>> Accumulator::tables() const {
  const Module& module = *state_->module;
  Outcome outcome = state_->finish();
  auto table = std::make_shared<Table>();
  table->name = module.name;
  table->module = &module;
  table->version = module.current();
  table->rows = groups();
  const Groups& groups = state_->groups;
  table->columns.push_back(state_->per_group<std::uint64_t>("id", [&](std::size_t g) { return groups.id(g); }));
  table->columns.back().field = &id_field;
  table->columns.push_back(state_->per_group<std::int64_t>("rank", [&](std::size_t g) { return groups.rank(g); }));
  table->columns.back().field = &rank_field;
  table->columns.push_back(
      state_->per_group<std::int64_t>("records", [&](std::size_t g) { return std::optional(groups.records(g)); }));
  auto missing = std::make_shared<Table>();
  missing->name = module.name;
  missing->rows = table->rows;
  const Column nowhere =
      state_->per_group<std::int64_t>({}, [](std::size_t) { return std::optional<std::int64_t>(0); });
  for (std::size_t i = 0; i < outcome.values.size(); ++i) {
    if (!outcome.values[i]) continue;
    const auto& counts = outcome.missing[i];
    missing->columns.push_back(counts.empty() ? nowhere : state_->per_group<std::int64_t>({}, [&](std::size_t g) {
      return std::optional(counts[g]);
    }));
    missing->columns.back().name = module.fields[i].label();
    table->columns.push_back(std::move(*outcome.values[i]));
  }
  for (auto& column : outcome.lists) table->columns.push_back(std::move(column));
  return {std::move(table), std::move(missing)};
}

std::vector<Problem> Accumulator::problems() const {
  std::vector<Problem> found;
  ProblemSink sink(std::string(module().name), std::string(module().name), found);
  auto report = [&](ProblemKind kind, std::string_view what, auto count_of) {
    std::string where;
    std::int64_t total = 0;
    for (const auto& r : state_->reducers) {
      std::int64_t count = count_of(*r);
      if (count == 0) continue;
      total += count;
      where += fmt::format("{}{} {}", where.empty() ? "" : ", ", r->field().label(), count);
    }
    if (total) sink.add(kind, fmt::format("{}: {} ({})", what, total, where), total);
  };
  report(ProblemKind::value_negative, "negative or absurd values left out of the aggregate",
         [](const Reducer& r) { return r.rejected; });
  report(ProblemKind::sum_overflow, "sums that do not fit 64 bits", [](const Reducer& r) { return r.overflows(); });
  return found;
}

}  // namespace darrow

#include "darrow/record_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "aggregate/key_table.hpp"
#include "aggregate/with_keys.hpp"
#include "base/invalid_argument.hpp"

namespace darrow {

struct RecordSums::State {
  State(Accumulator sums, Grouping by) : records(std::move(sums)), grouping(std::move(by)) {}
  bool grouped = false;
  /// Where groups begin: where patterns may overlap, group 0 takes what is left out.
  std::uint32_t first = 0;
  Accumulator records;
  Grouping grouping;  ///< of no log
  KeyTable keys;      ///< of the groups of all logs, without that one

  std::vector<std::uint32_t> number(const Table& told);

  Result<std::int64_t> add_group(const Log& log, std::string_view module, const TableOptions& rows);
  Result<std::int64_t> add_groups(const Log& log, std::string_view module, TableOptions rows);
};

RecordSums::RecordSums(std::unique_ptr<State> state) : state_(std::move(state)) {}
RecordSums::RecordSums(RecordSums&&) noexcept = default;
RecordSums& RecordSums::operator=(RecordSums&&) noexcept = default;
RecordSums::~RecordSums() = default;

Result<RecordSums> RecordSums::create(std::string_view name, std::vector<GroupKey> keys,
                                      std::vector<NamedPattern> patterns) {
  const Module* module = find_module(name);
  if (!module) return invalid_argument("", fmt::format("no module is called \"{}\"", name));
  auto records = Accumulator::create(*module);
  if (!records) return records.error();
  bool grouped = !keys.empty() || !patterns.empty(), overlap = !patterns.empty();
  auto state = std::make_unique<State>(std::move(*records), Grouping(std::move(keys), std::move(patterns)));
  if (auto error = state->grouping.check()) return *error;
  state->grouped = grouped;
  state->first = overlap;
  return RecordSums(std::move(state));
}

/// The group of each row of keys.
std::vector<std::uint32_t> RecordSums::State::number(const Table& told) {
  auto groups = keys.number(told);
  for (auto& group : groups) group += first;
  return groups;
}

/// All records of a log as those of the only group.
Result<std::int64_t> RecordSums::State::add_group(const Log& log, std::string_view module, const TableOptions& rows) {
  auto own = Accumulator::create(records.module());
  if (!own) return own.error();
  std::optional<Error> failure;
  auto scanned = log.scan(module, rows, [&](const Table& batch) {
    if (failure) return;
    if (auto added = own->add(batch); !added) failure = added.error();
  });
  if (!scanned) return scanned.error();
  if (failure) return *failure;
  return records.merge(*own);
}

/// The groups of a log find their places among those of the logs before.
Result<std::int64_t> RecordSums::State::add_groups(const Log& log, std::string_view module, TableOptions rows) {
  auto own = Accumulator::create(records.module());
  if (!own) return own.error();
  Grouping::OfLog known{.path = log.path(), .job = log.job()};
  if (auto columns = grouping.columns(); std::ranges::find(columns, "name") != columns.end()) {
    auto names = log.names();
    if (!names) return names.error();
    known.names = *names;
  }
  if (grouping.has(GroupKey::Kind::host)) {
    auto hosts = log.hosts();
    if (!hosts) return hosts.error();
    known.hosts = std::make_shared<const Hosts>(std::move(*hosts));
  }
  Grouping numbers = grouping.of_log(known);
  for (auto& column : numbers.columns()) rows.columns.push_back(std::move(column));
  std::optional<Error> failure;
  auto scanned = log.scan(module, rows, [&](const Table& batch) {
    if (failure || batch.rows == 0) return;
    auto groups = numbers.number(batch);
    auto added = groups ? own->add(batch, *groups) : groups.error();
    if (!added) failure = added.error();
  });
  if (!scanned) return scanned.error();
  if (failure) return *failure;

  auto groups = numbers.groups();
  auto rounds = groups.rounds();
  for (auto& round : rounds) round.resize(static_cast<std::size_t>(own->groups()));
  auto into = number(groups.keys());
  if (rounds.empty()) return records.merge(*own, into);
  Accumulator overlapping = own->regrouped(rounds);
  into.resize(static_cast<std::size_t>(overlapping.groups()), 0);
  return records.merge(overlapping, into);
}

Result<std::int64_t> RecordSums::add(const Log& log, const TableOptions& rows) {
  const ModuleInfo* info = log.module(state_->records.module().name);
  if (!info || info->length == 0) return std::int64_t{0};
  TableOptions options = rows;
  options.columns = Accumulator::columns(state_->records.module());
  return state_->grouped ? state_->add_groups(log, info->name, std::move(options))
                         : state_->add_group(log, info->name, options);
}

Result<std::int64_t> RecordSums::merge(const RecordSums& other) {
  if (!state_->grouped) return state_->records.merge(other.state_->records);
  auto into = state_->number(other.state_->keys.rows());
  into.insert(into.begin(), state_->first, 0);
  return state_->records.merge(other.state_->records, into);
}

Aggregate RecordSums::result() const {
  auto [table, missing] = state_->records.tables();
  if (!state_->grouped) return {table, missing, state_->records.problems()};
  Table keys = state_->keys.size() ? state_->keys.rows() : state_->grouping.groups().keys();
  return {with_keys(keys, *table, state_->first), with_keys(keys, *missing, state_->first), state_->records.problems()};
}

}  // namespace darrow

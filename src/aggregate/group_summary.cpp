#include "darrow/group_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <variant>

#include "aggregate/fact_sums.hpp"
#include "base/utf8.hpp"
#include "darrow/summary.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

/// One value of a key.
using Cell = std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string>;
using KeyRow = std::vector<Cell>;

Cell cell_of(const Column& column, std::int64_t row) {
  if (!column.valid(row)) return {};
  auto at = static_cast<std::size_t>(row);
  switch (column.type) {
    case ColumnType::i64: return column.values<std::int64_t>()[at];
    case ColumnType::u64: return column.values<std::uint64_t>()[at];
    case ColumnType::f64: return column.values<double>()[at];
    default: return std::string(column.text(row));
  }
}

template <typename T>
Column column_of(std::string name, const std::vector<const KeyRow*>& rows, std::size_t k) {
  std::vector<std::optional<T>> values;
  for (const KeyRow* row : rows) {
    const T* value = std::get_if<T>(&(*row)[k]);
    values.push_back(value ? std::optional(*value) : std::nullopt);
  }
  return value_column<T>(std::move(name), values);
}

/// What is known of one group of one module.
struct GroupFacts {
  FactSums sums;
  bool partial = false, damaged = false;
};

using Modules = std::map<int, std::map<KeyRow, GroupFacts>>;  ///< by module id, −1: the bottom layer

/// The ids of names with any of some patterns and none of others.
std::vector<std::uint64_t> named_ids(const Names& names, const GroupSummaryOptions& options) {
  std::vector<std::uint64_t> ids;
  for (std::int64_t i = 0; i < names.size(); ++i) {
    std::string_view stored = names.name(i);
    std::string escaped = is_utf8(stored) ? std::string() : escape_utf8(stored);
    std::string_view name = escaped.empty() ? stored : escaped;
    auto in_name = [name](const Pattern& pattern) { return pattern.in(name); };
    if ((options.names.empty() || std::ranges::any_of(options.names, in_name)) &&
        std::ranges::none_of(options.excluded, in_name))
      ids.push_back(names.id(i));
  }
  return ids;
}

}  // namespace

LogIdentity identity_of(const Log& log) {
  LogIdentity identity{.size = log.size(), .digest = log.digest()};
  if (const Job* job = log.job()) {
    identity.jobid = job->jobid;
    identity.start_time = job->start_time_sec;
    identity.uid = job->uid;
  }
  return identity;
}

struct GroupSummary::State {
  explicit State(GroupSummaryOptions given) : options(std::move(given)), grouping(options.keys, options.patterns) {
    same_files =
        std::ranges::any_of(options.keys, [](const GroupKey& key) { return key.kind == GroupKey::Kind::file; });
  }
  GroupSummaryOptions options;
  Grouping grouping;  ///< of no log
  bool same_files = false;
  std::int64_t logs = 0;
  std::vector<std::pair<std::string, ColumnType>> keys;  ///< the columns of the keys, once they are known
  Modules modules;

  bool wanted(const ModuleInfo& info) const;
  std::optional<Error> add(const Log& log, const std::vector<const ModuleInfo*>& infos, const TableOptions& filter,
                           Modules& to);
  void take(const Modules& from);
};

bool GroupSummary::State::wanted(const ModuleInfo& info) const {
  if (info.status != ModuleStatus::readable || !info.module->instead.empty() || info.length == 0) return false;
  if (options.bottom && !info.module->bottom) return false;
  return options.modules.empty() || std::ranges::any_of(options.modules, [&](const std::string& name) {
           return find_module(name) == info.module;
         });
}

void GroupSummary::State::take(const Modules& from) {
  for (const auto& [module, groups] : from)
    for (const auto& [row, other] : groups) {
      GroupFacts& group = modules[module][row];
      group.sums.merge(other.sums, same_files);
      group.partial |= other.partial;
      group.damaged |= other.damaged;
    }
}

/// Adds modules of a log as one layer.
std::optional<Error> GroupSummary::State::add(const Log& log, const std::vector<const ModuleInfo*>& infos,
                                              const TableOptions& filter, Modules& to) {
  std::int64_t nprocs = log.job() ? log.job()->nprocs : 0;
  Grouping numbers = grouping.of_log(log.path(), log.job());
  Activity activity(nprocs);
  std::optional<Error> failure;
  bool partial = false, damaged = false;
  for (const ModuleInfo* info : infos) {
    TableOptions table = filter;
    table.columns = Activity::columns(*info->module);
    for (auto& column : numbers.columns()) table.columns.push_back(std::move(column));
    auto rows = log.scan(info->name, table, [&](const Table& batch) {
      if (failure || batch.rows == 0) return;
      auto groups = numbers.number(batch);
      auto added = groups ? activity.add(batch, *groups) : groups.error();
      if (!added) failure = added.error();
    });
    if (!rows) return rows.error();
    if (failure) return failure;
    partial |= info->partial;
    damaged |= is_damaged(log, info->name);
  }
  auto groups = numbers.groups();
  if (!groups.rounds.empty()) {
    Activity merged(nprocs);
    for (const auto& round : groups.rounds)
      if (!round.empty()) (void)merged.merge(activity, round).value();
    activity = std::move(merged);
  }
  auto facts = activity.facts(false);
  const Table& rows = groups.keys;
  if (keys.empty())
    for (const auto& column : rows.columns) keys.emplace_back(column.name, column.type);
  auto& into = to[options.bottom ? -1 : infos[0]->id];
  for (std::int64_t r = 0; r < rows.rows; ++r) {
    const Facts& of_row = facts[static_cast<std::size_t>(r)];
    if (of_row.records == 0) continue;
    KeyRow row;
    for (const auto& column : rows.columns) row.push_back(cell_of(column, r));
    GroupFacts& group = into[std::move(row)];
    group.sums.add(of_row, same_files);
    group.partial = partial;
    group.damaged = damaged;
  }
  return {};
}

GroupSummary::GroupSummary(GroupSummaryOptions options) : state_(std::make_unique<State>(std::move(options))) {}
GroupSummary::GroupSummary(GroupSummary&&) noexcept = default;
GroupSummary& GroupSummary::operator=(GroupSummary&&) noexcept = default;
GroupSummary::~GroupSummary() = default;

std::int64_t GroupSummary::logs() const { return state_->logs; }

std::optional<Error> GroupSummary::add(const Log& log) {
  State& s = *state_;
  TableOptions filter;
  if (!s.options.ranks.empty()) filter.ranks = s.options.ranks;
  if (!s.options.ids.empty()) filter.ids = s.options.ids;
  if (!s.options.names.empty() || !s.options.excluded.empty()) {
    auto names = log.names();
    if (!names) return names.error();
    auto ids = named_ids(**names, s.options);
    if (filter.ids)
      std::erase_if(ids, [&](auto id) { return std::ranges::find(*filter.ids, id) == filter.ids->end(); });
    filter.ids = std::move(ids);
  }
  std::vector<const ModuleInfo*> infos;
  for (const auto& info : log.modules())
    if (s.wanted(info)) infos.push_back(&info);
  Modules of_log;  // a log that fails leaves nothing behind
  if (s.options.bottom) {
    if (!infos.empty())
      if (auto error = s.add(log, infos, filter, of_log)) return error;
  } else {
    for (const ModuleInfo* info : infos)
      if (auto error = s.add(log, {info}, filter, of_log)) return error;
  }
  s.take(of_log);
  ++s.logs;
  return {};
}

void GroupSummary::merge(const GroupSummary& other) {
  State& s = *state_;
  s.take(other.state_->modules);
  s.logs += other.state_->logs;
  if (s.keys.empty()) s.keys = other.state_->keys;
}

std::shared_ptr<const Table> GroupSummary::table() const {
  const State& s = *state_;
  std::vector<std::string> labels;
  std::vector<const KeyRow*> rows;
  std::vector<Facts> facts;
  std::vector<std::optional<std::int64_t>> jobs;
  std::vector<std::optional<bool>> partial, damaged;
  for (const auto& [module, groups] : s.modules)
    for (const auto& [row, group] : groups) {
      labels.emplace_back(module < 0 ? "bottom" : find_module(module)->name);
      rows.push_back(&row);
      facts.push_back(group.sums.facts());
      jobs.emplace_back(group.sums.jobs());
      partial.emplace_back(group.partial);
      damaged.emplace_back(group.damaged);
    }
  auto table = std::make_shared<Table>(layer_table("module", labels, facts));
  table->name = "groups";
  std::vector<Column> keys;
  for (std::size_t k = 0; k < s.keys.size(); ++k) {
    const auto& [name, type] = s.keys[k];
    switch (type) {
      case ColumnType::i64: keys.push_back(column_of<std::int64_t>(name, rows, k)); break;
      case ColumnType::u64: keys.push_back(column_of<std::uint64_t>(name, rows, k)); break;
      case ColumnType::f64: keys.push_back(column_of<double>(name, rows, k)); break;
      default: {
        TextBuilder texts(name);
        for (const KeyRow* row : rows) {
          const auto* text = std::get_if<std::string>(&(*row)[k]);
          text ? texts.add_valid(*text) : texts.add_null();
        }
        keys.push_back(std::move(texts).finish());
      }
    }
  }
  keys.push_back(value_column<std::int64_t>("jobs", jobs));
  table->columns.insert(table->columns.begin() + 1, std::make_move_iterator(keys.begin()),
                        std::make_move_iterator(keys.end()));
  table->columns.push_back(value_column<bool>("partial", partial));
  table->columns.push_back(value_column<bool>("damaged", damaged));
  return table;
}

}  // namespace darrow

#include "darrow/group_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <variant>

#include "aggregate/fact_table.hpp"
#include "aggregate/metric_values.hpp"
#include "base/id_index.hpp"
#include "base/invalid_argument.hpp"
#include "base/utf8.hpp"
#include "darrow/summary.hpp"
#include "table/build.hpp"
#include "table/join.hpp"

namespace darrow {
namespace {

constexpr std::size_t facts_at_once = 4096;

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

struct KeyHash {
  std::size_t operator()(const KeyRow& row) const {
    std::size_t hash = row.size();
    for (const auto& cell : row) hash = (hash ^ std::hash<Cell>()(cell)) * 0x9e3779b97f4a7c15u;
    return hash;
  }
};

/// The groups of one module, or of the bottom layer.
struct ModuleGroups {
  std::unordered_map<KeyRow, std::uint32_t, KeyHash> numbers;
  std::vector<const KeyRow*> rows;  ///< by number
  FactTable facts;
  std::vector<std::uint8_t> partial, damaged;

  std::uint32_t number(KeyRow row) {
    auto [at, is_new] = numbers.try_emplace(std::move(row), static_cast<std::uint32_t>(rows.size()));
    if (is_new) rows.push_back(&at->first);
    return at->second;
  }
  /// Makes room for all groups that have numbers.
  void resize() {
    facts.resize(rows.size());
    partial.resize(rows.size());
    damaged.resize(rows.size());
  }
};
using Modules = std::map<int, ModuleGroups>;  ///< by module id, −1: the bottom layer

/// Which ids names choose, or leave out if there are no patterns that have to be in a name.
IdIndex named_ids(const Names& names, const GroupSummaryOptions& options) {
  IdIndex ids;
  for (std::int64_t i = 0; i < names.size(); ++i) {
    std::string_view stored = names.name(i);
    std::string escaped = is_utf8(stored) ? std::string() : escape_utf8(stored);
    std::string_view name = escaped.empty() ? stored : escaped;
    auto in_name = [name](const Pattern& pattern) { return pattern.in(name); };
    bool excluded = std::ranges::any_of(options.excluded, in_name);
    if (options.names.empty() ? excluded : !excluded && std::ranges::any_of(options.names, in_name))
      ids.insert(names.id(i));
  }
  return ids;
}

bool in_ranges(std::int64_t rank, const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges) {
  return ranges.empty() ||
         std::ranges::any_of(ranges, [rank](const auto& range) { return range.first <= rank && rank <= range.second; });
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
    const auto of_no_group = grouping.groups().keys.columns;
    for (const auto& column : of_no_group) keys.emplace_back(column.name, column.type);
    same_files =
        std::ranges::any_of(options.keys, [](const GroupKey& key) { return key.kind == GroupKey::Kind::file; });
  }
  GroupSummaryOptions options;
  Grouping grouping;  ///< of no log
  bool same_files = false;
  std::int64_t logs = 0;
  std::vector<std::pair<std::string, ColumnType>> keys;  ///< the columns of the keys
  Modules modules;

  bool wanted(const ModuleInfo& info) const;
  std::optional<Error> add(const Log& log, const std::vector<const ModuleInfo*>& infos, const TableOptions& filter,
                           Modules& to);
  void take(Modules&& from);
  Table table_of(int id, const ModuleGroups& module, std::span<const std::uint32_t> numbers) const;
};

bool GroupSummary::State::wanted(const ModuleInfo& info) const {
  if (info.status != ModuleStatus::readable || !info.module->instead.empty() || info.length == 0) return false;
  if (options.bottom && !info.module->bottom) return false;
  return options.modules.empty() || std::ranges::any_of(options.modules, [&](const std::string& name) {
           return find_module(name) == info.module;
         });
}

void GroupSummary::State::take(Modules&& from) {
  for (auto& [module, other] : from) {
    auto& own = modules[module];
    if (own.rows.empty()) {
      own = std::move(other);
      continue;
    }
    std::vector<std::uint32_t> into;
    for (const KeyRow* row : other.rows) into.push_back(own.number(*row));
    own.resize();
    own.facts.merge(other.facts, into, same_files);
    for (std::size_t g = 0; g < into.size(); ++g) {
      own.partial[into[g]] |= other.partial[g];
      own.damaged[into[g]] |= other.damaged[g];
    }
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
  std::shared_ptr<const Names>
      names;  // files are found faster by the positions of their names, if these are read anyway
  auto key_columns = numbers.columns();
  if (std::ranges::find(key_columns, "name") != key_columns.end()) {
    auto all = log.names();
    if (!all) return all.error();
    names = *all;
  }
  for (const ModuleInfo* info : infos) {
    TableOptions table = filter;
    table.columns = Activity::columns(*info->module);
    table.columns.insert(table.columns.end(), key_columns.begin(), key_columns.end());
    auto rows = log.scan(info->name, table, [&](const Table& batch) {
      if (failure || batch.rows == 0) return;
      auto groups = numbers.number(batch);
      std::vector<std::int64_t> positions;
      if (names) positions = names->find_all(batch.find("id")->values<std::uint64_t>());
      auto added = groups ? activity.add(batch, *groups, positions) : groups.error();
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
      if (!round.empty()) (void)merged.merge_numbers(activity, round).value();  // a name has one set of patterns
    activity = std::move(merged);
  }
  const Table& rows = groups.keys;
  auto& into = to[options.bottom ? -1 : infos[0]->id];
  std::vector<std::uint32_t> numbers_of;
  for (std::int64_t r = 0; r < rows.rows; ++r) {
    KeyRow row;
    row.reserve(rows.columns.size());
    for (const auto& column : rows.columns) row.push_back(cell_of(column, r));
    numbers_of.push_back(into.number(std::move(row)));
  }
  into.resize();
  activity.each_group([&](std::size_t g, const Facts& facts) {
    if (g >= numbers_of.size()) return;
    into.facts.add(numbers_of[g], facts, same_files);
    into.partial[numbers_of[g]] |= partial;
    into.damaged[numbers_of[g]] |= damaged;
  });
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
  if (!s.options.ids.empty()) filter.ids = s.options.ids;
  bool by_name = !s.options.names.empty() || !s.options.excluded.empty();
  if (by_name) {
    auto names = log.names();
    if (!names) return names.error();
    filter.keep = [ids = named_ids(**names, s.options), wanted = !s.options.names.empty(), &s](auto id, auto rank) {
      return (ids.find(id) >= 0) == wanted && in_ranges(rank, s.options.ranks);
    };
  } else if (!s.options.ranks.empty()) {
    filter.keep = [&s](auto, auto rank) { return in_ranges(rank, s.options.ranks); };
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
  s.take(std::move(of_log));
  ++s.logs;
  return {};
}

void GroupSummary::merge(GroupSummary&& other) {
  State& s = *state_;
  s.take(std::move(other.state_->modules));
  s.logs += other.state_->logs;
}

namespace {

/// Numbers of groups of a module, the best `limit` by a function, equal ones by their keys.
template <typename Before>
std::vector<std::uint32_t> best(const ModuleGroups& module, std::size_t limit, Before before) {
  std::vector<std::uint32_t> numbers(module.rows.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  auto in_order = [&](std::uint32_t a, std::uint32_t b) {
    if (before(a, b)) return true;
    return !before(b, a) && *module.rows[a] < *module.rows[b];
  };
  auto kept = std::min(limit, numbers.size());
  std::partial_sort(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(kept), numbers.end(), in_order);
  numbers.resize(kept);
  return numbers;
}

/// The value of a metric for each group, as a number to sort by: −1 for none.
std::vector<double> values_of(const LayerMetric& metric, const FactTable& facts) {
  std::vector<double> values;
  for (std::size_t g = 0; g < facts.size(); ++g)
    values.push_back(std::visit([](auto value) { return value ? static_cast<double>(*value) : -1.0; },
                                metric.value(facts.facts(g, metric.metric.inputs))));
  return values;
}

}  // namespace

Result<GroupSummary::Groups> GroupSummary::groups(std::string_view sort, std::optional<std::size_t> limit) const {
  const State& s = *state_;
  auto metrics = metrics_of_layers();
  auto metric = std::ranges::find(metrics, sort, [](const LayerMetric& m) { return m.metric.name; });
  auto key = std::ranges::find(s.keys, sort, [](const auto& k) { return std::string_view(k.first); });
  bool by_jobs = sort == "jobs";
  if (metric == metrics.end() && key == s.keys.end() && !by_jobs)
    return invalid_argument({}, fmt::format("nothing to sort by is called \"{}\": it is no metric and no key", sort));
  Groups groups;
  std::vector<Table> parts;
  for (const auto& [id, module] : s.modules) {
    auto most = limit.value_or(module.rows.size());
    std::vector<std::uint32_t> numbers;
    if (metric != metrics.end()) {
      auto values = values_of(*metric, module.facts);
      numbers = best(module, most, [&](auto a, auto b) { return values[a] > values[b]; });
    } else if (by_jobs) {
      numbers = best(module, most, [&](auto a, auto b) { return module.facts.jobs(a) > module.facts.jobs(b); });
    } else {
      auto k = static_cast<std::size_t>(key - s.keys.begin());
      // Of variants, nothing comes first.
      numbers = best(module, most, [&](auto a, auto b) {
        const Cell &x = (*module.rows[a])[k], &y = (*module.rows[b])[k];
        return x.index() && y.index() ? x < y : x.index() > y.index();
      });
    }
    groups.left_out.push_back(static_cast<std::int64_t>(module.rows.size() - numbers.size()));
    for (std::size_t first = 0; first == 0 || first < numbers.size(); first += facts_at_once) {
      auto last = std::min(first + facts_at_once, numbers.size());
      parts.push_back(s.table_of(id, module, std::span(numbers).subspan(first, last - first)));
    }
  }
  if (parts.empty()) parts.push_back(s.table_of(-1, {}, {}));
  std::vector<const Table*> batches;
  for (const auto& part : parts) batches.push_back(&part);
  groups.table = std::make_shared<const Table>(join(batches));
  return groups;
}

Table GroupSummary::State::table_of(int id, const ModuleGroups& module, std::span<const std::uint32_t> numbers) const {
  std::vector<std::string> labels(numbers.size(), id < 0 ? "bottom" : std::string(find_module(id)->name));
  std::vector<const KeyRow*> rows;
  std::vector<Facts> facts;
  std::vector<std::optional<std::int64_t>> jobs;
  std::vector<std::optional<bool>> partial, damaged;
  for (auto g : numbers) {
    rows.push_back(module.rows[g]);
    facts.push_back(module.facts.facts(g));
    jobs.emplace_back(module.facts.jobs(g));
    partial.emplace_back(module.partial[g]);
    damaged.emplace_back(module.damaged[g]);
  }
  Table table = layer_table("module", labels, facts);
  table.name = "groups";
  std::vector<Column> of_keys;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const auto& [name, type] = keys[k];
    switch (type) {
      case ColumnType::i64: of_keys.push_back(column_of<std::int64_t>(name, rows, k)); break;
      case ColumnType::u64: of_keys.push_back(column_of<std::uint64_t>(name, rows, k)); break;
      case ColumnType::f64: of_keys.push_back(column_of<double>(name, rows, k)); break;
      default: {
        TextBuilder texts(name);
        for (const KeyRow* row : rows) {
          const auto* text = std::get_if<std::string>(&(*row)[k]);
          text ? texts.add_valid(*text) : texts.add_null();
        }
        of_keys.push_back(std::move(texts).finish());
      }
    }
  }
  of_keys.push_back(value_column<std::int64_t>("jobs", jobs));
  table.columns.insert(table.columns.begin() + 1, std::make_move_iterator(of_keys.begin()),
                       std::make_move_iterator(of_keys.end()));
  table.columns.push_back(value_column<bool>("partial", partial));
  table.columns.push_back(value_column<bool>("damaged", damaged));
  return table;
}

}  // namespace darrow

#include "darrow/group_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "aggregate/metric_values.hpp"
#include "aggregate/module_groups.hpp"
#include "base/id_index.hpp"
#include "base/invalid_argument.hpp"
#include "base/problem_sink.hpp"
#include "base/utf8.hpp"
#include "darrow/summary.hpp"
#include "table/build.hpp"
#include "table/join.hpp"

namespace darrow {
namespace {

constexpr std::size_t facts_at_once = 4096;
constexpr int bottom_id = -1;  // of the bottom layer, among ids of modules

std::string name_of(int id) { return id == bottom_id ? "bottom" : std::string(find_module(id)->name); }

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
    keys = grouping.groups().keys();
    same_files = grouping.has(GroupKey::Kind::file);
  }
  GroupSummaryOptions options;
  Grouping grouping;  ///< of no log
  bool same_files = false;
  std::int64_t logs = 0;
  Table keys;                           ///< their columns, without rows
  std::map<int, ModuleGroups> modules;  ///< by module id, or bottom_id

  bool wanted(const ModuleInfo& info) const;
  Result<std::unique_ptr<LogGroups>> groups_of(const Log& log, const std::vector<const ModuleInfo*>& infos,
                                               const TableOptions& filter,
                                               const std::shared_ptr<const Hosts>& hosts) const;
  Table table_of(int id, const ModuleGroups& module, std::span<const std::uint32_t> numbers) const;
};

bool GroupSummary::State::wanted(const ModuleInfo& info) const {
  if (info.status != ModuleStatus::readable || !info.module->instead.empty() || info.length == 0) return false;
  if (options.bottom && !info.module->bottom) return false;
  return options.modules.empty() || std::ranges::any_of(options.modules, [&](const std::string& name) {
           return find_module(name) == info.module;
         });
}

/// Sums up modules of a log as one layer.
Result<std::unique_ptr<LogGroups>> GroupSummary::State::groups_of(const Log& log,
                                                                  const std::vector<const ModuleInfo*>& infos,
                                                                  const TableOptions& filter,
                                                                  const std::shared_ptr<const Hosts>& hosts) const {
  std::int64_t nprocs = log.job() ? log.job()->nprocs : 0;
  constexpr auto detail = Activity::Detail::sums;
  Activity activity(nprocs, detail);
  std::optional<Error> failure;
  bool partial = false, damaged = false;
  // Files are found faster by the positions of their names, if these are read anyway.
  std::shared_ptr<const Names> names;
  if (auto columns = grouping.columns(); std::ranges::find(columns, "name") != columns.end()) {
    auto all = log.names();
    if (!all) return all.error();
    names = *all;
  }
  Grouping numbers = grouping.of_log({log.path(), log.job(), names, hosts});
  auto key_columns = numbers.columns();
  for (const ModuleInfo* info : infos) {
    // There are no more files than names, and each takes some compressed bytes.
    auto files = names ? std::min(static_cast<std::size_t>(names->size()), std::size_t{info->length} / 32) : 0;
    activity.reserve(files, same_files ? files : 1);
    TableOptions table = filter;
    table.columns = Activity::columns(*info->module, detail);
    table.columns.insert(table.columns.end(), key_columns.begin(), key_columns.end());
    auto rows = log.scan(info->name, table, [&](const Table& batch) {
      if (failure || batch.rows == 0) return;
      std::vector<std::int64_t> positions;
      if (names) positions = names->find_all(batch.find("id")->values<std::uint64_t>());
      auto groups = numbers.number(batch, positions);
      auto added = groups ? activity.add(batch, *groups, positions) : groups.error();
      if (!added) failure = added.error();
    });
    if (!rows) return rows.error();
    if (failure) return *failure;
    partial |= info->partial;
    damaged |= is_damaged(log, info->name);
  }
  if (auto rounds = numbers.groups().rounds(); !rounds.empty()) {
    Activity merged(nprocs, detail);
    for (const auto& round : rounds)
      if (!round.empty()) (void)merged.merge(activity, round).value();  // a name has one set of patterns
    activity = std::move(merged);
  }
  return std::make_unique<LogGroups>(std::move(numbers), std::move(activity), partial, damaged);
}

GroupSummary::GroupSummary(GroupSummaryOptions options) : state_(std::make_unique<State>(std::move(options))) {}
GroupSummary::GroupSummary(GroupSummary&&) noexcept = default;
GroupSummary& GroupSummary::operator=(GroupSummary&&) noexcept = default;
GroupSummary::~GroupSummary() = default;

std::int64_t GroupSummary::logs() const { return state_->logs; }

std::vector<Problem> GroupSummary::problems() const {
  std::vector<Problem> found;
  for (const auto& [id, module] : state_->modules) {
    std::string name = name_of(id);
    ProblemSink sink(name, name, found);
    if (auto rejected = module.rejected())
      sink.add(ProblemKind::value_negative, fmt::format("negative or absurd values left out: {}", rejected), rejected);
    std::int64_t in_part = 0;
    for (std::uint32_t g = 0; g < module.size(); ++g) in_part += module.in_part(g);
    if (in_part)
      sink.add(ProblemKind::known_in_part,
               fmt::format("groups with logs that do not tell some of the numbers: {}; sums are those of the others, "
                           "rates and means that need them are left out",
                           in_part),
               in_part);
    if (auto overflows = module.overflows())
      sink.add(ProblemKind::sum_overflow, fmt::format("sums of groups that do not fit 64 bits: {}", overflows),
               overflows);
  }
  return found;
}

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
  std::shared_ptr<const Hosts> hosts;
  if (s.grouping.has(GroupKey::Kind::host)) {
    auto read = log.hosts();
    if (!read) return read.error();
    hosts = std::make_shared<const Hosts>(std::move(*read));
  }
  // A log that fails leaves nothing behind.
  std::vector<std::pair<int, std::unique_ptr<LogGroups>>> found;
  if (s.options.bottom && !infos.empty()) {
    auto groups = s.groups_of(log, infos, filter, hosts);
    if (!groups) return groups.error();
    found.emplace_back(bottom_id, std::move(*groups));
  }
  for (std::size_t i = 0; i < infos.size() && !s.options.bottom; ++i) {
    auto groups = s.groups_of(log, {infos[i]}, filter, hosts);
    if (!groups) return groups.error();
    found.emplace_back(infos[i]->id, std::move(*groups));
  }
  for (auto& [module, groups] : found) s.modules.try_emplace(module, s.same_files).first->second.add(std::move(groups));
  ++s.logs;
  return {};
}

void GroupSummary::merge(GroupSummary&& other) {
  State& s = *state_;
  for (auto& [module, from] : other.state_->modules)
    s.modules.try_emplace(module, s.same_files).first->second.merge(std::move(from));
  s.logs += other.state_->logs;
}

namespace {

/// Whether a metric divides: what is known of some of the jobs only would be divided by that of others.
bool is_ratio(const Metric& metric) { return metric.formula.find(" / ") != metric.formula.npos; }

/// A number, none of them negative, as one that is in the same order.
std::int64_t to_sort_by(std::int64_t value) { return value; }
std::int64_t to_sort_by(double value) { return std::bit_cast<std::int64_t>(value); }

/// The value of a metric for each group, as a number to sort by: −1 for none.
std::vector<std::int64_t> values_of(const LayerMetric& metric, const ModuleGroups& module) {
  std::vector<std::int64_t> values;
  values.reserve(module.size());
  Facts facts;
  for (std::uint32_t g = 0; g < module.size(); ++g) {
    module.set_inputs(g, metric.metric.inputs, is_ratio(metric.metric), facts);
    values.push_back(
        std::visit([](auto value) { return value ? to_sort_by(*value) : std::int64_t{-1}; }, metric.value(facts)));
  }
  return values;
}

std::vector<std::int64_t> jobs_of(const ModuleGroups& module) {
  std::vector<std::int64_t> jobs;
  for (std::uint32_t g = 0; g < module.size(); ++g) jobs.push_back(module.jobs(g));
  return jobs;
}

}  // namespace

Result<GroupSummary::Groups> GroupSummary::groups(std::string_view sort, std::optional<std::size_t> limit) const {
  const State& s = *state_;
  auto metrics = metrics_of_layers();
  auto metric = std::ranges::find(metrics, sort, [](const LayerMetric& m) { return m.metric.name; });
  auto key = std::ranges::find(s.keys.columns, sort, [](const Column& c) { return std::string_view(c.name); });
  bool by_jobs = sort == "jobs";
  if (metric == metrics.end() && key == s.keys.columns.end() && !by_jobs)
    return invalid_argument(
        {}, fmt::format("nothing to sort by is called \"{}\": it is no key, not jobs, and no metric that darrow "
                        "modules --metrics lists for layers",
                        sort));
  Groups groups;
  std::vector<Table> parts;
  for (const auto& [id, module] : s.modules) {
    auto most = limit.value_or(module.size());
    std::vector<std::uint32_t> numbers;
    if (metric != metrics.end()) numbers = module.largest(values_of(*metric, module), most);
    else if (by_jobs) numbers = module.largest(jobs_of(module), most);
    else numbers = module.first_by(sort, most);
    groups.left_out.push_back(static_cast<std::int64_t>(module.size() - numbers.size()));
    for (std::size_t first = 0; first == 0 || first < numbers.size(); first += facts_at_once) {
      auto last = std::min(first + facts_at_once, numbers.size());
      parts.push_back(s.table_of(id, module, std::span(numbers).subspan(first, last - first)));
    }
  }
  if (parts.empty()) parts.push_back(s.table_of(bottom_id, ModuleGroups(s.same_files), {}));
  std::vector<const Table*> batches;
  for (const auto& part : parts) batches.push_back(&part);
  groups.table = std::make_shared<const Table>(join(batches));
  return groups;
}

Table GroupSummary::State::table_of(int id, const ModuleGroups& module, std::span<const std::uint32_t> numbers) const {
  std::vector<std::string> labels(numbers.size(), name_of(id));
  std::vector<Facts> facts;
  std::vector<std::optional<std::int64_t>> jobs;
  std::vector<std::optional<bool>> partial, damaged;
  for (auto g : numbers) {
    facts.push_back(module.facts(g, false));
    jobs.emplace_back(module.jobs(g));
    partial.emplace_back(module.partial(g));
    damaged.emplace_back(module.damaged(g));
  }
  Table table = layer_table("module", labels, facts);
  if (std::ranges::any_of(numbers, [&](auto g) { return module.in_part(g); })) {
    for (std::size_t i = 0; i < numbers.size(); ++i) facts[i] = module.facts(numbers[i], true);
    Table of_each = layer_table("module", labels, facts);
    for (std::size_t c = 1; c < table.columns.size(); ++c)
      if (is_ratio(*find_metric(MetricTable::layers, table.columns[c].name)))
        table.columns[c] = std::move(of_each.columns[c]);
  }
  table.name = "groups";
  auto of_keys = numbers.empty() ? keys.columns : module.keys(numbers).columns;
  of_keys.push_back(value_column<std::int64_t>("jobs", jobs));
  table.columns.insert(table.columns.begin() + 1, std::make_move_iterator(of_keys.begin()),
                       std::make_move_iterator(of_keys.end()));
  table.columns.push_back(value_column<bool>("partial", partial));
  table.columns.push_back(value_column<bool>("damaged", damaged));
  return table;
}

}  // namespace darrow

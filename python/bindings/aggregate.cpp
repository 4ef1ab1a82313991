/// Aggregates and metrics: of whole logs, of the records of a module, and the accumulators behind them.
#include "darrow/aggregate.hpp"

#include <fmt/format.h>

#include <nanobind/stl/pair.h>

#include <algorithm>

#include "bindings.hpp"
#include "darrow/grouping.hpp"
#include "darrow/metrics.hpp"
#include "darrow/summary.hpp"
#include "grouping.hpp"
#include "render/overview.hpp"

namespace darrow::python {
namespace {

using Ids = std::optional<std::vector<std::uint64_t>>;
using Ranks = std::optional<std::vector<std::int64_t>>;
using Problems = std::vector<ProblemRow>;

TableHandle handle(std::shared_ptr<const Table> table) { return {std::move(table)}; }
TableHandle handle(Table table) { return {std::make_shared<const Table>(std::move(table))}; }

std::vector<TableHandle> handles(const std::vector<std::shared_ptr<const Table>>& tables) {
  std::vector<TableHandle> out;
  for (const auto& table : tables) out.push_back({table});
  return out;
}

/// The module whose records a table of that name holds.
const Module& module_of(const Log& log, std::string_view name) {
  const ModuleInfo* info = log.module(name);
  if (info && info->module) return *info->module;
  throw ErrorException({.code = ErrorCode::invalid_argument,
                        .message = fmt::format("{} is no table of a module: it has no records to combine", name),
                        .file = {},
                        .region = {},
                        .offset = {}});
}

/// Gives the records of a module, or some of them, to each of `parts` in batches.
template <typename... Parts>
void scan(const Log& log, std::string_view name, const Module& module, const Ids& ids, const Ranks& ranks,
          std::int64_t batch_rows, Parts&... parts) {
  TableOptions options;
  options.columns = Accumulator::columns(module);
  options.ids = ids;
  options.ranks = ranks;
  (void)log.scan(name, options, [&](const Table& batch) { ((void)parts.add(batch).value(), ...); }, batch_rows).value();
}

// Of a whole log.

using SummaryParts = std::tuple<TableHandle, TableHandle, TableHandle, TableHandle, TableHandle,
                                std::vector<TableHandle>, std::vector<TableHandle>, Problems>;

SummaryParts summary(const LogHandle& self, std::vector<std::string> modules, bool bottom) {
  Summary s;
  {
    nb::gil_scoped_release release;
    s = summarize(*self.log, {.modules = std::move(modules), .bottom = bottom}).value();
  }
  return {handle(s.layers), handle(s.categories), handle(s.access_sizes), handle(s.common_accesses),
          handle(s.mounts), handles(s.records),   handles(s.missing),     rows_of(s.problems)};
}

/// A table of layers, as `darrow summary` shows it.
std::string overview(const TableHandle& layers) {
  render::Sink sink;
  auto rows = render::rows_of(*layers.table);
  render::overview_text(rows, [](auto& row) { return std::string(row.text("module")); }, sink, {});
  render::marks_text(rows, sink, {});
  return sink.text();
}

// Of the records of a module.

/// Nothing if there is nothing to group by.
std::optional<Grouping> grouping_of(const Keys& keys, const Patterns& patterns) {
  if (keys.empty() && patterns.empty()) return {};
  return Grouping(parsed(keys), compiled(patterns));
}

/// The columns that keys are made of.
std::vector<std::string> key_columns(const Keys& keys) { return Grouping(parsed(keys)).columns(); }

AggregateParts aggregate_log(const LogHandle& self, std::string_view name, const Ids& ids, const Ranks& ranks,
                             const Keys& keys, const Patterns& patterns) {
  const Module& module = module_of(*self.log, name);
  auto records = Accumulator::create(module).value();
  auto grouping = grouping_of(keys, patterns);
  Aggregate result;
  {
    nb::gil_scoped_release release;
    TableOptions options;
    options.columns = Accumulator::columns(module);
    if (grouping) {
      auto columns = grouping->columns();
      if (std::ranges::find(columns, "name") != columns.end())
        grouping = grouping->of_log({self.log->path(), self.log->job(), self.log->names().value()});
      for (auto& column : grouping->columns()) options.columns.push_back(std::move(column));
    }
    options.ids = ids;
    options.ranks = ranks;
    auto add = [&](const Table& batch) {
      if (!grouping) (void)records.add(batch).value();
      else (void)records.add(batch, grouping->number(batch).value()).value();
    };
    (void)self.log->scan(name, options, add).value();
    result = aggregate(records, grouping ? &*grouping : nullptr);
  }
  return parts_of(std::move(result));
}

std::vector<const Table*> tables_in(const std::vector<TableHandle>& batches) {
  std::vector<const Table*> tables;
  for (const auto& batch : batches) tables.push_back(batch.table.get());
  return tables;
}

/// Null for no name.
const Module* named_module(const std::string& name) {
  const Module* module = name.empty() ? nullptr : find_module(name);
  if (!name.empty() && !module) throw nb::value_error(fmt::format("no module is called \"{}\"", name).c_str());
  return module;
}

AggregateParts aggregate_tables(const std::vector<TableHandle>& batches, const std::string& module, const Keys& keys,
                                const Patterns& patterns, std::int64_t nprocs) {
  auto tables = tables_in(batches);
  GivenOptions options{.module = named_module(module), .grouping = nullptr, .nprocs = nprocs};
  auto grouping = grouping_of(keys, patterns);
  if (grouping) options.grouping = &*grouping;
  Aggregate result;
  {
    nb::gil_scoped_release release;
    result = aggregate(tables, options).value();
  }
  return parts_of(std::move(result));
}

std::tuple<TableHandle, Problems> aggregate_heatmaps(const TableHandle& self) {
  std::shared_ptr<const Table> sum;
  std::vector<Problem> problems;
  {
    nb::gil_scoped_release release;
    sum = add_heatmaps(*self.table, &problems).value();
  }
  return {handle(std::move(sum)), rows_of(problems)};
}

/// How the counters of that module combine; nothing if there is no such module.
std::optional<TableHandle> rule_dictionary_of(std::string_view name) {
  const Module* module = find_module(name);
  return module ? std::optional(handle(rule_dictionary(*module).value())) : std::nullopt;
}

/// The rows of one layer in the tables of layers, categories, access sizes and common accesses; its aggregate; whether the
/// region is damaged.
using MetricParts = std::tuple<TableHandle, TableHandle, TableHandle, TableHandle, TableHandle, TableHandle, Problems,
                               std::optional<bool>>;

MetricParts parts_of(const Module& module, Aggregate aggregate, const Activity& activity, std::optional<bool> damaged) {
  std::vector<std::string> labels{std::string(module.name)};
  std::vector<Facts> facts{facts_of(activity, damaged.value_or(false))};
  auto more = metric_problems(labels[0], facts[0]);
  aggregate.problems.insert(aggregate.problems.end(), more.begin(), more.end());
  return {handle(layer_table("module", labels, facts)),
          handle(category_table("module", labels, facts)),
          handle(access_size_table("module", labels, facts)),
          handle(common_access_table("module", labels, facts)),
          handle(aggregate.table),
          handle(aggregate.missing),
          rows_of(aggregate.problems),
          damaged};
}

MetricParts measure(const LogHandle& self, std::string_view name, const Ids& ids, const Ranks& ranks) {
  const Log& log = *self.log;
  const Module& module = module_of(log, name);
  auto records = Accumulator::create(module).value();
  Activity activity(log.job() ? log.job()->nprocs : 0);
  {
    nb::gil_scoped_release release;
    scan(log, name, module, ids, ranks, 0, records, activity);
  }
  return parts_of(module, aggregate(records), activity, is_damaged(log, module.name));
}

MetricParts measure_tables(const std::vector<TableHandle>& batches, const std::string& module, std::int64_t nprocs,
                           std::optional<bool> damaged) {
  auto tables = tables_in(batches);
  GivenOptions options{.module = named_module(module), .grouping = nullptr, .nprocs = nprocs};
  GivenRecords given;
  Aggregate sums;
  std::optional<Activity> activity;
  {
    nb::gil_scoped_release release;
    given = given_records(tables, options).value();
    if (given.jobs.empty()) {
      sums = aggregate(given).value();
      activity.emplace(given.nprocs);
      activity->lack(*given.module, given.absent);
      for (const auto& batch : given.batches) (void)activity->add(batch).value();
    }
  }
  if (!given.jobs.empty())
    throw nb::value_error(
        fmt::format("records of several jobs (column {}): metrics are those of one job; take its rows", given.jobs)
            .c_str());
  return parts_of(*given.module, std::move(sums), *activity, damaged);
}

// For tests: the accumulators themselves.

template <typename T>
nb::bytes state_of(const T& self) {
  auto bytes = self.state();
  return nb::bytes(bytes.data(), bytes.size());
}

template <typename T>
T from_state(const nb::bytes& state) {
  return T::from_state({static_cast<const std::byte*>(state.data()), state.size()}).value();
}

Accumulator accumulate(const LogHandle& self, std::string_view name, const Ids& ids, const Ranks& ranks,
                       std::int64_t batch_rows) {
  const Module& module = module_of(*self.log, name);
  auto accumulator = Accumulator::create(module).value();
  scan(*self.log, name, module, ids, ranks, batch_rows, accumulator);
  return accumulator;
}

Activity watch(const LogHandle& self, std::string_view name, const Ids& ids, const Ranks& ranks,
               std::int64_t batch_rows) {
  Activity activity(self.log->job() ? self.log->job()->nprocs : 0);
  scan(*self.log, name, module_of(*self.log, name), ids, ranks, batch_rows, activity);
  return activity;
}

std::vector<TableHandle> tables_of(const Activity& self) {
  auto facts = self.facts();
  std::vector<std::string> labels(facts.size());
  return {handle(layer_table("module", labels, facts)), handle(category_table("module", labels, facts)),
          handle(access_size_table("module", labels, facts)),
          handle(common_access_table("module", labels, facts, 1000))};
}

}  // namespace

std::vector<GroupKey> parsed(const Keys& keys) {
  std::vector<GroupKey> parsed;
  for (const auto& key : keys) parsed.push_back(GroupKey::parse(key).value());
  return parsed;
}

std::vector<GroupKey> parsed_of_logs(const Keys& keys) {
  std::vector<GroupKey> parsed;
  for (const auto& key : keys) parsed.push_back(GroupKey::parse_of_logs(key).value());
  return parsed;
}

std::vector<NamedPattern> compiled(const Patterns& patterns) {
  std::vector<NamedPattern> named;
  for (const auto& [name, expression] : patterns) {
    auto pattern = Pattern::compile(expression);
    if (!pattern)
      throw nb::value_error(fmt::format("pattern {}, \"{}\": {}", name, expression, pattern.error().message).c_str());
    named.push_back({name, std::move(*pattern)});
  }
  return named;
}

AggregateParts parts_of(Aggregate a) { return {handle(a.table), handle(a.missing), rows_of(a.problems)}; }

void bind_aggregate(nb::module_& m) {
  using namespace nb::literals;
  m.def("summary", summary, "log"_a, "modules"_a, "bottom"_a);
  m.def("overview", overview, "layers"_a);
  m.def("aggregate_log", aggregate_log, "log"_a, "name"_a, "ids"_a.none(), "ranks"_a.none(), "keys"_a, "patterns"_a);
  m.def("key_columns", key_columns, "keys"_a);
  m.def("aggregate_tables", aggregate_tables, "batches"_a, "module"_a, "keys"_a, "patterns"_a, "nprocs"_a);
  m.def("aggregate_heatmaps", aggregate_heatmaps, "records"_a);
  m.def("measure", measure, "log"_a, "name"_a, "ids"_a.none(), "ranks"_a.none());
  m.def("measure_tables", measure_tables, "batches"_a, "module"_a, "nprocs"_a, "damaged"_a.none());
  m.def(
      "is_damaged", [](const LogHandle& log, std::string_view module) { return is_damaged(*log.log, module); }, "log"_a,
      "module"_a);
  m.def("rule_dictionary", rule_dictionary_of, "module"_a);
  m.def("metric_dictionary", [] { return handle(metric_dictionary()); });

  nb::class_<Accumulator>(m, "Accumulator")
      .def_static("of", accumulate, "log"_a, "name"_a, "ids"_a = nb::none(), "ranks"_a = nb::none(), "batch_rows"_a = 0)
      .def_static("from_state", from_state<Accumulator>, "state"_a)
      .def("state", state_of<Accumulator>)
      .def(
          "merge", [](Accumulator& self, const Accumulator& other) { return self.merge(other).value(); }, "other"_a)
      .def("parts", [](const Accumulator& self) { return parts_of(aggregate(self)); });
  nb::class_<Activity>(m, "Activity")
      .def_static("of", watch, "log"_a, "name"_a, "ids"_a = nb::none(), "ranks"_a = nb::none(), "batch_rows"_a = 0)
      .def_static("from_state", from_state<Activity>, "state"_a)
      .def("state", state_of<Activity>)
      .def(
          "merge", [](Activity& self, const Activity& other) { return self.merge(other).value(); }, "other"_a)
      .def("tables", tables_of);
}

}  // namespace darrow::python

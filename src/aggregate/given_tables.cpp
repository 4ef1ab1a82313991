// Aggregates of tables that come from elsewhere.
#include <fmt/format.h>

#include <algorithm>

#include "aggregate/given_table.hpp"
#include "base/invalid_argument.hpp"
#include "base/keyed_index.hpp"
#include "base/problem_sink.hpp"
#include "darrow/aggregate.hpp"
#include "table/cast.hpp"
#include "table/join.hpp"

namespace darrow {
namespace {

/// What makes one doubt whether rows that were given belong together.
class Doubts {
 public:
  explicit Doubts(std::int64_t nprocs) : nprocs_(nprocs) {}
  /// `groups`: of each row; empty: all are of one.
  void look(const Table& table, const std::vector<std::uint32_t>& groups) {
    const Column& id = *table.find("id");
    const Column& rank = *table.find("rank");
    for (auto r : rank.values<std::int64_t>()) {
      beyond_ += nprocs_ > 0 && r >= nprocs_;
      (r == -1 ? has_shared_ : has_single_) = true;
    }
    seen_.push_back({id, rank, groups});
  }
  void tell(const Module& module, std::vector<Problem>& problems) const {
    ProblemSink sink(std::string(module.name), std::string(module.name), problems);
    if (beyond_)
      sink.add(ProblemKind::rank_beyond_nprocs,
               fmt::format("{} records of ranks that a job of {} processes does not have", beyond_, nprocs_), beyond_);
    if (auto both = has_shared_ && has_single_ ? shared_beside_ranks() : 0)
      sink.add(
          ProblemKind::shared_beside_ranks,
          fmt::format("{} files have a record of all ranks (-1) beside records of single ranks: what these did may "
                      "count twice; keep one kind of them",
                      both),
          both);
  }

 private:
  struct Seen {
    Column id, rank;
    std::vector<std::uint32_t> groups;
  };
  /// Calls f(group, id) for each row of all ranks, or for each of a single one.
  template <typename F>
  void each(bool shared, F f) const {
    for (const auto& rows : seen_) {
      auto ids = rows.id.values<std::uint64_t>();
      auto ranks = rows.rank.values<std::int64_t>();
      for (std::size_t r = 0; r < ids.size(); ++r)
        if ((ranks[r] == -1) == shared) f(rows.groups.empty() ? 0 : rows.groups[r], ids[r]);
    }
  }
  std::int64_t shared_beside_ranks() const {
    KeyedIndex shared;
    each(true, [&](std::uint32_t group, std::uint64_t id) { shared.insert(group, id); });
    std::vector<std::uint8_t> beside(shared.size());
    each(false, [&](std::uint32_t group, std::uint64_t id) {
      if (auto at = shared.find(group, id)) beside[*at] = 1;
    });
    return std::count(beside.begin(), beside.end(), 1);
  }
  std::int64_t nprocs_;
  std::int64_t beyond_ = 0;
  bool has_shared_ = false, has_single_ = false;
  std::vector<Seen> seen_;
};

constexpr Field nprocs_field = i64("nprocs", Rule::none, "count", "processes of the job");

/// An error if a column tells that the rows are of jobs of different sizes, and no key keeps them apart.
std::optional<Error> check_jobs(std::span<const Table* const> batches, const Module& module,
                                const GivenOptions& options) {
  auto columns = options.grouping ? options.grouping->columns() : std::vector<std::string>();
  for (std::string_view key : {"nprocs", "jobid", "job", "log"})
    if (std::find(columns.begin(), columns.end(), key) != columns.end()) return {};
  std::optional<std::int64_t> known = options.nprocs > 0 ? std::optional(options.nprocs) : std::nullopt;
  for (const Table* table : batches) {
    const Column* there = table->find("nprocs");
    if (!there) continue;
    auto column = cast(*there, nprocs_field, module.name);
    if (!column) return column.error();
    auto values = column->values<std::int64_t>();
    for (std::size_t r = 0; r < values.size(); ++r) {
      if (!column->valid(static_cast<std::int64_t>(r))) continue;
      if (!known) known = values[r];
      if (*known != values[r])
        return invalid_argument(
            module.name, fmt::format("records of jobs with {} and with {} processes: group them by a key that keeps "
                                     "the jobs apart (nprocs, jobid, job, log), or drop the column nprocs",
                                     *known, values[r]));
    }
  }
  return {};
}

/// An error if a key would take the place of what an aggregate has beside counters.
std::optional<Error> check_keys(const Module& module, const GivenOptions& options) {
  if (!options.grouping) return {};
  Table keys = options.grouping->groups().keys();
  auto taken = [&](std::string_view name) { return keys.find(name) != nullptr; };
  std::string_view name = taken("records") ? "records" : "";
  for (const auto& group : module.groups)
    if (taken(group.list)) name = group.list;
  if (name.empty()) return {};
  return invalid_argument(module.name,
                          fmt::format("a key must not be called {}, as a column of the aggregate is: rename it", name));
}

std::shared_ptr<const Table> without(const Table& table, const std::vector<std::string>& columns) {
  auto rest = std::make_shared<Table>(table);
  std::erase_if(rest->columns,
                [&](const Column& c) { return std::find(columns.begin(), columns.end(), c.name) != columns.end(); });
  return rest;
}

}  // namespace

Result<GivenRecords> given_records(std::span<const Table* const> batches, const GivenOptions& options) {
  GivenRecords given;
  given.module = options.module;
  if (!given.module) {
    auto found = module_of(*batches[0]);
    if (!found) return found.error();
    given.module = *found;
  }
  const Module& module = *given.module;
  if (auto able = Accumulator::create(module); !able) return able.error();
  if (auto error = check_jobs(batches, module, options)) return *error;
  Doubts doubts(options.nprocs);
  for (const Table* batch : batches) {
    bool is_ours = batch->module == &module;
    GivenTable table{*batch, {}};  // one of ours is what it should be
    if (!is_ours) {
      auto made = given_table(*batch, module);
      if (!made) {
        // The whole table tells the row.
        auto all = given_table(join(batches), module);
        return all ? made.error() : all.error();
      }
      table = std::move(*made);
      given.absent = std::move(table.absent);
    }
    auto& groups = given.groups.emplace_back();
    if (options.grouping) {
      auto numbers = options.grouping->number(table.table);
      if (!numbers) return numbers.error();
      groups = std::move(*numbers);
    }
    if (!is_ours) doubts.look(table.table, groups);
    given.batches.push_back(std::move(table.table));
  }
  if (auto error = check_keys(module, options)) return *error;
  doubts.tell(module, given.problems);
  return given;
}

Result<Aggregate> aggregate(const GivenRecords& given, const Grouping* grouping) {
  auto records = Accumulator::create(*given.module);
  if (!records) return records.error();
  for (std::size_t b = 0; b < given.batches.size(); ++b)
    if (auto added = records->add(given.batches[b], given.groups[b]); !added) return added.error();
  Aggregate result = aggregate(*records, grouping);
  result.problems.insert(result.problems.end(), given.problems.begin(), given.problems.end());
  if (!given.absent.empty()) {
    result.table = without(*result.table, given.absent);
    result.missing = without(*result.missing, given.absent);
  }
  return result;
}

Result<Aggregate> aggregate(std::span<const Table* const> batches, const GivenOptions& options) {
  auto given = given_records(batches, options);
  return given ? aggregate(*given, options.grouping) : given.error();
}

}  // namespace darrow

/// darrow._core.RecordSums, GroupSummary: logs added up, one after the other, by groups.
#include <nanobind/stl/pair.h>

#include "bindings.hpp"
#include "darrow/group_summary.hpp"
#include "darrow/record_sums.hpp"
#include "darrow/scan.hpp"
#include "darrow/summary.hpp"
#include "grouping.hpp"

namespace darrow::python {
namespace {

using Ids = std::optional<std::vector<std::uint64_t>>;

Ids ids_of(const LogHandle& log, const Ids& ids, const std::optional<std::string>& pattern,
           const std::optional<std::vector<std::string>>& names) {
  std::optional<Pattern> compiled;
  if (pattern) compiled = Pattern::compile(*pattern).value();
  nb::gil_scoped_release release;
  return wanted_ids(*log.log, ids, compiled, names).value();
}

RecordSums record_sums(std::string_view module, const Keys& keys, const Patterns& patterns) {
  return RecordSums::create(module, parsed_of_logs(keys), compiled(patterns)).value();
}

std::int64_t add_records(RecordSums& self, const LogHandle& log, Ids ids,
                         std::optional<std::vector<std::int64_t>> ranks) {
  TableOptions rows;
  rows.ids = std::move(ids);
  rows.ranks = std::move(ranks);
  nb::gil_scoped_release release;
  return self.add(*log.log, rows).value();
}

AggregateParts sums_of(const RecordSums& self) {
  Aggregate result;
  {
    nb::gil_scoped_release release;
    result = self.result();
  }
  return parts_of(std::move(result));
}

GroupSummary group_summary(const Keys& keys, const Patterns& patterns, std::vector<std::string> modules, bool bottom) {
  GroupSummaryOptions options;
  options.keys = parsed_of_logs(keys);
  options.patterns = compiled(patterns);
  (void)named_modules(modules, bottom).value();
  options.modules = std::move(modules);
  options.bottom = bottom;
  if (auto error = Grouping(options.keys, options.patterns).check()) throw ErrorException(*error);
  return GroupSummary(std::move(options));
}

void add_log(GroupSummary& self, const LogHandle& log) {
  nb::gil_scoped_release release;
  if (auto error = self.add(*log.log)) throw ErrorException(*error);
}

std::tuple<TableHandle, std::vector<ProblemRow>> groups_of(const GroupSummary& self, std::string_view sort) {
  std::shared_ptr<const Table> table;
  std::vector<Problem> problems;
  {
    nb::gil_scoped_release release;
    table = self.groups(sort).value().table;
    problems = self.problems();
  }
  return {TableHandle{std::move(table)}, rows_of(problems)};
}

}  // namespace

void bind_many_logs(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<RecordSums>(m, "RecordSums")
      .def_static("create", record_sums, "module"_a, "keys"_a, "patterns"_a)
      .def("add", add_records, "log"_a, "ids"_a.none(), "ranks"_a.none())
      .def(
          "merge", [](RecordSums& self, const RecordSums& other) { return self.merge(other).value(); }, "other"_a,
          nb::call_guard<nb::gil_scoped_release>())
      .def("parts", sums_of);
  nb::class_<GroupSummary>(m, "GroupSummary")
      .def_static("create", group_summary, "keys"_a, "patterns"_a, "modules"_a, "bottom"_a)
      .def("add", add_log, "log"_a)
      .def(
          "merge", [](GroupSummary& self, GroupSummary& other) { self.merge(std::move(other)); }, "other"_a,
          nb::call_guard<nb::gil_scoped_release>())
      .def("groups", groups_of, "sort"_a);
  m.def("ids_of", ids_of, "log"_a, "ids"_a.none(), "pattern"_a.none(), "names"_a.none());
  m.def("check_pattern", [](const std::string& expression) { (void)Pattern::compile(expression).value(); });
}

}  // namespace darrow::python

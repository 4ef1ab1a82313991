#include "darrow/scan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/invalid_argument.hpp"
#include "scan/state.hpp"

namespace darrow {
namespace {

Error no_table(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& t : scan_tables()) names.push_back(t.name);
  return {.code = ErrorCode::not_found,
          .message = fmt::format("no table \"{}\"; there are {}", name, fmt::join(names, ", ")),
          .file = {},
          .region = {},
          .offset = {}};
}

/// What is read first: modules, then what is cheap once they were read, problems at the end.
int turn_of(const ScanTable& table) {
  if (table.module) return 0;
  if (table.of_log == LogTable::problems) return 3;
  return table.of_log == LogTable::modules ? 2 : 1;
}

}  // namespace

Result<std::shared_ptr<const Table>> scan_schema(std::string_view name, const std::vector<std::string>& columns) {
  const ScanTable* table = find_scan_table(name);
  if (!table) return no_table(name);
  auto chosen = choose(columns);
  auto others = columns_of(*table, chosen.others);
  if (!others) return others.error();
  return BatchBuilder(*others, chosen.log, chosen.jobid, {1, 1}).schema();
}

Result<std::unique_ptr<Scan>> Scan::create(std::vector<std::string> logs, ScanOptions options) {
  std::vector<const ScanTable*> tables;
  for (const auto& name : options.tables) {
    const ScanTable* table = find_scan_table(name);
    if (!table) return no_table(name);
    if (!std::ranges::count(tables, table)) tables.push_back(table);
  }
  if (tables.empty())
    for (const auto& table : scan_tables()) tables.push_back(&table);
  if (!options.columns.empty() && tables.size() > 1)
    return invalid_argument("", "columns can be chosen of a single table only");
  std::ranges::stable_sort(tables, {}, [](const ScanTable* t) { return turn_of(*t); });

  const auto columns = choose(options.columns);
  auto state = std::make_unique<State>(std::move(logs), std::move(options));
  for (const ScanTable* table : tables)
    if (auto e = state->add_output(*table, columns)) return *e;
  return std::unique_ptr<Scan>(new Scan(std::move(state)));
}

Scan::Scan(std::unique_ptr<State> state) : state_(std::move(state)) {}
Scan::~Scan() = default;

Result<std::shared_ptr<const Table>> Scan::next(const std::function<void()>& meanwhile) {
  return state_->next(meanwhile);
}

ScanCounters Scan::counters() const { return state_->counters(); }
const std::vector<ScanFailure>& Scan::failures() const { return state_->failures; }

}  // namespace darrow

#include "darrow/diff.hpp"

#include <fmt/format.h>

#include "base/guarded.hpp"
#include "diff/comparison.hpp"
#include "diff/match.hpp"
#include "diff/record_pairs.hpp"

namespace darrow {
namespace {

using namespace diffing;
using util_text::Source;

void compare_records(Comparison& comparison, const ModulePair& pair) {
  IdOrder of_headers, order;
  if (!parser_text(*pair.any().module).header.empty())
    RecordPairs(comparison, pair, TableOptions::Part::header, of_headers).compare_all();
  RecordPairs(comparison, pair, TableOptions::Part::rows, order).compare_all();
}

/// Module by module.
DiffEnd compare_all(Comparison& comparison) {
  compare_jobs(comparison);
  compare_names(comparison);
  for (const auto& pair : module_pairs(comparison.a(), comparison.b())) {
    if (pair.any().module && comparison.rules().ignores_module(*pair.any().module)) continue;
    compare_module_facts(comparison, pair);
    if (!ModulePair::has_records(pair.a) && !ModulePair::has_records(pair.b)) continue;
    if ((pair.a && pair.a->status != ModuleStatus::readable) || (pair.b && pair.b->status != ModuleStatus::readable))
      continue;  // their bytes were compared
    if (pair.any().module->shape == Shape::segments) compare_traces(comparison, pair);
    else compare_records(comparison, pair);
  }
  return comparison.end();
}

/// Whether darshan-diff compares a module; tells why not. Where it would crash, nothing is compared either.
bool upstream_compares(Comparison& comparison, const ModulePair& pair) {
  const ModuleInfo& info = pair.any();
  if (!ModulePair::has_records(pair.a) && !ModulePair::has_records(pair.b)) return false;
  if (info.module->shape == Shape::segments) return false;
  const ParserText& text = parser_text(*info.module);
  if (text.is_heatmap || text.components || text.optional || info.module->example) {
    comparison.complain(fmt::format("{}: darshan-diff cannot compare it: skipped", info.name));
    return false;
  }
  if (ModulePair::has_records(pair.a) && ModulePair::has_records(pair.b) && pair.a->version != pair.b->version)
    comparison.complain(fmt::format("{}: versions {} and {}: ids of both logs are skipped", info.name, pair.a->version,
                                    pair.b->version));
  return true;
}

/// Adds the ids of all records that darshan-diff looks at, in the order of modules and records.
void number_all_ids(Comparison& comparison, const Source& source, IdOrder& order) {
  for (const auto& info : source.modules) {
    if (!ModulePair::has_records(&info) || info.module->shape == Shape::segments) continue;
    if (parser_text(*info.module).optional) continue;
    TableOptions ids;
    ids.columns = {std::string(id_field.name)};
    auto rows = source.log.scan(info.name, ids, [&](const Table& batch) { number_ids(batch, order); });
    if (!rows) comparison.lose(info.name, rows.error());
  }
}

/// In the order of darshan-diff: by the ids of the first log, then those of the second only.
DiffEnd compare_as_upstream(Comparison& comparison, const DiffOutput& output) {
  compare_jobs(comparison);
  IdOrder order;
  number_all_ids(comparison, comparison.a(), order);
  const std::size_t of_a = order.size();
  number_all_ids(comparison, comparison.b(), order);
  std::vector<RecordPairs> modules;
  for (const auto& pair : module_pairs(comparison.a(), comparison.b()))
    if (upstream_compares(comparison, pair)) modules.emplace_back(comparison, pair, TableOptions::Part::rows, order);
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (place < of_a) output.next_id();
    for (auto& module : modules) module.compare_id(place);
  }
  return comparison.end();
}

}  // namespace

std::string_view to_string(Difference::Kind kind) {
  constexpr std::string_view names[] = {"job", "metadata", "mount", "name", "module", "record", "trace", "metric"};
  return names[static_cast<std::size_t>(kind)];
}

Result<DiffEnd> diff(const Log& a, const Log& b, const DiffOptions& options, const DiffOutput& output) {
  return guarded({}, [&]() -> Result<DiffEnd> {
    auto rules = Rules::create(options);
    if (!rules) return rules.error();
    const auto build = options.compat ? std::optional(UtilBuild::main) : std::nullopt;
    auto left = Source::open(a, build, options.compat);
    if (!left) return left.error();
    auto right = Source::open(b, build, options.compat);
    if (!right) return right.error();
    Comparison comparison(*left, *right, *rules, output);
    return options.compat ? compare_as_upstream(comparison, output) : compare_all(comparison);
  });
}

}  // namespace darrow

#include "darrow/diff.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/guarded.hpp"
#include "diff/comparison.hpp"

namespace darrow {
namespace {

using namespace diffing;
using util_text::Source;

/// Module by module: nothing is held.
DiffEnd compare_all(Comparison& comparison) {
  compare_jobs(comparison);
  compare_names(comparison);
  for (const auto& pair : module_pairs(comparison.a(), comparison.b())) {
    if (pair.any().module && comparison.rules().ignores_module(*pair.any().module)) continue;
    compare_module_facts(comparison, pair);
    if (!ModulePair::has_records(pair.a) && !ModulePair::has_records(pair.b)) continue;
    if ((pair.a && pair.a->status != ModuleStatus::readable) || (pair.b && pair.b->status != ModuleStatus::readable))
      continue;  // their bytes were compared
    IdOrder order;
    if (pair.any().module->shape == Shape::segments) compare_traces(comparison, pair);
    else compare_records(comparison, pair, order);
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

/// In the order of darshan-diff: by the ids of the first log, then those of the second only.
DiffEnd compare_as_upstream(const Source& a, const Source& b, const Rules& rules, const DiffOutput& output) {
  std::vector<std::pair<std::size_t, Difference>> held;  // by the order of their ids
  IdOrder order;
  DiffOutput hold = output;
  hold.difference = [&](const Difference& difference) {
    if (difference.id) held.emplace_back(order.at(*difference.id), difference);
    else output.difference(difference);
  };
  Comparison comparison(a, b, rules, hold);
  compare_jobs(comparison);
  number_all_ids(comparison, a, order);
  const std::size_t of_a = order.size();
  number_all_ids(comparison, b, order);
  for (const auto& pair : module_pairs(a, b))
    if (upstream_compares(comparison, pair)) compare_records(comparison, pair, order);
  std::ranges::stable_sort(held, {}, [](const auto& one) { return one.first; });
  auto next = held.begin();
  for (std::size_t id = 0; id < of_a; ++id) {
    output.next_id();
    for (; next != held.end() && next->first == id; ++next) output.difference(next->second);
  }
  for (; next != held.end(); ++next) output.difference(next->second);
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
    if (options.compat) return compare_as_upstream(*left, *right, *rules, output);
    Comparison comparison(*left, *right, *rules, output);
    return compare_all(comparison);
  });
}

}  // namespace darrow

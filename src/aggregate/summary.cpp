#include "darrow/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aggregate/layer_sums.hpp"
#include "aggregate/mount_groups.hpp"
#include "base/invalid_argument.hpp"
#include "darrow/aggregate.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

/// One module summed up.
struct Layer {
  const ModuleInfo* info;
  std::shared_ptr<const Table> records, missing;
  std::vector<Problem> problems;
  Facts facts;
  bool is_damaged;
};

Error invalid(const Log& log, ErrorCode code, std::string message) {
  return {.code = code, .message = std::move(message), .file = log.path(), .region = {}, .offset = {}};
}

/// The modules to sum up, by ascending id.
Result<std::vector<const ModuleInfo*>> chosen(const Log& log, const SummaryOptions& options) {
  for (const auto& name : options.modules) {
    const ModuleInfo* info = log.module(name);
    if (!info) return invalid(log, ErrorCode::not_found, fmt::format("no module \"{}\" in this log", name));
    if (info->module && !info->module->instead.empty())
      return invalid(log, ErrorCode::invalid_argument,
                     fmt::format("records of {} do not combine into one: {}", info->name, info->module->instead));
    if (options.bottom && info->module && !info->module->bottom)
      return invalid(log, ErrorCode::invalid_argument, fmt::format("{} is not part of the bottom layer", info->name));
  }
  auto named = [&](const ModuleInfo& info) {
    return options.modules.empty() || std::any_of(options.modules.begin(), options.modules.end(),
                                                  [&](const auto& name) { return log.module(name) == &info; });
  };
  std::vector<const ModuleInfo*> list;
  for (const auto& info : log.modules())
    if (LayerSums::has(info) && named(info)) list.push_back(&info);
  return list;
}

std::shared_ptr<const Table> shared(Table table) { return std::make_shared<const Table>(std::move(table)); }

std::shared_ptr<const Table> mount_table(const Activity& activity, const std::vector<MountGroups::Mounted>& mounts) {
  auto facts = activity.facts(false);
  facts.resize(mounts.size());  // without records there is a group, but no mount
  std::vector<std::string> labels(facts.size());
  Table table = layer_table("mount", labels, facts);
  TextBuilder paths("mount"), types("fs_type");
  auto add = [](TextBuilder& texts, const std::optional<std::string>& text) {
    if (text) texts.add(*text);
    else texts.add_null();
  };
  for (std::size_t g = 0; g < facts.size(); ++g) {
    add(paths, mounts[g].path);
    add(types, mounts[g].fs_type);
  }
  table.name = "mounts";
  table.columns[0] = std::move(paths).finish();
  table.columns.insert(table.columns.begin() + 1, std::move(types).finish());
  return shared(std::move(table));
}

void add_all(std::vector<Problem>& to, const std::vector<Problem>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Adds two that have the same groups: the smaller one to the larger.
Activity united(Activity a, Activity b) {
  if (a.files() < b.files()) std::swap(a, b);
  a.merge(b).value();
  return a;
}

}  // namespace

bool is_damaged(const Log& log, std::string_view module) { return is_damaged(log.problems(), module); }

Facts facts_of(const Activity& records, bool damaged) {
  Facts facts = records.total();
  if (damaged && facts.records == 0) return {};
  return facts;
}

Result<std::vector<const Module*>> named_modules(const std::vector<std::string>& names, bool bottom) {
  std::vector<std::string_view> known;
  for (const Module* module : modules())
    if (!module->example && module->instead.empty() && (module->bottom || !bottom)) known.push_back(module->name);
  std::vector<const Module*> list;
  for (const auto& name : names) {
    const Module* module = find_module(name);
    if (!module)
      return invalid_argument("",
                              fmt::format("no module is called \"{}\"; there are: {}", name, fmt::join(known, ", ")));
    if (!module->instead.empty())
      return invalid_argument("",
                              fmt::format("records of {} do not combine into one: {}", module->name, module->instead));
    if (bottom && !module->bottom)
      return invalid_argument(
          "", fmt::format("{} is not of the bottom layer; these are: {}", module->name, fmt::join(known, ", ")));
    if (!std::ranges::count(list, module)) list.push_back(module);
  }
  return list;
}

Result<Summary> summarize(const Log& log, const SummaryOptions& options) {
  auto modules = chosen(log, options);
  if (!modules) return modules.error();
  std::int64_t nprocs = log.job() ? log.job()->nprocs : 0;
  Activity bottom(nprocs);  // in groups of mounts
  std::shared_ptr<const NamePlaces> names;
  std::optional<MountGroups> mounts;
  std::vector<Layer> layers;

  for (const ModuleInfo* info : *modules) {
    const Module& module = *info->module;
    if (options.bottom && !module.bottom) continue;
    auto records = Accumulator::create(module);
    if (!records) return records.error();
    if (module.bottom && !names) {
      auto all = log.name_places();
      if (!all) return all.error();
      names = *all;
      mounts.emplace(log, names);
    }
    Activity activity(nprocs);
    // There are no more files than names, and each takes some compressed bytes.
    if (names) activity.reserve(std::min(static_cast<std::size_t>(names->size()), std::size_t{info->length} / 32));
    std::optional<Error> failure;
    auto keep = [&](const Result<std::int64_t>& added) {
      if (!added && !failure) failure = added.error();
    };
    auto add = [&](const Table& batch) {
      keep(records->add(batch));
      std::vector<std::int64_t> numbers;
      if (names) numbers = names->find_all(batch.find("id")->values<std::uint64_t>());
      if (module.bottom) keep(activity.add(batch, mounts->of(batch, numbers), numbers));
      else keep(activity.add(batch, {}, numbers));
    };
    TableOptions counters;
    counters.columns = Accumulator::columns(module);
    auto rows = log.scan(info->name, counters, add);
    if (!rows) return rows.error();
    if (failure) return *failure;
    const bool damaged = is_damaged(log, info->name);
    auto [table, missing] = records->tables();
    layers.push_back({info, table, missing, records->problems(), facts_of(activity, damaged), damaged});
    add_all(layers.back().problems, metric_problems(info->name, layers.back().facts));
    if (module.bottom) bottom = united(std::move(bottom), std::move(activity));
  }

  Summary summary;
  LayerRows rows;
  for (auto& layer : layers) {
    rows.add(layer.info->name, std::move(layer.facts), layer.info->partial, layer.is_damaged);
    summary.records.push_back(std::move(layer.records));
    summary.missing.push_back(std::move(layer.missing));
  }
  if (options.bottom && !layers.empty()) {
    auto any = [](const auto& flags) { return std::ranges::any_of(flags, [](auto flag) { return *flag; }); };
    LayerRows together;
    together.add("bottom", bottom.total(), any(rows.partial), any(rows.damaged));
    rows = std::move(together);
    add_all(summary.problems, metric_problems("bottom", rows.facts[0]));
  }
  summary.layers = shared(rows.table());
  summary.categories = shared(category_table("module", rows.labels, rows.facts));
  summary.access_sizes = shared(access_size_table("module", rows.labels, rows.facts));
  summary.common_accesses = shared(common_access_table("module", rows.labels, rows.facts));
  summary.mounts = mount_table(bottom, mounts ? mounts->mounts() : std::vector<MountGroups::Mounted>());
  add_all(summary.problems, log.problems());
  for (const auto& layer : layers) add_all(summary.problems, layer.problems);
  return summary;
}

}  // namespace darrow

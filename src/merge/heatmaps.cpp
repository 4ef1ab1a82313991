#include "merge/heatmaps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "merge/scan.hpp"
#include "modules/tables.hpp"
#include "table/build.hpp"

namespace darrow::merging {
namespace {

constexpr std::array<std::string_view, 2> ops = {"write", "read"};

std::span<const std::int64_t> bins_of(const Column& list, std::size_t row) {
  auto offsets = list.offsets.as<std::int32_t>();
  auto first = static_cast<std::size_t>(offsets[row]), last = static_cast<std::size_t>(offsets[row + 1]);
  return list.children[0].values<std::int64_t>().subspan(first, last - first);
}

/// How many bins of `width` make one of `widest`; 0 if none do exactly.
std::int64_t bins_in_one(double width, double widest) {
  double times = std::round(widest / width);
  bool is_exact = times >= 1 && times <= 1e9 && std::fabs(times * width - widest) <= 1e-9 * widest;
  return is_exact ? static_cast<std::int64_t>(times) : 0;
}

/// What the records of a layer look like.
struct Shapes {
  std::vector<std::pair<double, std::int64_t>> all;  ///< width and bins
  bool usual = true;                                 ///< widths above 0, no negative bins
};

}  // namespace

Result<EvenHeatmaps> EvenHeatmaps::find(Logs logs, const Runs& runs, const Module& module) {
  EvenHeatmaps found;
  bool any_unfinished = std::ranges::any_of(logs, [](auto& log) { return !log->job()->run_time; });
  if (&module != &tables::heatmap || !any_unfinished || runs.several()) return found;
  std::map<std::uint64_t, Shapes> layers;
  auto look = [&](std::size_t, const Table& batch) {
    auto ids = batch.find("id")->values<std::uint64_t>();
    auto widths = batch.find("bin_width")->values<double>();
    for (std::size_t row = 0; row < ids.size(); ++row) {
      Shapes& layer = layers[ids[row]];
      std::size_t most = 0;
      for (auto op : ops) {
        auto bins = bins_of(*batch.find(op), row);
        most = std::max(most, bins.size());
        layer.usual &= std::ranges::all_of(bins, [](auto bytes) { return bytes >= 0; });
      }
      layer.usual &= std::isfinite(widths[row]) && widths[row] > 0;
      layer.all.emplace_back(widths[row], static_cast<std::int64_t>(most));
    }
  };
  TableOptions options;
  options.columns = {"id", "rank", "bin_width", "write", "read"};
  if (auto error = scan_all(logs, runs, module.name, options, look)) return *error;
  for (const auto& [id, layer] : layers) {
    bool differ = std::ranges::any_of(layer.all, [&](auto& shape) { return shape != layer.all[0]; });
    if (!differ || !layer.usual) continue;
    Goal goal;
    for (const auto& [width, bins] : layer.all) goal.width = std::max(goal.width, width);
    bool exact = true;
    for (const auto& [width, bins] : layer.all) {
      auto each = bins_in_one(width, goal.width);
      exact &= each > 0;
      if (exact) goal.bins = std::max(goal.bins, (bins + each - 1) / each);
    }
    if (exact) found.goals_[id] = goal;
  }
  return found;
}

Table EvenHeatmaps::even(const Table& records) const {
  auto ids = records.find("id")->values<std::uint64_t>();
  auto widths = records.find("bin_width")->values<double>();
  std::vector<std::optional<double>> new_widths;
  std::vector<std::optional<std::int64_t>> counts;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    auto goal = goals_.find(ids[row]);
    bool stays = goal == goals_.end();
    new_widths.emplace_back(stays ? widths[row] : goal->second.width);
    counts.emplace_back(stays ? static_cast<std::int64_t>(bins_of(*records.find(ops[0]), row).size())
                              : goal->second.bins);
  }
  Table table = records;
  table.columns = {*records.find("id"), *records.find("rank"), value_column("bin_width", new_widths),
                   value_column("nbins", counts)};
  for (auto op : ops) {
    std::vector<std::optional<std::int64_t>> items;
    std::vector<std::int32_t> ends{0};
    for (std::size_t row = 0; row < ids.size(); ++row) {
      auto bins = bins_of(*records.find(op), row);
      auto each = goals_.contains(ids[row]) ? bins_in_one(widths[row], *new_widths[row]) : 1;
      std::vector<std::int64_t> sums(static_cast<std::size_t>(*counts[row]));
      for (std::size_t i = 0; i < bins.size(); ++i) sums[i / static_cast<std::size_t>(each)] += bins[i];
      items.insert(items.end(), sums.begin(), sums.end());
      ends.push_back(static_cast<std::int32_t>(items.size()));
    }
    table.columns.push_back(list_column(std::string(op), ends, value_column("item", items)));
  }
  return table;
}

}  // namespace darrow::merging

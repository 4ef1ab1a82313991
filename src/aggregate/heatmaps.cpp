// Heat maps of several ranks as one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "aggregate/exact_sum.hpp"
#include "base/problem_sink.hpp"
#include "darrow/aggregate.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

constexpr std::string_view ops[] = {"write", "read"};

/// The columns of a HEATMAP table that adding needs.
struct Columns {
  const Column *id, *layer, *width, *bins[2];
};

/// The heat maps of one layer while they are added up.
struct HeatmapLayer {
  std::optional<std::string> name;
  std::int64_t records = 0;
  double widest = 0;  ///< of the usual widths; 0: there is none
  std::vector<CountSum> sums[2];
};

bool is_usual(double width) { return width > 0 && std::isfinite(width); }

/// Adds bins of one width to those of the widest. Returns how many were left out.
std::int64_t add(std::vector<CountSum>& sums, std::span<const std::int64_t> bins, double width, double widest) {
  double scale = is_usual(width) ? width / widest : 1.0;
  auto place = [&](std::size_t i) {
    return scale == 1.0 ? i : static_cast<std::size_t>((static_cast<double>(i) + 0.5) * scale);
  };
  if (!bins.empty()) sums.resize(std::max(sums.size(), place(bins.size() - 1) + 1));
  std::int64_t rejected = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i] < 0) ++rejected;
    else sums[place(i)].add(bins[i]);
  }
  return rejected;
}

/// The columns that are needed, or the name of one that is not there.
std::string_view find_columns(const Table& table, Columns& columns) {
  auto find = [&](std::string_view name, const Column*& column, auto fits) -> std::string_view {
    column = table.find(name);
    return column && fits(*column) ? std::string_view() : name;
  };
  auto of_type = [](ColumnType type) { return [type](const Column& c) { return c.type == type; }; };
  auto is_bins = [](const Column& c) { return c.type == ColumnType::list && c.children[0].type == ColumnType::i64; };
  for (auto lacks :
       {find("id", columns.id, of_type(ColumnType::u64)), find("layer", columns.layer, of_type(ColumnType::utf8)),
        find("bin_width", columns.width, of_type(ColumnType::f64)), find(ops[0], columns.bins[0], is_bins),
        find(ops[1], columns.bins[1], is_bins)})
    if (!lacks.empty()) return lacks;
  return {};
}

/// The layer of each row: those without a name by their id.
std::vector<std::size_t> group(const Table& table, const Columns& columns, std::vector<HeatmapLayer>& layers) {
  std::vector<std::size_t> layer_of(static_cast<std::size_t>(table.rows));
  std::map<std::pair<std::string_view, std::uint64_t>, std::size_t> numbers;
  for (std::int64_t r = 0; r < table.rows; ++r) {
    auto row = static_cast<std::size_t>(r);
    bool named = columns.layer->valid(r);
    std::string_view name = named ? columns.layer->text(r) : std::string_view();
    auto [at, is_new] =
        numbers.try_emplace({name, named ? 0 : columns.id->values<std::uint64_t>()[row]}, layers.size());
    if (is_new) {
      layers.emplace_back();
      if (named) layers.back().name = name;
    }
    HeatmapLayer& layer = layers[layer_of[row] = at->second];
    ++layer.records;
    double width = columns.width->values<double>()[row];
    if (is_usual(width)) layer.widest = std::max(layer.widest, width);
  }
  return layer_of;
}

/// The sums of one operation, a row a layer, as long as the longest of the layer.
Column bins_column(std::string_view op, const std::vector<HeatmapLayer>& layers, std::span<const std::int64_t> nbins) {
  std::vector<std::int32_t> offsets{0};
  std::vector<std::optional<std::int64_t>> items;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto& sums = layers[i].sums[op == ops[1]];
    for (const auto& s : sums) items.push_back(s.overflow ? std::nullopt : std::optional(s.sum));
    items.resize(items.size() + (static_cast<std::size_t>(nbins[i]) - sums.size()), 0);
    offsets.push_back(static_cast<std::int32_t>(items.size()));
  }
  return list_column(std::string(op), offsets, value_column<std::int64_t>("item", items));
}

}  // namespace

Result<std::shared_ptr<const Table>> add_heatmaps(const Table& heatmaps, std::vector<Problem>* problems) {
  Columns columns;
  if (auto lacks = find_columns(heatmaps, columns); !lacks.empty())
    return Error{.code = ErrorCode::invalid_argument,
                 .message = fmt::format("{} is no table of heat maps: it lacks column {}", heatmaps.name, lacks),
                 .file = {},
                 .region = heatmaps.name,
                 .offset = {}};
  std::vector<HeatmapLayer> layers;
  auto layer_of = group(heatmaps, columns, layers);
  std::int64_t rejected = 0;
  for (std::size_t r = 0; r < layer_of.size(); ++r) {
    HeatmapLayer& layer = layers[layer_of[r]];
    for (std::size_t op = 0; op < 2; ++op) {
      auto offsets = columns.bins[op]->offsets.as<std::int32_t>();
      auto first = static_cast<std::size_t>(offsets[r]), last = static_cast<std::size_t>(offsets[r + 1]);
      auto bins = columns.bins[op]->children[0].values<std::int64_t>().subspan(first, last - first);
      rejected += add(layer.sums[op], bins, columns.width->values<double>()[r], layer.widest);
    }
  }

  TextBuilder names("layer");
  std::vector<std::optional<std::int64_t>> records;
  std::vector<std::optional<double>> widths;
  std::vector<std::int64_t> nbins;
  std::int64_t overflows = 0;
  for (const auto& layer : layers) {
    if (layer.name) names.add(*layer.name);
    else names.add_null();
    records.emplace_back(layer.records);
    widths.push_back(layer.widest > 0 ? std::optional(layer.widest) : std::nullopt);
    nbins.push_back(static_cast<std::int64_t>(std::max(layer.sums[0].size(), layer.sums[1].size())));
    for (const auto& sums : layer.sums)
      overflows += std::count_if(sums.begin(), sums.end(), [](const CountSum& s) { return s.overflow; });
  }
  auto table = std::make_shared<Table>();
  table->name = heatmaps.name;
  table->rows = static_cast<std::int64_t>(layers.size());
  table->columns.push_back(std::move(names).finish());
  table->columns.push_back(value_column<std::int64_t>("records", records));
  table->columns.push_back(value_column<double>("bin_width", widths));
  table->columns.push_back(value_column<std::int64_t>("nbins", {nbins.begin(), nbins.end()}));
  for (auto op : ops) table->columns.push_back(bins_column(op, layers, nbins));
  if (problems) {
    ProblemSink sink(heatmaps.name, heatmaps.name, *problems);
    if (rejected)
      sink.add(ProblemKind::negative_bins, fmt::format("bins of negative bytes left out of the sum: {}", rejected),
               rejected);
    if (overflows)
      sink.add(ProblemKind::sum_overflow, fmt::format("sums that do not fit 64 bits: {} bins", overflows), overflows);
  }
  return std::shared_ptr<const Table>(std::move(table));
}

}  // namespace darrow

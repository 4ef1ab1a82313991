/// Heat maps added over ranks, by hand.
#include <gtest/gtest.h>

#include <limits>

#include "darrow/aggregate.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

using Bins = std::vector<std::int64_t>;

/// A heat map of one rank; an empty layer has no name.
struct Map {
  std::uint64_t id;
  std::string layer;
  double width;
  Bins write, read;
};

Column bins_column(const std::string& name, const std::vector<Map>& maps, Bins Map::* bins) {
  std::vector<std::int32_t> offsets{0};
  std::vector<std::optional<std::int64_t>> items;
  for (const auto& map : maps) {
    items.insert(items.end(), (map.*bins).begin(), (map.*bins).end());
    offsets.push_back(static_cast<std::int32_t>(items.size()));
  }
  return list_column(name, offsets, value_column<std::int64_t>("item", items));
}

Table table_of(const std::vector<Map>& maps) {
  std::vector<std::optional<std::uint64_t>> ids;
  std::vector<std::optional<double>> widths;
  TextBuilder layers("layer");
  for (const auto& map : maps) {
    ids.emplace_back(map.id);
    widths.emplace_back(map.width);
    if (map.layer.empty()) layers.add_null();
    else layers.add(map.layer);
  }
  Table table;
  table.name = "HEATMAP";
  table.rows = static_cast<std::int64_t>(maps.size());
  table.columns = {value_column<std::uint64_t>("id", ids), std::move(layers).finish(),
                   value_column<double>("bin_width", widths), bins_column("write", maps, &Map::write),
                   bins_column("read", maps, &Map::read)};
  return table;
}

struct Sum {
  std::vector<Problem> problems;
  std::shared_ptr<const Table> table;

  explicit Sum(const std::vector<Map>& maps) : table(add_heatmaps(table_of(maps), &problems).value()) {}
  std::int64_t i(const char* column, std::size_t row = 0) const {
    return table->find(column)->values<std::int64_t>()[row];
  }
  double width(std::size_t row = 0) const { return table->find("bin_width")->values<double>()[row]; }
  Bins bins(const char* column, std::size_t row = 0) const {
    const Column* c = table->find(column);
    auto offsets = c->offsets.as<std::int32_t>();
    auto values = c->children[0].values<std::int64_t>();
    return {values.begin() + offsets[row], values.begin() + offsets[row + 1]};
  }
};

TEST(Heatmaps, AddBinByBinPerLayer) {
  Sum sum({{1, "POSIX", 0.1, {1, 2, 3}, {0, 0, 7}},
           {2, "STDIO", 0.1, {5}, {6}},
           {1, "POSIX", 0.1, {10, 20, 30}, {1, 1, 1}}});
  ASSERT_EQ(sum.table->rows, 2);
  EXPECT_EQ(sum.table->find("layer")->text(0), "POSIX");
  EXPECT_EQ(sum.table->find("layer")->text(1), "STDIO");
  EXPECT_EQ(sum.i("records"), 2);
  EXPECT_EQ(sum.i("nbins"), 3);
  EXPECT_EQ(sum.width(), 0.1);
  EXPECT_EQ(sum.bins("write"), Bins({11, 22, 33}));
  EXPECT_EQ(sum.bins("read"), Bins({1, 1, 8}));
  EXPECT_EQ(sum.bins("write", 1), Bins({5}));
  EXPECT_TRUE(sum.problems.empty());
}

TEST(Heatmaps, ShorterOnesArePadded) {
  Sum sum({{1, "POSIX", 0.1, {1}, {1, 1, 1, 1}}, {1, "POSIX", 0.1, {1, 2}, {2}}});
  EXPECT_EQ(sum.i("nbins"), 4);
  EXPECT_EQ(sum.bins("write"), Bins({2, 2, 0, 0}));
  EXPECT_EQ(sum.bins("read"), Bins({3, 1, 1, 1}));
}

TEST(Heatmaps, NarrowerBinsGoWhereTheirMiddleLies) {
  // Bins of 1 s into bins of 2.5 s: middles 0.5, 1.5 | 2.5, 3.5, 4.5 | 5.5.
  Sum sum({{1, "POSIX", 1, {1, 2, 4, 8, 16, 32}, {}}, {1, "POSIX", 2.5, {100}, {}}});
  EXPECT_EQ(sum.width(), 2.5);
  EXPECT_EQ(sum.bins("write"), Bins({103, 28, 32}));
}

TEST(Heatmaps, OddWidthsStayBinByBin) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Sum sum({{1, "POSIX", 2, {1, 1}, {}},
           {1, "POSIX", 0, {2, 2}, {}},
           {1, "POSIX", -1, {4, 4}, {}},
           {1, "POSIX", infinity, {8, 8}, {}},
           {1, "POSIX", std::numeric_limits<double>::quiet_NaN(), {16, 16}, {}}});
  EXPECT_EQ(sum.width(), 2);
  EXPECT_EQ(sum.bins("write"), Bins({31, 31}));
  EXPECT_FALSE(Sum({{1, "POSIX", 0, {2, 2}, {}}}).table->find("bin_width")->valid(0));
}

TEST(Heatmaps, NegativeBinsAreLeftOut) {
  Sum sum({{1, "POSIX", 1, {-5, 7}, {-1}}, {1, "POSIX", 1, {1, 1}, {}}});
  EXPECT_EQ(sum.bins("write"), Bins({1, 8}));
  EXPECT_EQ(sum.bins("read"), Bins({0, 0}));
  ASSERT_EQ(sum.problems.size(), 1u);
  EXPECT_EQ(sum.problems[0].kind, ProblemKind::negative_bins);
  EXPECT_EQ(sum.problems[0].count, 2);
}

TEST(Heatmaps, SumsThatDoNotFitAreNull) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  Sum sum({{1, "POSIX", 1, {most, most}, {}}, {1, "POSIX", 1, {1, 0}, {}}});
  const Column& items = sum.table->find("write")->children[0];
  EXPECT_FALSE(items.valid(0));
  EXPECT_TRUE(items.valid(1));
  EXPECT_EQ(sum.bins("write")[1], most);
  ASSERT_EQ(sum.problems.size(), 1u);
  EXPECT_EQ(sum.problems[0].kind, ProblemKind::sum_overflow);
}

TEST(Heatmaps, LayersWithoutANameStayApart) {
  Sum sum({{7, "", 1, {1}, {}}, {8, "", 1, {2}, {}}, {7, "", 1, {4}, {}}});
  ASSERT_EQ(sum.table->rows, 2);
  EXPECT_FALSE(sum.table->find("layer")->valid(0));
  EXPECT_EQ(sum.bins("write", 0), Bins({5}));
  EXPECT_EQ(sum.bins("write", 1), Bins({2}));
}

TEST(Heatmaps, OtherTablesAreRefused) {
  Table table = table_of({{1, "POSIX", 1, {1}, {}}});
  EXPECT_EQ(add_heatmaps(table_of({})).value()->rows, 0);
  table.columns.pop_back();
  auto sum = add_heatmaps(table);
  ASSERT_FALSE(sum);
  EXPECT_EQ(sum.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(sum.error().message.find("read"), std::string::npos);
}

}  // namespace
}  // namespace darrow

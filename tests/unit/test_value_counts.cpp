/// Common values and their counts, worked out by hand.
#include <gtest/gtest.h>

#include <limits>

#include "aggregate/value_counts.hpp"

namespace darrow {
namespace {

using Value = std::vector<std::int64_t>;

TEST(ValueCounts, AddsByValueAndSortsByCountThenValue) {
  ValueCounts counts(1);
  for (auto [value, count] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{4096, 3}, {512, 5}, {4096, 4}, {100, 7}})
    counts.add(0, Value{value}, count);
  counts.add(1, Value{512}, 1);
  auto sorted = counts.sorted(3);
  ASSERT_EQ(sorted[0].size(), 3u);
  EXPECT_EQ(counts.value(sorted[0][0])[0], 4096);  // 7 times as 100 is: the larger value first
  EXPECT_EQ(counts.count(sorted[0][0]), 7);
  EXPECT_EQ(counts.value(sorted[0][1])[0], 100);
  EXPECT_EQ(counts.value(sorted[0][2])[0], 512);
  EXPECT_EQ(sorted[1].size(), 1u);
  EXPECT_TRUE(sorted[2].empty());
}

TEST(ValueCounts, TellsTuplesApartByEveryMember) {
  ValueCounts counts(3);
  counts.add(0, Value{8, 1, 2}, 1);
  counts.add(0, Value{8, 1, 3}, 1);
  counts.add(0, Value{8, 1, 2}, 1);
  EXPECT_EQ(counts.size(), 2u);
}

TEST(ValueCounts, KnowsCountsThatDoNotFit) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  ValueCounts counts(1), other(1);
  counts.add(0, Value{7}, most - 1);
  EXPECT_EQ(counts.count(0), most - 1);
  counts.add(0, Value{7}, 1);
  EXPECT_EQ(counts.count(0), most);
  EXPECT_EQ(counts.overflows(), 0);
  other.add(0, Value{7}, 5);
  counts.merge(other, std::vector<std::uint32_t>{0});
  EXPECT_FALSE(counts.count(0));
  EXPECT_EQ(counts.overflows(), 1);
  // Whatever the order.
  other.merge(counts, std::vector<std::uint32_t>{0});
  EXPECT_FALSE(other.count(0));
}

TEST(ValueCounts, FindsManyValuesAgain) {
  ValueCounts counts(1);
  for (int round = 1; round <= 2; ++round)
    for (std::int64_t v = 1; v <= 10'000; ++v) counts.add(0, Value{v * 4096}, v);
  EXPECT_EQ(counts.size(), 10'000u);
  EXPECT_EQ(counts.count(counts.sorted(1)[0][0]), 20'000);
}

}  // namespace
}  // namespace darrow

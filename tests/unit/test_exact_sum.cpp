/// Sums that are exact: expected values worked out with fractions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "aggregate/exact_sum.hpp"

namespace darrow {
namespace {

double sum(const std::vector<double>& times) {
  TimeSum s;
  for (double t : times) s.add(t);
  return s.value();
}

TEST(TimeSum, IsTheDoubleNextToTheExactSum) {
  EXPECT_EQ(sum({}), 0.0);
  EXPECT_EQ(sum({0.1, 0.2}), 0.30000000000000004);
  // Ten times the double next to 0.1 are 1.000000000000000055…; adding one after the other gives 0.9999999999999999.
  EXPECT_EQ(sum(std::vector<double>(10, 0.1)), 1.0);
  EXPECT_EQ(sum({1e12, 1e-30, 1e-30}), 1e12);
  EXPECT_EQ(sum(std::vector<double>(1 << 20, 1e12)), 1048576e12);
}

TEST(TimeSum, RoundsHalfWayToEven) {
  const double a = 0x1p39, ulp = 0x1p-13;
  EXPECT_EQ(sum({a, ulp / 2}), a);
  EXPECT_EQ(sum({a + ulp, ulp / 2}), a + 2 * ulp);
  EXPECT_EQ(sum({a, ulp / 2, 1e-30}), a + ulp);  // a little more than half
}

TEST(TimeSum, KeepsSingleValues) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-36, 12);
  for (int i = 0; i < 10'000; ++i) {
    double value = std::pow(10.0, exponent(random));
    EXPECT_EQ(sum({value}), value);
    EXPECT_EQ(sum({0, value, -0.0, 0}), value);
  }
  EXPECT_EQ(sum({-0.0}), 0.0);
  EXPECT_EQ(sum({std::numeric_limits<double>::denorm_min()}), 0.0);
}

TEST(TimeSum, DoesNotDependOnTheOrder) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-20, 12);
  std::vector<double> times;
  for (int i = 0; i < 1000; ++i) times.push_back(std::pow(10.0, exponent(random)));
  const double expected = sum(times);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(times.begin(), times.end(), random);
    EXPECT_EQ(sum(times), expected);
    TimeSum left, right;
    for (std::size_t t = 0; t < times.size(); ++t) (t % 7 ? left : right).add(times[t]);
    left.add(right);
    EXPECT_EQ(left.value(), expected);
  }
}

TEST(TimeSum, AddsManyAsOneByOne) {
  std::mt19937_64 random(3);
  for (double spread : {0.0, 3.0, 8.0, 25.0, 48.0}) {
    for (std::size_t count : {0u, 1u, 5u, 1024u, 1025u, 5000u}) {
      std::uniform_real_distribution<double> exponent(12 - spread, 12);
      std::vector<double> times;
      for (std::size_t i = 0; i < count; ++i) times.push_back(i % 5 == 4 ? 0.0 : std::pow(10.0, exponent(random)));
      if (count > 3) times[3] = -0.0;
      for (auto& t : times) t = std::min(t, longest_time);
      TimeSum many;
      EXPECT_TRUE(many.add_all(times));
      EXPECT_EQ(many.value(), sum(times)) << spread << ' ' << count;
      TimeSum other;
      for (double t : times) other.add(t);
      EXPECT_TRUE(many == other);
    }
  }
  for (double bad : {-1e-9, 2e12, std::nan(""), std::numeric_limits<double>::infinity()}) {
    TimeSum none;
    EXPECT_FALSE(none.add_all(std::vector{1.0, bad, 2.0}));
    EXPECT_EQ(none.value(), 0.0);
  }
  TimeSum tiny;
  EXPECT_TRUE(tiny.add_all(std::vector{1e-300, std::numeric_limits<double>::denorm_min(), 1.0}));
  EXPECT_EQ(tiny.value(), 1.0);
}

TEST(TimeSum, Compares) {
  TimeSum a, b;
  a.add(1);
  b.add(1);
  EXPECT_TRUE(a == b);
  b.add(1e-30);
  EXPECT_TRUE(a < b);
  a.add(1e12);
  EXPECT_TRUE(a > b);
}

TEST(CountSum, IsExactOrNothing) {
  CountSum s;
  EXPECT_FALSE(s.value());
  s.add(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(s.value(), std::numeric_limits<std::int64_t>::max());
  s.add(0);
  EXPECT_EQ(s.value(), std::numeric_limits<std::int64_t>::max());
  s.add(1);
  EXPECT_FALSE(s.value());
  CountSum other;
  other.add(5);
  other.merge(s);
  EXPECT_FALSE(other.value());
  EXPECT_EQ(other.terms, 4);
}

}  // namespace
}  // namespace darrow

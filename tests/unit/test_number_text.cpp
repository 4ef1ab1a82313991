// Numbers as text, against printf.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

#include "text/number_text.hpp"

namespace darrow::util_text {
namespace {

std::string ours6(double value) {
  char text[longest_number];
  return {text, put_fixed6(text, value)};
}
std::string ours4(double value) {
  char text[longest_number];
  return {text, put_fixed4(text, value)};
}
std::string theirs(const char* format, double value) {
  char text[400];
  return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, format, value))};
}
void expect_same(double value) {
  ASSERT_EQ(ours6(value), theirs("%f", value)) << std::hexfloat << value;
  ASSERT_EQ(ours4(value), theirs("%.4f", value)) << std::hexfloat << value;
}

TEST(NumberText, SpecialValues) {
  using limits = std::numeric_limits<double>;
  for (double value : {0.0,
                       1.0,
                       0.5,
                       1e-6,
                       5e-7,
                       4.9999999999999998e-7,
                       5.0000000000000004e-7,
                       0.9999995,
                       0.99999949999,
                       999999.9999995,
                       1e15,
                       1e16,
                       9007199254740993.0,
                       1e18,
                       9.3e18,
                       1e19,
                       1e22,
                       1e300,
                       limits::max(),
                       limits::min(),
                       limits::denorm_min(),
                       limits::epsilon(),
                       limits::infinity(),
                       limits::quiet_NaN()}) {
    expect_same(value);
    expect_same(-value);
  }
  EXPECT_EQ(ours6(-std::numeric_limits<double>::quiet_NaN()), "-nan");
}

TEST(NumberText, TiesGoToEven) {
  for (int bits = 1; bits < 40; ++bits)
    for (int odd = 1; odd < 4000; odd += 2) expect_same(std::ldexp(odd, -bits));
}

TEST(NumberText, AllSizesAndBitPatterns) {
  std::mt19937_64 random(20260101);
  std::uniform_real_distribution<double> exponent(-9, 19);
  for (int i = 0; i < 300000; ++i) {
    expect_same(std::bit_cast<double>(random()));
    double size = std::pow(10, exponent(random));
    expect_same(size);
    expect_same(std::round(size * 1e6) / 1e6);
    expect_same(std::round(size * 2e6) / 2e6);  // between two digits, or next to it
  }
}

TEST(NumberText, Integers) {
  auto text = [](auto value) {
    char at[longest_number];
    return std::string(at, put_integer(at, value));
  };
  for (std::int64_t value :
       {std::int64_t{0}, std::int64_t{9}, std::int64_t{10}, std::int64_t{-1}, INT64_MIN, INT64_MAX})
    EXPECT_EQ(text(value), std::to_string(value));
  EXPECT_EQ(text(UINT64_MAX), "18446744073709551615");
}

TEST(NumberText, FieldsAreFilledFromTheLeft) {
  auto field = [](std::size_t width, std::int64_t value) {
    char at[longest_number];
    return std::string(at, put_right(at, width, [value](char* to) { return put_integer(to, value); }));
  };
  EXPECT_EQ(field(5, 42), "   42");
  EXPECT_EQ(field(2, 12345), "12345");
}

}  // namespace
}  // namespace darrow::util_text

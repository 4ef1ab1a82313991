#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/memory.hpp"
#include "table/build.hpp"
#include "table/cast.hpp"

namespace darrow {
namespace {

constexpr Field whole = i64("WHOLE", Rule::sum, "calls", "");
constexpr Field natural = u64("NATURAL", Rule::none, "id", "");
constexpr Field real = f64("REAL", Rule::sum, "seconds", "");
constexpr Field narrow = i32("NARROW", Rule::none, "", "");
constexpr Field narrow_natural = u32("NARROW_NATURAL", Rule::none, "", "");
constexpr Field label = text("LABEL", 16, "");

template <typename T>
Column column(const std::vector<std::optional<T>>& values) {
  return value_column<T>("theirs", values);
}

Column texts(const std::vector<std::optional<std::string>>& values) {
  TextBuilder builder("theirs");
  for (const auto& v : values) v ? builder.add(*v) : builder.add_null();
  return std::move(builder).finish();
}

/// Values with those stored behind nulls marked.
std::string shown(const Result<Column>& result) {
  if (!result) return result.error().describe();
  std::string out;
  auto add = [&](const auto& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      out += fmt::format("{}{}{}", out.empty() ? "" : " ", values[i],
                         result->valid(static_cast<std::int64_t>(i)) ? "" : "?");
  };
  switch (result->type) {
    case ColumnType::i64: add(result->values<std::int64_t>()); break;
    case ColumnType::u64: add(result->values<std::uint64_t>()); break;
    case ColumnType::f64: add(result->values<double>()); break;
    case ColumnType::i32: add(result->values<std::int32_t>()); break;
    case ColumnType::u32: add(result->values<std::uint32_t>()); break;
    default:
      for (std::int64_t row = 0; row < result->length; ++row)
        out += fmt::format("{}{}{}", out.empty() ? "" : " ", result->text(row), result->valid(row) ? "" : "?");
  }
  return out;
}

constexpr auto low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
constexpr auto highest = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t exact = std::int64_t{1} << 53;

TEST(Cast, TheRightTypeIsNotCopied) {
  Column ours = column<std::int64_t>({1, 2});
  auto result = cast(ours, whole, "M");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->data.data, ours.data.data);
  EXPECT_EQ(result->name, "WHOLE");
  EXPECT_EQ(result->field, &whole);
  Column words = texts({"a", "b"});
  EXPECT_EQ(cast(words, label, "M")->data.data, words.data.data);
}

TEST(Cast, StoredNullsAreLeftAlone) {
  Column ours = column<std::int64_t>({7, {}});
  ours.stored_nulls = true;
  auto result = cast(ours, whole, "M");
  EXPECT_EQ(result->data.data, ours.data.data);
  EXPECT_EQ(result->validity.data, ours.validity.data);
  EXPECT_TRUE(result->stored_nulls);
}

TEST(Cast, OtherNullsStoreWhatIsAbsent) {
  EXPECT_EQ(shown(cast(column<std::int64_t>({7, {}}), whole, "M")), "7 -1?");
  EXPECT_EQ(shown(cast(column<std::int64_t>({7, {}}), i64("C", Rule::sum, "", "").since(2, 0), "M")), "7 -1?");
  EXPECT_EQ(shown(cast(column<std::int64_t>({7, {}}), i64("C", Rule::none, "", "").since(2, 0), "M")), "7 0?");
  EXPECT_EQ(shown(cast(column<std::uint64_t>({7, {}}), natural, "M")), fmt::format("7 {}?", highest));
  EXPECT_EQ(shown(cast(column<double>({0.5, {}}), real, "M")), "0.5 -1?");
  EXPECT_EQ(shown(cast(column<std::int32_t>({{}, 7}), narrow, "M")), "-1? 7");
  EXPECT_EQ(shown(cast(column<std::uint32_t>({{}, 7}), narrow_natural, "M")), "4294967295? 7");
  EXPECT_EQ(shown(cast(texts({"a", {}, "b"}), label, "M")), "a ? b");
  auto result = cast(column<std::int64_t>({7, {}}), whole, "M");
  EXPECT_TRUE(result->stored_nulls);
  EXPECT_EQ(result->null_count, 1);
}

TEST(Cast, NothingButNullsFitsEverything) {
  EXPECT_EQ(shown(cast(column<std::int64_t>({{}, {}}), label, "M")), "? ?");
  EXPECT_EQ(shown(cast(texts({{}, {}}), whole, "M")), "-1? -1?");
  EXPECT_EQ(shown(cast(texts({{}, {}}), real, "M")), "-1? -1?");
  EXPECT_EQ(shown(cast(texts({}), whole, "M")), "");
  EXPECT_EQ(cast(texts({}), whole, "M")->type, ColumnType::i64);
}

TEST(Cast, WholeNumbersOfEveryWidth) {
  auto fits = [](const Column& c) {
    for (const Field* f : {&whole, &natural, &real, &narrow, &narrow_natural})
      EXPECT_EQ(shown(cast(c, *f, "M")), "0 1 70000") << f->name;
  };
  fits(column<std::int32_t>({0, 1, 70000}));
  fits(column<std::uint32_t>({0, 1, 70000}));
  fits(column<std::int64_t>({0, 1, 70000}));
  fits(column<std::uint64_t>({0, 1, 70000}));
  fits(column<double>({0.0, 1.0, 70000.0}));
}

TEST(Cast, BooleansAreZeroAndOne) {
  Column flags = column<bool>({true, false, {}, true});
  EXPECT_EQ(shown(cast(flags, whole, "M")), "1 0 -1? 1");
  EXPECT_EQ(shown(cast(flags, real, "M")), "1 0 -1? 1");
}

TEST(Cast, NumbersThatDoNotFit) {
  auto wrong = [](const Column& c, const Field& f) {
    auto message = shown(cast(c, f, "M"));
    auto begin = fmt::format("column {}, row 1: ", f.name);
    EXPECT_TRUE(message.starts_with(begin)) << message;
    return message.substr(std::min(begin.size(), message.size()));
  };
  const std::string of_i64 = fmt::format("is not between {} and {} (M)", low, high),
                    of_u64 = fmt::format("is not between 0 and {} (M)", highest),
                    of_i32 = "is not between -2147483648 and 2147483647 (M)",
                    of_u32 = "is not between 0 and 4294967295 (M)";
  EXPECT_EQ(wrong(column<std::uint64_t>({1, highest}), whole), fmt::format("{} {}", highest, of_i64));
  EXPECT_EQ(wrong(column<std::int64_t>({1, -2}), natural), "-2 " + of_u64);
  EXPECT_EQ(wrong(column<std::int32_t>({1, -2}), natural), "-2 " + of_u64);
  EXPECT_EQ(wrong(column<double>({1, -2.0}), natural), "-2 " + of_u64);
  EXPECT_EQ(wrong(column<std::int64_t>({1, 2147483648}), narrow), "2147483648 " + of_i32);
  EXPECT_EQ(wrong(column<std::uint32_t>({1, 2147483648u}), narrow), "2147483648 " + of_i32);
  EXPECT_EQ(wrong(column<double>({1, 2147483648.0}), narrow), "2147483648 " + of_i32);
  EXPECT_EQ(wrong(column<std::int32_t>({1, -1}), narrow_natural), "-1 " + of_u32);
  EXPECT_EQ(wrong(column<std::uint64_t>({1, 4294967296u}), narrow_natural), "4294967296 " + of_u32);
}

TEST(Cast, WholeNumbersAtTheLimits) {
  EXPECT_EQ(shown(cast(column<std::uint64_t>({static_cast<std::uint64_t>(high)}), whole, "M")),
            fmt::format("{}", high));
  EXPECT_EQ(shown(cast(column<std::int64_t>({high, low}), whole, "M")), fmt::format("{} {}", high, low));
  EXPECT_EQ(shown(cast(column<std::int64_t>({high}), natural, "M")), fmt::format("{}", high));
  EXPECT_EQ(shown(cast(column<std::int64_t>({2147483647, -2147483648}), narrow, "M")), "2147483647 -2147483648");
  EXPECT_EQ(shown(cast(column<std::int64_t>({4294967295}), narrow_natural, "M")), "4294967295");
}

TEST(Cast, FloatsForWholeNumbers) {
  const double limit = 9007199254740992.0;
  EXPECT_EQ(shown(cast(column<double>({limit, -limit, -0.0}), whole, "M")), fmt::format("{} {} 0", exact, -exact));
  EXPECT_EQ(shown(cast(column<double>({3.5}), whole, "M")), "column WHOLE, row 0: 3.5 is no whole number (M)");
  EXPECT_EQ(shown(cast(column<double>({HUGE_VAL}), whole, "M")), "column WHOLE, row 0: inf is no whole number (M)");
  EXPECT_EQ(
      shown(cast(column<double>({limit + 2}), whole, "M")),
      "column WHOLE, row 0: 9007199254740994 may be inexact: floats hold whole numbers exactly only up to 2^53 (M)");
  EXPECT_EQ(shown(cast(column<double>({1.0, NAN, {}}), whole, "M")), "1 -1? -1?") << "NaN is null";
  EXPECT_EQ(cast(column<double>({1.0, NAN, {}}), whole, "M")->null_count, 2);
  EXPECT_EQ(shown(cast(column<double>({1.0, NAN}), real, "M")), "1 nan") << "but a float among floats";
  EXPECT_EQ(shown(cast(column<double>({1.0, NAN, {}}), real, "M")), "1 nan -1?");
}

TEST(Cast, WholeNumbersForFloats) {
  EXPECT_EQ(shown(cast(column<std::int64_t>({exact, -exact, exact + 2, low}), real, "M")),
            "9007199254740992 -9007199254740992 9007199254740994 -9.223372036854776e+18");
  EXPECT_EQ(shown(cast(column<std::uint64_t>({std::uint64_t{1} << 63}), real, "M")), "9.223372036854776e+18");
  const std::string why = "would change: floats hold whole numbers exactly only up to 2^53 (M)";
  EXPECT_EQ(shown(cast(column<std::int64_t>({exact + 1}), real, "M")), "column REAL, row 0: 9007199254740993 " + why);
  EXPECT_EQ(shown(cast(column<std::int64_t>({-exact - 1}), real, "M")), "column REAL, row 0: -9007199254740993 " + why);
  EXPECT_EQ(shown(cast(column<std::uint64_t>({highest}), real, "M")),
            fmt::format("column REAL, row 0: {} {}", highest, why));
}

TEST(Cast, OtherContentIsRefused) {
  EXPECT_EQ(shown(cast(texts({"a"}), whole, "M")), "column WHOLE holds text, whole numbers expected (M)");
  EXPECT_EQ(shown(cast(texts({"a"}), real, "M")), "column REAL holds text, floats expected (M)");
  EXPECT_EQ(shown(cast(column<std::int64_t>({1}), label, "M")), "column LABEL holds whole numbers, text expected (M)");
  EXPECT_EQ(shown(cast(list_column("l", {0, 1}, column<std::int64_t>({1})), whole, "M")),
            "column WHOLE holds lists, whole numbers expected (M)");
  auto result = cast(texts({"a"}), whole, "M");
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(result.error().region, "M");
}

TEST(Cast, DictionariesBecomeText) {
  NewBuffer indices(3 * sizeof(std::int32_t));
  indices.as<std::int32_t>()[0] = 1;
  indices.as<std::int32_t>()[1] = -1;
  indices.as<std::int32_t>()[2] = 0;
  Column c = dictionary_column("d", std::make_shared<const Column>(texts({"x", "y"})), 3, indices.buffer());
  auto result = cast(c, label, "M");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->type, ColumnType::utf8);
  EXPECT_EQ(shown(result), "y ? x");
}

}  // namespace
}  // namespace darrow

/// Columns of many tables become one: each value, null and text where it belongs, whatever the type.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cells.hpp"
#include "table/append.hpp"
#include "table/bits.hpp"
#include "table/build.hpp"
#include "table/text_lists.hpp"

namespace darrow {
namespace {

using test::cell;

std::mt19937 dice(7);  // NOLINT: the same in each run
std::int64_t any(std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(dice); }

template <typename T>
std::vector<std::optional<T>> values(std::int64_t rows, std::int64_t nulls_of_ten) {
  std::vector<std::optional<T>> out;
  for (std::int64_t r = 0; r < rows; ++r)
    out.push_back(any(9) < nulls_of_ten ? std::nullopt : std::optional(static_cast<T>(any(100))));
  return out;
}

Column texts(std::string name, std::int64_t rows, std::int64_t nulls_of_ten, ColumnType type = ColumnType::utf8) {
  TextBuilder builder(std::move(name));
  for (std::int64_t r = 0; r < rows; ++r)
    any(9) < nulls_of_ten ? builder.add_null() : builder.add_valid(std::string(static_cast<std::size_t>(any(5)), 'x'));
  return std::move(builder).finish(type);
}

Column dictionary(std::int64_t rows, std::int64_t nulls_of_ten) {
  DictionaryBuilder texts;
  NewBuffer indices(static_cast<std::size_t>(rows) * sizeof(std::int32_t));
  for (std::int64_t r = 0; r < rows; ++r)
    indices.as<std::int32_t>()[r] = any(9) < nulls_of_ten ? -1 : texts.number("text " + std::to_string(any(6)));
  return dictionary_column("dictionary", std::move(texts).finish(), rows, indices.buffer());
}

Column lists(std::int64_t rows) {
  TextLists lists;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t i = any(3); i > 0; --i) lists.add(std::to_string(any(9)));
    lists.end_row();
  }
  return std::move(lists).finish("lists");
}

Column structure(std::int64_t rows, std::int64_t nulls_of_ten) {
  Column c;
  c.name = "structure";
  c.type = ColumnType::structure;
  c.length = rows;
  c.children = {value_column("a", values<double>(rows, nulls_of_ten)), texts("b", rows, nulls_of_ten)};
  return c;
}

std::vector<Column> all_types(std::int64_t rows, std::int64_t nulls_of_ten) {
  return {value_column("boolean", values<bool>(rows, nulls_of_ten)),
          value_column("i32", values<std::int32_t>(rows, nulls_of_ten)),
          value_column("u32", values<std::uint32_t>(rows, nulls_of_ten)),
          value_column("i64", values<std::int64_t>(rows, nulls_of_ten)),
          value_column("u64", values<std::uint64_t>(rows, nulls_of_ten)),
          value_column("f64", values<double>(rows, nulls_of_ten)),
          texts("utf8", rows, nulls_of_ten),
          texts("binary", rows, nulls_of_ten, ColumnType::binary),
          dictionary(rows, nulls_of_ten),
          lists(rows),
          structure(rows, nulls_of_ten)};
}

/// What the appender should hold.
struct Expected {
  std::vector<std::string> cells;
  std::int64_t nulls = 0;
  void add(const Column& c, std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      cells.push_back(cell(c, r));
      nulls += !c.valid(r);
    }
  }
};

void expect_equal(const Column& c, const Expected& expected) {
  SCOPED_TRACE(c.name);
  ASSERT_EQ(static_cast<std::size_t>(c.length), expected.cells.size());
  EXPECT_EQ(c.null_count, expected.nulls);
  EXPECT_EQ(c.validity.empty(), expected.nulls == 0);
  for (std::int64_t r = 0; r < c.length; ++r) ASSERT_EQ(cell(c, r), expected.cells[static_cast<std::size_t>(r)]) << r;
}

TEST(Append, PiecesOfEveryTypeFollowOneAnother) {
  auto like = all_types(0, 0);
  for (std::size_t i = 0; i < like.size(); ++i) {
    ColumnAppender appender(like[i]);
    for (int round = 0; round < 3; ++round) {  // it is empty again after each
      Expected expected;
      for (int piece = 0; piece < 60; ++piece) {
        const std::int64_t rows = any(40);
        Column c = all_types(rows, piece % 3 == 0 ? 0 : piece % 7 == 0 ? 10 : 3)[i];
        const std::int64_t begin = any(rows), end = begin + any(rows - begin);
        ASSERT_TRUE(appender.fits(c, begin, end));
        appender.append(c, begin, end);
        expected.add(c, begin, end);
        ASSERT_EQ(static_cast<std::size_t>(appender.length()), expected.cells.size());
      }
      expect_equal(appender.finish(), expected);
    }
    expect_equal(appender.finish(), {});
  }
}

TEST(Append, TextsOfDictionariesAreThereOnce) {
  ColumnAppender appender(dictionary(0, 0));
  for (int i = 0; i < 50; ++i) {
    Column c = dictionary(20, 2);
    appender.append(c, 0, 20);
  }
  EXPECT_LE(appender.finish().dictionary->length, 7);
}

TEST(Append, OneValueForManyRows) {
  ColumnAppender log(dictionary(0, 0)), jobid(value_column<std::int64_t>("jobid", {}));
  const std::string_view a = "a", b = "b";
  const std::int64_t seven = 7;
  log.append_text(&a, 3);
  log.append_text(nullptr, 2);
  log.append_text(&b, 1);
  log.append_text(&a, 1);
  jobid.append_number(&seven, 3);
  jobid.append_number(nullptr, 2);
  jobid.append_number(&seven, 2);
  expect_equal(log.finish(), {{"a", "a", "a", "null ", "null ", "b", "a"}, 2});
  expect_equal(jobid.finish(), {{"7", "7", "7", "null 0", "null 0", "7", "7"}, 2});
}

TEST(Append, NullsThatStandForValuesKeepThem) {
  Column c = value_column<std::int64_t>("c", {1, 2, 3});
  c.validity = validity_without(3, {1});
  c.null_count = 1;
  c.stored_nulls = true;
  ColumnAppender appender(c);
  appender.append(c, 0, 3);
  appender.append(c, 1, 3);
  Column all = appender.finish();
  EXPECT_TRUE(all.stored_nulls);
  expect_equal(all, {{"1", "null 2", "3", "null 2", "3"}, 2});
  appender.append(c, 0, 3);
  appender.append(value_column<std::int64_t>("c", {std::nullopt}), 0, 1);
  EXPECT_FALSE(appender.finish().stored_nulls) << "the last one stands for nothing";
}

TEST(Append, OffsetsOf32BitsAreNotPassed) {
  // A column that says it has 1.5 GiB of text: its bytes are never looked at.
  Column huge;
  huge.name = "utf8";
  huge.type = ColumnType::utf8;
  huge.length = 2;
  NewBuffer offsets(3 * sizeof(std::int32_t));
  offsets.as<std::int32_t>()[0] = 0;
  offsets.as<std::int32_t>()[1] = 1 << 30;
  offsets.as<std::int32_t>()[2] = INT32_MAX;
  huge.offsets = offsets.buffer();
  ColumnAppender appender(huge);
  EXPECT_TRUE(appender.fits(huge, 0, 2));
  appender.append(texts("utf8", 100, 0), 0, 100);
  EXPECT_FALSE(appender.fits(huge, 0, 2));
  EXPECT_TRUE(appender.fits(huge, 0, 1));
}

TEST(Append, BitsAtEveryPlace) {
  for (std::int64_t to = 0; to < 20; ++to)
    for (std::int64_t begin = 0; begin < 12; ++begin)
      for (std::int64_t end = begin; end < 40; ++end) {
        std::vector<std::byte> from(5), out(8);
        for (auto& byte : from) byte = static_cast<std::byte>(any(255));
        std::int64_t unset = copy_bits(out.data(), to, from.data(), begin, end);
        for (std::int64_t bit = 0; bit < 64; ++bit) {
          const bool inside = bit >= to && bit < to + end - begin;
          ASSERT_EQ(bit_of(out.data(), bit), inside && bit_of(from.data(), begin + bit - to));
          unset -= inside && !bit_of(out.data(), bit);
        }
        ASSERT_EQ(unset, 0);
      }
}

}  // namespace
}  // namespace darrow

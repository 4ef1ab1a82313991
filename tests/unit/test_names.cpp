#include <gtest/gtest.h>

#include <algorithm>

#include "bytes.hpp"
#include "format/names.hpp"

namespace darrow {
namespace {

using test::Bytes;

struct Parsed {
  std::vector<Problem> problems;
  NameTable names;
};

Parsed parse(const Bytes& b, int minor = 41, bool big = false) {
  Header h;
  h.minor = minor;
  h.byte_order = big ? ByteOrder::big : ByteOrder::little;
  Parsed p;
  ProblemSink sink("names", "", p.problems);
  p.names = NameTable(test::buffer(b.str()), h, sink);
  return p;
}

Bytes& entry(Bytes& b, std::uint64_t id, std::string_view name) {
  return b.u64(id).text(name).text(std::string_view("\0", 1));
}

TEST(Names, ReadsTerminatedAndCountedNames) {
  for (bool big : {false, true}) {
    Bytes terminated(big), counted(big);
    entry(entry(terminated, 7, "/a"), 8, "");
    counted.u64(7).u32(2).text("/a").u64(8).u32(0);
    for (const auto& [bytes, minor] : {std::pair(&terminated, 10), std::pair(&counted, 0)}) {
      auto p = parse(*bytes, minor, big);
      ASSERT_EQ(p.names.size(), 2);
      EXPECT_EQ(p.names.id(0), 7u);
      EXPECT_EQ(p.names.name(0), "/a");
      EXPECT_EQ(p.names.name(1), "") << "an empty name is a name";
      EXPECT_EQ(p.names.find(8), 1);
      EXPECT_EQ(p.names.find(9), -1);
      EXPECT_TRUE(p.problems.empty());
    }
  }
}

TEST(Names, KeepsTheFirstButPrefersANonEmptyOne) {
  Bytes b;
  entry(b, 1, "");
  entry(b, 2, "/x");
  entry(b, 1, "/later");
  entry(b, 2, "/x");
  entry(b, 2, "/other");
  auto p = parse(b);
  ASSERT_EQ(p.names.size(), 2);
  EXPECT_EQ(p.names.name(0), "/later");
  EXPECT_EQ(p.names.name(1), "/x");
  ASSERT_EQ(p.problems.size(), 2u);
  EXPECT_EQ(p.problems[0].kind, ProblemKind::name_duplicate);
  EXPECT_EQ(p.problems[0].count, 2);
  EXPECT_EQ(p.problems[1].kind, ProblemKind::name_conflict);
}

TEST(Names, FindsEachOfManyIds) {
  Bytes b;
  for (std::uint64_t i = 0; i < 5000; ++i) entry(b, i << 32, std::to_string(i));
  auto p = parse(b);
  for (std::uint64_t i = 0; i < 5000; ++i) ASSERT_EQ(p.names.name(p.names.find(i << 32)), std::to_string(i));
}

TEST(Names, ReportsWhatIsCut) {
  Bytes unterminated, fragment, huge;
  entry(unterminated, 1, "/a").u64(2).text("/b");
  entry(fragment, 1, "/a").text("12345");
  huge.u64(1).u32(0xffffffff).text("/a");
  auto p = parse(unterminated);
  EXPECT_EQ(p.names.size(), 1);
  ASSERT_EQ(p.problems.size(), 1u);
  EXPECT_EQ(p.problems[0].kind, ProblemKind::name_unterminated);
  EXPECT_EQ(p.problems[0].offset, 11u);
  p = parse(fragment);
  EXPECT_EQ(p.problems.at(0).kind, ProblemKind::name_truncated);
  EXPECT_EQ(p.problems.at(0).count, 5);
  p = parse(huge, 0);
  EXPECT_EQ(p.names.size(), 0);
  EXPECT_EQ(p.problems.at(0).kind, ProblemKind::name_truncated);
}

std::string text_of(NameWriter& names) {
  auto bytes = names.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(NameWriter, WritesEachIdOnceInOrderOfAppearance) {
  for (bool big : {false, true}) {
    NameWriter names(big ? ByteOrder::big : ByteOrder::little);
    EXPECT_EQ(text_of(names), "");
    EXPECT_FALSE(names.add(8, "/b"));
    EXPECT_FALSE(names.add(7, "/a"));
    EXPECT_FALSE(names.add(8, "/b"));
    EXPECT_FALSE(names.add(7, "")) << "a lost name contradicts none";
    EXPECT_FALSE(names.add(9, ""));
    EXPECT_EQ(names.size(), 3);
    EXPECT_TRUE(names.has(9));
    EXPECT_FALSE(names.has(10));
    Bytes b(big);
    entry(entry(entry(b, 8, "/b"), 7, "/a"), 9, "");
    EXPECT_EQ(text_of(names), b.str());
    EXPECT_EQ(parse(Bytes().text(text_of(names)), 41, big).names.find(7), 1);
  }
}

TEST(NameWriter, AnEmptyNameGivesWayAtItsPlace) {
  NameWriter names(ByteOrder::little);
  for (auto [id, name] : {std::pair(1, ""), {2, "/x"}, {1, "/later"}, {3, ""}, {1, "/later"}})
    EXPECT_FALSE(names.add(static_cast<std::uint64_t>(id), name));
  Bytes b;
  entry(entry(entry(b, 1, "/later"), 2, "/x"), 3, "");
  EXPECT_EQ(text_of(names), b.str());
  EXPECT_FALSE(names.add(4, "/more"));
  EXPECT_FALSE(names.add(3, "/z"));
  EXPECT_EQ(names.add(1, "/other")->message, "two names for id 1: \"/later\" and \"/other\"");
  Bytes more;
  entry(entry(entry(entry(more, 1, "/later"), 2, "/x"), 3, "/z"), 4, "/more");
  EXPECT_EQ(text_of(names), more.str());
}

TEST(NameWriter, RefusesWhatCannotBeRead) {
  NameWriter names(ByteOrder::little);
  EXPECT_FALSE(names.add(1, "/a\xff" + std::string(200, 'a')));
  auto error = names.add(1, "/b");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::invalid_argument);
  EXPECT_EQ(error->describe(), "two names for id 1: \"/a\\xff" + std::string(77, 'a') + "\" and \"/b\" (names)");
  EXPECT_EQ(names.add(2, std::string_view("/c\0d", 4))->message,
            "the name of id 2 must not hold a NUL, as it does behind \"/c\"");
  // A record of 2 MiB is one byte too much.
  std::size_t longest = (2 << 20) - 1 - 9;
  EXPECT_EQ(
      names.add(3, std::string(longest + 1, 'n'))->message,
      "the name of id 3 takes 2097143 bytes, at most 2097142 fit; it begins with \"" + std::string(80, 'n') + "\"");
  EXPECT_FALSE(names.has(2));
  EXPECT_FALSE(names.has(3));
  EXPECT_FALSE(names.add(3, std::string(longest, 'n')));
  EXPECT_EQ(names.bytes().size(), (9u + 203) + (2 << 20) - 1);
}

TEST(NameWriter, TakesMany) {
  NameWriter names(ByteOrder::little);
  Bytes b;
  for (std::uint64_t i = 0; i < 200000; ++i) {
    std::string name = "/scratch/project/of/somebody/" + std::to_string(i);
    ASSERT_FALSE(names.add(i << 32, name));
    entry(b, i << 32, name);
  }
  EXPECT_TRUE(text_of(names) == b.str());
}

}  // namespace
}  // namespace darrow

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

}  // namespace
}  // namespace darrow

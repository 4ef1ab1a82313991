#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

#include "bytes.hpp"
#include "format/inflate.hpp"

namespace darrow {
namespace {

using test::deflate;

struct Inflated {
  std::string text;
  std::vector<Problem> problems;
};

Inflated run(const std::string& region, std::uint64_t limit = std::uint64_t{1} << 30,
             Compression c = Compression::zlib) {
  std::vector<Problem> problems;
  ProblemSink sink("POSIX", "POSIX", problems);
  Buffer file = test::buffer(std::string(100, 'h') + region);
  Buffer out = inflate(file, 100, region.size(), c, limit, sink);
  return {std::string(test::text_of(out)), problems};
}

const std::string words = "one two three ", numbers(1 << 20, '7');

TEST(Inflate, JoinsAChainOfStreams) {
  auto r = run(deflate(words) + deflate(numbers) + deflate("") + deflate(words));
  EXPECT_EQ(r.text, words + numbers + words);
  EXPECT_TRUE(r.problems.empty());
}

TEST(Inflate, GrowsForDataThatShrinksAThousandTimes) {
  std::string zeros(40 << 20, '\0');
  EXPECT_EQ(run(deflate(zeros)).text.size(), zeros.size());
}

TEST(Inflate, ReportsTrailingBytes) {
  std::string stream = deflate(words);
  auto r = run(stream + "garbage");
  EXPECT_EQ(r.text, words);
  ASSERT_EQ(r.problems.size(), 1u);
  EXPECT_EQ(r.problems[0].kind, ProblemKind::trailing_bytes);
  EXPECT_EQ(r.problems[0].offset, 100 + stream.size());
  EXPECT_EQ(r.problems[0].count, 7);
}

TEST(Inflate, SalvagesATruncatedStream) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * 7919);
  std::string first = deflate(words), second = deflate(text);
  auto r = run(first + second.substr(0, second.size() / 2));
  ASSERT_EQ(r.problems.size(), 1u);
  EXPECT_EQ(r.problems[0].kind, ProblemKind::stream_truncated);
  EXPECT_EQ(r.problems[0].offset, 100 + first.size());
  EXPECT_GT(r.text.size(), text.size() / 3);
  EXPECT_EQ(r.text, (words + text).substr(0, r.text.size()));
  EXPECT_EQ(r.problems[0].count, static_cast<std::int64_t>(r.text.size() - words.size()));
}

TEST(Inflate, DistrustsAStreamWithAWrongChecksum) {
  std::string stream = deflate(words);
  stream.back() ^= 1;
  auto r = run(stream);
  EXPECT_EQ(r.text, words);
  ASSERT_EQ(r.problems.size(), 1u);
  EXPECT_EQ(r.problems[0].kind, ProblemKind::stream_damaged);
  EXPECT_EQ(r.problems[0].severity(), Severity::error);
}

TEST(Inflate, StopsAtTheLimit) {
  auto r = run(deflate(words) + deflate(numbers), 1000);
  EXPECT_EQ(r.text.size(), 1000u);
  EXPECT_EQ(r.text, (words + numbers).substr(0, 1000));
  ASSERT_EQ(r.problems.size(), 1u);
  EXPECT_EQ(r.problems[0].kind, ProblemKind::region_too_large);
  EXPECT_TRUE(run(deflate(words), words.size()).problems.empty()) << "exactly the limit is no problem";
}

TEST(Inflate, SlicesUncompressedRegions) {
  auto r = run("raw bytes", 1 << 20, Compression::none);
  EXPECT_EQ(r.text, "raw bytes");
  EXPECT_TRUE(r.problems.empty());
}

}  // namespace
}  // namespace darrow

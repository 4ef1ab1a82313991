#include "format/deflate.hpp"

#include <gtest/gtest.h>
#include <zlib.h>
#ifdef DARROW_HAVE_BZIP2
#include <bzlib.h>
#endif

#include "bytes.hpp"
#include "format/inflate.hpp"

namespace darrow {
namespace {

Result<Buffer> packed(std::string_view text, Compression compression, int level = 0) {
  return deflate(std::as_bytes(std::span(text)), compression, level);
}

/// Something like records: numbers of which most are small.
std::string records() {
  test::Bytes b;
  for (std::uint64_t i = 0; i < 100000; ++i) b.u64(i % 7 ? i % 1000 : i * 0x9e3779b97f4a7c15u);
  return b.str();
}

/// What never shrinks.
std::string noise(std::size_t size) {
  std::string text;
  for (std::uint64_t x = 1; text.size() < size; x = x * 6364136223846793005u + 1442695040888963407u)
    text += static_cast<char>(x >> 56);
  return text;
}

const std::string texts[] = {"x", "one two three", records(), noise(100), noise(5 << 20)};

TEST(Deflate, MakesOneZlibStream) {
  for (const auto& text : texts)
    for (int level : {0, 1, 6, 12}) {
      auto out = packed(text, Compression::zlib, level);
      ASSERT_TRUE(out);
      std::string again(text.size(), '\0');
      uLongf size = again.size();
      uLong used = out->size;
      ASSERT_EQ(
          uncompress2(reinterpret_cast<Bytef*>(again.data()), &size, reinterpret_cast<const Bytef*>(out->data), &used),
          Z_OK);
      EXPECT_EQ(used, out->size) << "nothing behind the stream";
      EXPECT_TRUE(again == text);
    }
}

#ifdef DARROW_HAVE_BZIP2
TEST(Deflate, MakesOneBzip2Stream) {
  for (const auto& text : texts)
    for (int level : {0, 1, 9}) {
      auto out = packed(text, Compression::bzip2, level);
      ASSERT_TRUE(out);
      std::string again(text.size(), '\0');
      auto size = static_cast<unsigned>(again.size());
      ASSERT_EQ(
          BZ2_bzBuffToBuffDecompress(again.data(), &size, reinterpret_cast<char*>(const_cast<std::byte*>(out->data)),
                                     static_cast<unsigned>(out->size), 0, 0),
          BZ_OK);
      EXPECT_TRUE(again == text);
      EXPECT_EQ(test::text_of(*out).substr(0, 4), level == 1 ? "BZh1" : "BZh9");
    }
}
#else
TEST(Deflate, TellsThatBzip2IsMissing) {
  EXPECT_EQ(packed("x", Compression::bzip2).error().describe(), "bzip2 was not built in");
}
#endif

TEST(Deflate, IsReadByTheReader) {
  for (auto compression : {Compression::zlib, Compression::bzip2, Compression::none}) {
    if (!can_inflate(compression)) continue;
    for (const auto& text : texts) {
      auto out = packed(text, compression);
      ASSERT_TRUE(out);
      std::vector<Problem> problems;
      ProblemSink sink("POSIX", "POSIX", problems);
      EXPECT_TRUE(test::text_of(inflate(*out, 0, out->size, compression, std::uint64_t{1} << 30, sink)) == text);
      EXPECT_TRUE(problems.empty());
    }
  }
}

TEST(Deflate, LeavesPlainBytesAndNothingAlone) {
  std::string_view text = "plain";
  EXPECT_EQ(static_cast<const void*>(packed(text, Compression::none)->data), text.data());
  EXPECT_TRUE(packed("", Compression::zlib)->empty());
  EXPECT_TRUE(packed("", Compression::none)->empty());
}

TEST(Deflate, KnowsItsLevels) {
  EXPECT_EQ(usual_level(Compression::zlib), 6);
  EXPECT_EQ(usual_level(Compression::bzip2), 9);
  EXPECT_TRUE(test::text_of(*packed(texts[2], Compression::zlib)) ==
              test::text_of(*packed(texts[2], Compression::zlib, 6)));
  for (int level = 0; level <= 12; ++level) EXPECT_FALSE(check_level(Compression::zlib, level));
  EXPECT_EQ(check_level(Compression::zlib, 13)->describe(),
            "compression zlib has no level 13: 1 to 12, or 0 for the usual one (6), expected");
  EXPECT_EQ(check_level(Compression::zlib, -1)->code, ErrorCode::invalid_argument);
  EXPECT_FALSE(check_level(Compression::none, 0));
  EXPECT_EQ(check_level(Compression::none, 1)->describe(), "compression none has no level 1: 0 expected");
  if (!can_inflate(Compression::bzip2)) return;
  EXPECT_FALSE(check_level(Compression::bzip2, 9));
  EXPECT_EQ(packed("x", Compression::bzip2, 10).error().describe(),
            "compression bzip2 has no level 10: 1 to 9, or 0 for the usual one (9), expected");
}

}  // namespace
}  // namespace darrow

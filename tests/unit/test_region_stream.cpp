// A large region read through a window is the one that is inflated at once, damage included.
#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

#include "bytes.hpp"
#include "format/inflate.hpp"
#include "format/region_stream.hpp"

namespace darrow {
namespace {

constexpr std::uint64_t no_limit = std::uint64_t{1} << 30;
constexpr std::uint64_t whole = std::uint64_t{48} << 20;
constexpr std::size_t start = 100;  // of the region in the file

std::string deflate(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(), 1);
  out.resize(size);
  return out;
}

/// Digits, which shrink a little more than twice.
const std::string& large_text() {
  static const std::string text = [] {
    std::mt19937 random(1);
    std::string digits(std::size_t{64} << 20, '0');
    for (auto& c : digits) c = static_cast<char>('0' + random() % 10);
    return digits;
  }();
  return text;
}
const std::string& large_stream() {
  static const std::string stream = deflate(large_text());
  return stream;
}

struct Read {
  std::string text;
  std::vector<Problem> problems;
  bool windowed = false;
};

Read through_stream(const std::string& region, std::uint64_t limit = no_limit, std::size_t piece = 12345) {
  Read read;
  ProblemSink sink("POSIX", "POSIX", read.problems);
  Buffer file = test::buffer(std::string(start, 'h') + region);
  RegionStream stream(file, start, region.size(), Compression::zlib, limit, whole, sink);
  read.windowed = !stream.rest().has_value();
  for (;;) {
    auto bytes = stream.peek(piece);
    if (bytes.empty()) break;
    read.text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    stream.skip(bytes.size());
    EXPECT_EQ(stream.position(), read.text.size());
  }
  return read;
}

Read at_once(const std::string& region, std::uint64_t limit = no_limit) {
  Read read;
  ProblemSink sink("POSIX", "POSIX", read.problems);
  Buffer file = test::buffer(std::string(start, 'h') + region);
  read.text = test::text_of(inflate(file, start, region.size(), Compression::zlib, limit, sink));
  return read;
}

void expect_same(const std::string& region, std::uint64_t limit = no_limit) {
  Read ours = through_stream(region, limit), theirs = at_once(region, limit);
  EXPECT_TRUE(ours.windowed);
  EXPECT_TRUE(ours.text == theirs.text) << ours.text.size() << " and " << theirs.text.size() << " bytes";
  EXPECT_EQ(ours.problems, theirs.problems);
}

TEST(RegionStream, SmallRegionsAreInAtOnce) {
  Read read = through_stream(deflate("one two") + deflate(" three"), no_limit, 3);
  EXPECT_FALSE(read.windowed);
  EXPECT_EQ(read.text, "one two three");
}

TEST(RegionStream, LargeRegions) {
  expect_same(large_stream());
  expect_same(large_stream() + deflate("the second stream") + deflate(""));
}

TEST(RegionStream, DamagedRegions) {
  expect_same(large_stream() + "garbage");
  expect_same(large_stream().substr(0, large_stream().size() - 1000));
  expect_same(large_stream() + deflate("the second stream").substr(0, 10));
  std::string damaged = large_stream();
  damaged.back() = static_cast<char>(damaged.back() ^ 1);  // of the checksum
  expect_same(damaged);
}

TEST(RegionStream, Limits) { expect_same(large_stream(), std::uint64_t{50} << 20); }

TEST(RegionStream, PiecesMayBeLargerThanTheWindow) {
  Read read = through_stream(large_stream(), no_limit, std::size_t{5} << 20);
  EXPECT_TRUE(read.text == large_text());
}

}  // namespace
}  // namespace darrow

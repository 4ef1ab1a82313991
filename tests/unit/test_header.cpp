#include <gtest/gtest.h>

#include <algorithm>

#include "bytes.hpp"
#include "format/header.hpp"

namespace darrow {
namespace {

using test::Bytes;

Bytes header(std::string_view version, bool big = false) {
  bool wide = version.starts_with("3.41");
  Bytes b(big);
  b.put_text(0, version).put(8, std::int64_t{6567223}).size(wide ? 1328 : 360);
  return b;
}

TEST(Header, ReadsBothByteOrders) {
  for (bool big : {false, true}) {
    Bytes b = header("3.41", big);
    b.put(24, std::uint64_t{1} << 9).put(32, std::uint64_t{2000}).put(40, std::uint64_t{17});
    b.put(48 + 16 * 1, std::uint64_t{3000}).put(48 + 16 * 1 + 8, std::uint64_t{99}).put(1072 + 4 * 1, std::uint32_t{4});
    auto h = parse_header(b.span());
    ASSERT_TRUE(h) << h.error().describe();
    EXPECT_EQ(h->byte_order, big ? ByteOrder::big : ByteOrder::little);
    EXPECT_EQ(h->size, 1328u);
    EXPECT_EQ(h->names.offset, 2000u);
    EXPECT_EQ(h->names.length, 17u);
    ASSERT_EQ(h->slots.size(), 2u);
    EXPECT_EQ(h->slots[0].id, 1);
    EXPECT_EQ(h->slots[0].version, 4);
    EXPECT_EQ(h->slots[0].region.length, 99u);
    EXPECT_FALSE(h->slots[0].partial);
    EXPECT_EQ(h->slots[1].id, 9) << "a partial bit without data is kept";
    EXPECT_TRUE(h->slots[1].partial);
    EXPECT_EQ(h->first_module_offset, 3000u);
  }
}

/// The module ids of slots 0 … 15 of the short headers (format.md §2.2).
TEST(Header, TranslatesSlotsOfOldFormats) {
  const std::pair<const char*, std::vector<int>> cases[] = {
      {"3.00", {0, 1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}},
      {"3.10", {0, 1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}},
      {"3.20", {0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
      {"3.21", {0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
  };
  for (const auto& [version, ids] : cases) {
    Bytes b = header(version, true);
    b.put(20, std::uint32_t{0xffff});
    auto h = parse_header(b.span());
    ASSERT_TRUE(h) << version;
    std::vector<int> found;
    for (const auto& slot : h->slots) found.push_back(slot.id);
    EXPECT_EQ(found, ids) << version;
  }
}

TEST(Header, AcceptsVersionTextLikeScanf) {
  EXPECT_EQ(parse_header(header("3.41beta").span())->minor, 41);
  EXPECT_EQ(parse_header(header(" 3.10").size(360).span())->minor, 10);
  for (const char* text : {"3.40", "2.05", "4.00", "3", "3.", "x3.41"})
    EXPECT_EQ(parse_header(header(text).size(1328).span()).error().code, ErrorCode::unsupported_version) << text;
}

TEST(Header, NamesWhatIsWrong) {
  auto code = [](const Bytes& b) { return parse_header(b.span()).error().code; };
  EXPECT_EQ(code(Bytes()), ErrorCode::not_a_log);
  EXPECT_EQ(code(Bytes().size(2048)), ErrorCode::unfinished);
  EXPECT_EQ(code(Bytes().text("3.41")), ErrorCode::truncated);
  EXPECT_EQ(code(header("3.41").size(1327)), ErrorCode::truncated);
  EXPECT_EQ(code(Bytes().text("this is a text file, not a log")), ErrorCode::not_a_log);
  EXPECT_EQ(code(Bytes().text("\x1f\x8b\x08 gzip")), ErrorCode::unsupported_version);
  Bytes b = header("3.41");
  b.put(16, std::uint32_t{9});
  EXPECT_EQ(code(b), ErrorCode::unsupported_compression);
  EXPECT_EQ(parse_header(b.span()).error().offset, 16u);
}

TEST(Header, IsWrittenInBothByteOrders) {
  for (bool big : {false, true}) {
    Header h;
    h.byte_order = big ? ByteOrder::big : ByteOrder::little;
    h.compression = Compression::bzip2;
    h.names = {2000, 17};
    h.slots = {{1, {2017, 99}, 4, false}, {9, {0, 0}, 0, true}, {63, {2116, std::uint64_t{1} << 33}, 7, true}};

    Bytes b = header("3.41", big);
    b.put_text(16, "\1").put(24, std::uint64_t{1} << 9 | std::uint64_t{1} << 63);
    b.put(32, std::uint64_t{2000}).put(40, std::uint64_t{17});
    b.put(48 + 16 * 1, std::uint64_t{2017}).put(48 + 16 * 1 + 8, std::uint64_t{99}).put(1072 + 4 * 1, std::uint32_t{4});
    b.put(48 + 16 * 63, std::uint64_t{2116}).put(48 + 16 * 63 + 8, std::uint64_t{1} << 33);
    b.put(1072 + 4 * 63, std::uint32_t{7});
    auto bytes = encode_header(h);
    EXPECT_TRUE(std::ranges::equal(bytes, b.span()));

    auto read = parse_header(bytes);
    ASSERT_TRUE(read) << read.error().describe();
    EXPECT_EQ(read->version_text, "3.41");
    EXPECT_EQ(read->compression, Compression::bzip2);
    EXPECT_EQ(read->slots.size(), 3u);
  }
}

}  // namespace
}  // namespace darrow

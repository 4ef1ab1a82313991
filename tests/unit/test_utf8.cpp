#include <gtest/gtest.h>

#include "base/utf8.hpp"

namespace darrow {
namespace {

TEST(Utf8, AcceptsWhatUnicodeAllows) {
  for (const char* text :
       {"", "plain", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(text)) << text;
}

TEST(Utf8, RefusesOverlongSurrogateAndTooLarge) {
  for (const char* text : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "eight ascii bytes, then \xff"})
    EXPECT_FALSE(is_utf8(text));
}

TEST(Utf8, EscapesOnlyTheBadBytes) {
  EXPECT_EQ(escape_utf8("caf\xe9\xff"), "caf\\xe9\\xff");
  EXPECT_EQ(escape_utf8("\xe2\x82|\xc3\xa9"), "\\xe2\\x82|\xc3\xa9");
  EXPECT_TRUE(is_utf8(escape_utf8("\xf0\x9f\x98")));
}

}  // namespace
}  // namespace darrow

#ifdef DARROW_HAVE_BZIP2
#include <bzlib.h>
#include <gtest/gtest.h>

#include "bytes.hpp"
#include "format/inflate.hpp"

namespace darrow {
namespace {

TEST(Bzip2, OfADamagedStreamOnlyCheckedBlocksCount) {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += std::to_string(i * 7919) + " ";  // several blocks of 100 kB
  unsigned size = static_cast<unsigned>(text.size());
  std::string packed(size, '\0');
  ASSERT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &size, text.data(), size, 1, 0, 0), BZ_OK);
  packed.resize(size);
  packed[size / 2] = static_cast<char>(packed[size / 2] ^ 0x55);

  std::vector<Problem> problems;
  ProblemSink sink("POSIX", "POSIX", problems);
  Buffer out = inflate(test::buffer(packed), 0, packed.size(), Compression::bzip2, 1 << 30, sink);
  EXPECT_GT(out.size, text.size() / 4);
  EXPECT_LT(out.size, text.size());
  EXPECT_EQ(test::text_of(out), std::string_view(text).substr(0, out.size)) << "nothing of the damaged block";
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].kind, ProblemKind::stream_damaged);
  EXPECT_EQ(problems[0].count, static_cast<std::int64_t>(out.size));
}

}  // namespace
}  // namespace darrow
#endif

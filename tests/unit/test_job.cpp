#include <gtest/gtest.h>

#include <algorithm>

#include "bytes.hpp"
#include "format/job.hpp"

namespace darrow {
namespace {

using test::Bytes;
using namespace std::string_view_literals;

struct Parsed {
  std::vector<Problem> problems;
  JobRegion region;
};

Parsed parse(const Bytes& b, int minor = 41) {
  Header h;
  h.minor = minor;
  Parsed p;
  ProblemSink sink("job", "", p.problems);
  p.region = parse_job(b.span(), h, true, sink);
  return p;
}

/// A record of format 3.41 with the given text behind it.
Bytes record(std::string_view text, std::string_view metadata = "lib_ver=3.5.0\nh=a=b;c=d\nno equals\n\n") {
  Bytes b;
  b.i64(1000).i64(100).i64(250000000).i64(110).i64(750000000).i64(4).i64(77).text(metadata).size(1080).text(text);
  return b;
}

TEST(Job, ReadsNumbersTextAndMounts) {
  auto p = parse(record("/bin/app -x\nlustre\t/scratch\next4\t/\0rubbish"sv));
  ASSERT_TRUE(p.region.job);
  const Job& j = *p.region.job;
  EXPECT_EQ(j.uid, 1000);
  EXPECT_EQ(j.nprocs, 4);
  EXPECT_EQ(j.jobid, 77);
  EXPECT_EQ(j.exe, "/bin/app -x");
  EXPECT_EQ(j.run_time, (110 + 750000000 / 1e9) - (100 + 250000000 / 1e9));
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(j.metadata, (Pairs{{"lib_ver", "3.5.0"}, {"h", "a=b;c=d"}})) << "split at the first equals sign";
  ASSERT_EQ(p.region.mounts.size(), 2u);
  EXPECT_EQ(p.region.mounts[0].path, "/scratch");
  EXPECT_EQ(p.region.mounts[1].fs_type, "ext4");
  EXPECT_TRUE(p.problems.empty());
}

TEST(Job, OldFormatsCountTheLastSecond) {
  Bytes b;
  b.i64(1000).i64(100).i64(110).i64(4).i64(77).size(1064).text("app");
  auto p = parse(b, 21);
  ASSERT_TRUE(p.region.job);
  EXPECT_EQ(p.region.job->run_time, 11.0);
  EXPECT_EQ(p.region.job->exe, "app") << "a command line without mounts behind it";
}

TEST(Job, KeepsMountPathsWithBlanksAndSkipsMalformedLines) {
  auto p = parse(record("app\nnfs\t/a b\nno tab here\n\t/x\next4\t\next4\t/"));
  ASSERT_EQ(p.region.mounts.size(), 2u);
  EXPECT_EQ(p.region.mounts[0].path, "/a b");
  ASSERT_EQ(p.problems.size(), 1u);
  EXPECT_EQ(p.problems[0].kind, ProblemKind::mount_malformed);
  EXPECT_EQ(p.problems[0].count, 3);
}

TEST(Job, TextWithoutEndIsBoundedByItsField) {
  auto p = parse(record("app\nnfs\t/home", std::string(1024, 'm')));
  EXPECT_EQ(p.region.job->exe, "app");
  EXPECT_EQ(p.region.mounts.size(), 1u);
}

TEST(Job, ReportsOddities) {
  auto kinds = [](std::int64_t start, std::int64_t end, std::int64_t nprocs) {
    Bytes b;
    b.i64(0).i64(start).i64(0).i64(end).i64(0).i64(nprocs).i64(0).size(1080);
    auto p = parse(b);
    std::vector<ProblemKind> found;
    for (const auto& problem : p.problems) found.push_back(problem.kind);
    return std::pair(found, p.region.job->run_time.has_value());
  };
  using Kinds = std::vector<ProblemKind>;
  EXPECT_EQ(kinds(10, 0, 1), std::pair(Kinds{ProblemKind::job_unfinished}, false));
  EXPECT_EQ(kinds(10, 9, 1), std::pair(Kinds{ProblemKind::time_reversed}, true));
  EXPECT_EQ(kinds(10, 11, 0), std::pair(Kinds{ProblemKind::nprocs_invalid}, true));
  EXPECT_EQ(kinds(INT64_MIN, INT64_MAX, 1), std::pair(Kinds{}, true)) << "no overflow";
}

TEST(Job, TheLastOfEqualMetadataKeysCounts) {
  auto p = parse(record("app\n", "a=1\nb=2\na=3\n"));
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(p.region.job->metadata, (Pairs{{"a", "3"}, {"b", "2"}}));
}

TEST(Job, AMountLineCutByDamageIsNoMount) {
  Header h;
  h.minor = 41;
  std::vector<Problem> problems;
  ProblemSink sink("job", "", problems);
  Bytes b = record("app\next4\t/\nlustre\t/scra");
  EXPECT_EQ(parse_job(b.span(), h, false, sink).mounts.size(), 1u);
  EXPECT_EQ(parse_job(b.span(), h, true, sink).mounts.size(), 2u) << "a text without its NUL, but whole";
}

TEST(Job, RefusesAShortRecord) {
  auto p = parse(record("").size(1079));
  EXPECT_FALSE(p.region.job);
  EXPECT_EQ(p.problems.at(0).kind, ProblemKind::job_unreadable);
}

}  // namespace
}  // namespace darrow

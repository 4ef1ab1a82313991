#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/byte_order.hpp"
#include "bytes.hpp"
#include "format/job.hpp"

namespace darrow {
namespace {

using test::Bytes;
using namespace std::string_literals;
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

Job job() {
  return {1000, 100, 250000000, 110, 750000000, 4, 77, "/bin/app -x", {{"lib_ver", "3.5.0"}, {"h", "a=b;c=d"}}, {}};
}

/// The record, or what is wrong.
std::string encoded(const Job& j, const std::vector<Mount>& mounts = {}, ByteOrder order = ByteOrder::little) {
  auto bytes = encode_job(j, mounts, order);
  if (!bytes) return bytes.error().describe();
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

TEST(Job, IsWrittenInBothByteOrders) {
  for (bool big : {false, true}) {
    Bytes b(big);
    b.i64(1000).i64(100).i64(250000000).i64(110).i64(750000000).i64(4).i64(77).text("lib_ver=3.5.0\nh=a=b;c=d\n");
    b.size(1080).text("/bin/app -x\nlustre\t/scratch\next4\t/a b\0"sv);
    EXPECT_EQ(encoded(job(), {{"/scratch", "lustre"}, {"/a b", "ext4"}}, big ? ByteOrder::big : ByteOrder::little),
              b.str());
  }
  EXPECT_EQ(encoded({}), Bytes().size(1081).str());
}

TEST(Job, IsReadAsItWasWritten) {
  auto p = parse(Bytes().text(encoded(job(), {{"/scratch", "lustre"}, {"/tab\there", "ext4"}, {"/", "\xff"}})));
  ASSERT_TRUE(p.region.job);
  EXPECT_EQ(p.region.job->exe, job().exe);
  EXPECT_EQ(p.region.job->metadata, job().metadata);
  EXPECT_EQ(p.region.job->run_time, (110 + 750000000 / 1e9) - (100 + 250000000 / 1e9));
  ASSERT_EQ(p.region.mounts.size(), 3u);
  EXPECT_EQ(p.region.mounts[1].path, "/tab\there");
  EXPECT_EQ(p.region.mounts[2].fs_type, "\xff");
}

TEST(Job, FillsItsRecordToTheLastByte) {
  Job j = job();
  std::vector<Mount> mounts = {{"/", "x"}};  // 4 bytes
  j.exe = std::string(4096 - 1080 - 4 - 1, 'e');
  EXPECT_EQ(encoded(j, mounts).size(), 4096u);
  EXPECT_EQ(parse(Bytes().text(encoded(j, mounts))).region.mounts.size(), 1u);
  j.exe += 'e';
  EXPECT_EQ(encoded(j, mounts),
            "the job record takes 4097 bytes, at most 4096 fit: 1080 fixed, the command line 3012, mounts 4, "
            "the final NUL 1 (job)");
}

TEST(Job, MetadataMayLackItsLastLineEnd) {
  Job j;
  j.metadata = {{"a", "1"}, {"k", std::string(1016, 'v')}};  // 4 and 1,019 bytes with their line ends
  std::string text = "a=1\nk=" + std::string(1016, 'v');
  EXPECT_EQ(encoded(j).substr(56, 1024), text + "\n\0"s);
  j.metadata[1].second += 'v';
  EXPECT_EQ(encoded(j).substr(56, 1024), text + "v\0"s);
  EXPECT_EQ(parse(Bytes().text(encoded(j))).region.job->metadata, j.metadata);
  j.metadata[1].second += 'v';
  EXPECT_EQ(encoded(j), "the metadata takes 1024 bytes as lines of key=value, at most 1023 fit (job)");
}

TEST(Job, RefusesTextThatWouldBeReadAsSomethingElse) {
  auto exe = [](std::string text) {
    Job j;
    j.exe = std::move(text);
    return encoded(j);
  };
  auto metadata = [](std::string key, std::string value) {
    Job j;
    j.metadata = {{std::move(key), std::move(value)}};
    return encoded(j);
  };
  auto mount = [](std::string path, std::string type) { return encoded({}, {{std::move(path), std::move(type)}}); };
  EXPECT_EQ(exe("app\nnfs\t/"), "the command line must not hold a line end, as it does behind \"app\" (job)");
  EXPECT_EQ(exe("app\0"s), "the command line must not hold a NUL, as it does behind \"app\" (job)");
  EXPECT_EQ(metadata("", "v"), "a key of the metadata must not be empty (job)");
  EXPECT_EQ(metadata("a=b", "v"), "a key of the metadata must not hold \"=\", as it does behind \"a\" (job)");
  EXPECT_EQ(metadata("\xff\n", "v"),
            "a key of the metadata must not hold a line end, as it does behind \"\\xff\" (job)");
  EXPECT_EQ(metadata("\0"s, "v"), "a key of the metadata must not hold a NUL, as it does behind \"\" (job)");
  EXPECT_EQ(metadata("k", "v\n"), "a value of the metadata must not hold a line end, as it does behind \"v\" (job)");
  EXPECT_EQ(metadata("k", "\0"s), "a value of the metadata must not hold a NUL, as it does behind \"\" (job)");
  EXPECT_EQ(metadata("k", "").substr(56, 4), "k=\n\0"s) << "an empty value is one";
  EXPECT_EQ(mount("/", ""), "the type of a mount must not be empty (job)");
  EXPECT_EQ(mount("/", "a\tb"), "the type of a mount must not hold a TAB, as it does behind \"a\" (job)");
  EXPECT_EQ(mount("", "x"), "the path of a mount must not be empty (job)");
  EXPECT_EQ(mount("/a\n", "x"), "the path of a mount must not hold a line end, as it does behind \"/a\" (job)");
}

TEST(Job, TheRunTimeTellsWhatItsTimesMean) {
  using Times = std::array<std::int64_t, 4>;  // start and end with their nanoseconds
  auto end = [](Times t, std::optional<double> run_time) {
    auto bytes = encode_job({0, t[0], t[1], t[2], t[3], 1, 0, "", {}, run_time}, {}, ByteOrder::little);
    return bytes ? std::to_string(load<std::int64_t>(bytes->data() + 24, !native_little)) : bytes.error().message;
  };
  EXPECT_EQ(end({100, 0, 110, 0}, 10.0), "110") << "the difference";
  EXPECT_EQ(end({100, 0, 110, 0}, 11.0), "111") << "one second more: the formats before 3.41";
  EXPECT_EQ(end({100, 0, 110, 0}, {}), "110") << "not told";
  EXPECT_EQ(end({100, 1, 110, 2}, (110 + 2 / 1e9) - (100 + 1 / 1e9)), "110");
  EXPECT_EQ(end({100, 0, 0, 0}, {}), "0") << "aborted";
  EXPECT_EQ(end({100, 0, 0, 0}, 5.0), "a run time of 5 s, but no end time (0)");
  EXPECT_EQ(end({100, 0, 110, 0}, 12.5), "a run time of 12.5 s, but 10 s between start and end");
  EXPECT_EQ(end({100, 0, 110, 500000000}, 11.5), "a run time of 11.5 s, but 10.5 s between start and end");
  EXPECT_EQ(end({100, 0, 110, 0}, std::nan("")), "a run time of nan s, but 10 s between start and end");
  EXPECT_EQ(end({-6, 0, -1, 0}, 6.0), "an end at -1 s cannot move by the second that its run time asks for");
  EXPECT_EQ(end({INT64_MAX, 0, INT64_MAX, 0}, 1.0),
            "an end at 9223372036854775807 s cannot move by the second that its run time asks for");
  EXPECT_EQ(end({INT64_MAX - 1, 0, INT64_MAX, 0}, 0.0), "9223372036854775807") << "rounded as in the reader";
}

}  // namespace
}  // namespace darrow

/// The summary of logs put together by hand: numbers worked out on paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "bytes.hpp"
#include "darrow/summary.hpp"

namespace darrow {
namespace {

using test::Bytes;

/// A record of STDIO version 2.
struct Stream {
  std::uint64_t id;
  std::int64_t rank, written = 0, read = 0;
  double meta = 0, write = 0, read_time = 0, slowest = 0;
};

/// An uncompressed log of format 3.41 with these STDIO records.
std::shared_ptr<const Log> log_of(const std::vector<Stream>& streams, std::int64_t nprocs = 4, bool partial = false) {
  Bytes job, records;
  job.i64(1000).i64(100).i64(0).i64(110).i64(0).i64(nprocs).i64(7).size(1080).text("app\n");
  for (const auto& s : streams) {
    Bytes r;
    r.u64(s.id).i64(s.rank).size(248);
    r.put(16 + 8 * 6, s.written).put(16 + 8 * 7, s.read);
    std::size_t floats = 16 + 8 * 14;
    r.put(floats, s.meta).put(floats + 8, s.write).put(floats + 16, s.read_time).put(floats + 8 * 12, s.slowest);
    records.text(r.str());
  }
  std::size_t at = 1328 + job.str().size();
  Bytes file;
  file.put_text(0, "3.41").put(8, std::int64_t{6567223}).put(16, std::uint32_t{2}).size(1328);
  if (partial) file.put(24, std::uint64_t{1} << 9);
  file.put(48 + 16 * 9, std::uint64_t{at})
      .put(48 + 16 * 9 + 8, std::uint64_t{records.str().size()})
      .put(1072 + 4 * 9, std::uint32_t{2});
  file.text(job.str()).text(records.str());
  auto bytes = file.span();
  return Log::from_bytes({bytes.begin(), bytes.end()}, "made by hand").value();
}

struct Row {
  std::shared_ptr<const Table> table;
  std::vector<Problem> problems;

  bool null(const char* column) const { return !table->find(column)->valid(0); }
  std::int64_t i(const char* column) const { return table->find(column)->values<std::int64_t>()[0]; }
  double f(const char* column) const { return table->find(column)->values<double>()[0]; }
  bool has(ProblemKind kind) const {
    return std::any_of(problems.begin(), problems.end(), [&](const Problem& p) { return p.kind == kind; });
  }
};

Row row_of(const std::vector<Stream>& streams, std::int64_t nprocs = 4, bool partial = false) {
  Row row;
  auto summary = summarize(*log_of(streams, nprocs, partial)).value();
  row.table = summary.layers;
  row.problems = summary.problems;
  EXPECT_EQ(row.table->rows, 1);
  return row;
}

TEST(Summary, SlowestRankPlusSharedFiles) {
  // Rank 0: 1 + 2 + 3 s, rank 1: 4 + 1 s; shared files: their slowest ranks took 0.5 and 0.25 s.
  auto r = row_of({{1, 0, 100, 0, 1, 0, 0, 0},
                   {2, 0, 0, 10, 2, 3, 0, 0},
                   {1, 1, 50, 0, 0, 4, 1, 0},
                   {3, -1, 7, 0, 90, 90, 90, 0.5},
                   {4, -1, 0, 1, 9, 9, 9, 0.25}});
  EXPECT_EQ(r.i("files"), 4);
  EXPECT_EQ(r.i("records"), 5);
  EXPECT_EQ(r.i("bytes_written"), 157);
  EXPECT_EQ(r.i("bytes_read"), 11);
  EXPECT_EQ(r.f("unique_time_by_slowest"), 6.0);
  EXPECT_EQ(r.i("slowest_rank"), 0);
  EXPECT_EQ(r.f("shared_time_by_slowest"), 0.75);
  EXPECT_EQ(r.f("time_by_slowest"), 6.75);
  EXPECT_EQ(r.f("rate"), 168 / 6.75);
  EXPECT_EQ(r.table->find("module")->text(0), "STDIO");
  EXPECT_TRUE(r.problems.empty());
}

TEST(Summary, NoTimeHasNoRate) {
  auto r = row_of({{1, 2, 5, 0, 0, 0, 0, 0}});
  EXPECT_EQ(r.f("time_by_slowest"), 0.0);
  EXPECT_TRUE(r.null("rate"));
  EXPECT_TRUE(r.null("slowest_rank"));
}

TEST(Summary, EqualRanksGoToTheLowest) {
  EXPECT_EQ(row_of({{1, 3, 0, 0, 1, 0, 0, 0}, {2, 1, 0, 0, 1, 0, 0, 0}, {3, 2, 0, 0, 1, 0, 0, 0}}).i("slowest_rank"),
            1);
}

TEST(Summary, RanksThatCannotBeAreCountedButNoRankBelowMinusOneHasTime) {
  auto r = row_of({{1, -5, 3, 0, 100, 0, 0, 100}, {2, std::int64_t{1} << 40, 4, 0, 2, 0, 0, 0}});
  EXPECT_EQ(r.i("bytes_written"), 7);
  EXPECT_EQ(r.f("time_by_slowest"), 2.0);
  EXPECT_EQ(r.i("slowest_rank"), std::int64_t{1} << 40);
  EXPECT_TRUE(r.has(ProblemKind::rank_below_minus_one));
  EXPECT_TRUE(r.has(ProblemKind::rank_beyond_nprocs));
}

TEST(Summary, NegativeAndAbsurdValuesAreMissing) {
  auto r = row_of({{1, 0, -4, 6, -1.0, 2.0, std::numeric_limits<double>::quiet_NaN(), 0},
                   {2, 0, 5, 0, 0, std::numeric_limits<double>::infinity(), 0, 0}});
  EXPECT_EQ(r.i("bytes_written"), 5);
  EXPECT_EQ(r.f("time_by_slowest"), 2.0);
  EXPECT_TRUE(r.has(ProblemKind::value_negative));
}

TEST(Summary, ASumThatDoesNotFitIsNull) {
  auto r = row_of({{1, 0, INT64_MAX, 1, 1, 0, 0, 0}, {2, 0, 1, 0, 0, 0, 0, 0}});
  EXPECT_TRUE(r.null("bytes_written"));
  EXPECT_TRUE(r.null("rate"));
  EXPECT_EQ(r.i("bytes_read"), 1);
  EXPECT_TRUE(r.has(ProblemKind::sum_overflow));
}

TEST(Summary, TellsThatAModuleIsPartial) {
  auto partial = [](bool flag) {
    auto r = row_of({{1, 0, 1, 0, 0, 0, 0, 0}}, 4, flag);
    return (std::to_integer<int>(r.table->find("partial")->data.data[0]) & 1) != 0;
  };
  EXPECT_TRUE(partial(true));
  EXPECT_FALSE(partial(false));
}

}  // namespace
}  // namespace darrow

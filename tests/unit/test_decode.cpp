#include <gtest/gtest.h>

#include <algorithm>

#include "bytes.hpp"
#include "codec/decode.hpp"
#include "codec/transpose.hpp"
#include "modules/fixups.hpp"

namespace darrow {
namespace {

using test::Bytes;

struct Result {
  std::vector<Problem> problems;
  Records records;
};

Result run(const char* module, int version, const Bytes& b, bool swap = false, Selection selection = {},
           RowFilter filter = {}) {
  Result r;
  ProblemSink sink(module, module, r.problems);
  const Module& m = *find_module(module);
  RegionStream region(test::buffer(b.str()));
  Decoder decoder(m, version, swap, region, selection, filter, sink);
  r.records = decoder.next();
  ProblemCounts counts;
  apply_fixups(r.records, counts);
  counts.report(sink);
  mark_nulls(r.records);
  return r;
}

template <typename T>
std::vector<T> values(Column* c) {
  auto v = c->values<T>();
  return {v.begin(), v.end()};
}
using I = std::vector<std::int64_t>;
using D = std::vector<double>;

TEST(Decode, FixedRecordsInBothByteOrders) {
  for (bool big : {false, true}) {
    Bytes b(big);
    for (int r = 0; r < 600; ++r) {  // more than two blocks
      b.u64(1u + static_cast<unsigned>(r)).i64(r - 1).i64(r * 10);
      for (int f = 0; f < 4; ++f) b.f64(r + f / 8.0);
    }
    auto r = run("H5F", 2, b, big);
    Records& records = r.records;
    ASSERT_EQ(records.rows, 600);
    EXPECT_EQ(values<std::int64_t>(records.find("H5F_OPENS"))[599], 5990);
    EXPECT_EQ(values<double>(records.find("H5F_F_CLOSE_END_TIMESTAMP"))[599], 599 + 3 / 8.0);
    EXPECT_EQ(values<std::uint64_t>(&records.columns[0])[599], 600u);
    EXPECT_EQ(values<std::int64_t>(&records.columns[1])[0], -1);
    EXPECT_TRUE(records.columns[1].valid(0)) << "rank -1 is a value";
    Column* flushes = records.find("H5F_FLUSHES");
    EXPECT_EQ(flushes->null_count, 600) << "not stored by version 2";
    EXPECT_EQ(values<std::int64_t>(flushes)[0], -1);
    EXPECT_EQ(values<double>(records.find("H5F_F_META_TIME"))[0], -1.0);
  }
}

TEST(Decode, ColumnsOfZeroedMemoryAreTheSame) {
  constexpr std::size_t rows = 1000;
  for (bool big : {false, true}) {
    Bytes b(big);
    for (std::size_t r = 0; r < rows; ++r)  // all zeros; zeros but for one block; never zero; -0.0
      b.i64(0).i64(r == 600 ? -7 : 0).i64(static_cast<std::int64_t>(r) + 1).f64(r == 999 ? -0.0 : 0.0);
    for (bool zeroed : {false, true}) {
      std::vector<std::uint64_t> out(4 * rows, zeroed ? 0 : 99);
      std::vector<Gather> gathers;
      for (std::size_t c = 0; c < 4; ++c) gathers.push_back({8 * c, reinterpret_cast<std::byte*>(&out[c * rows]), 8});
      transpose(b.span().data(), rows, 32, big, zeroed, gathers);
      EXPECT_TRUE(gathers[0].all_zero);
      for (std::size_t c = 1; c < 4; ++c) EXPECT_FALSE(gathers[c].all_zero);
      for (std::size_t r = 0; r < rows; ++r) {
        ASSERT_EQ(out[r], zeroed ? 0u : 99u) << "nothing is written where all is 0";
        ASSERT_EQ(out[rows + r], r == 600 ? static_cast<std::uint64_t>(-7) : 0u);
        ASSERT_EQ(out[2 * rows + r], r + 1);
        ASSERT_EQ(out[3 * rows + r], r == 999 ? std::uint64_t{1} << 63 : 0u) << "the sign of a zero is kept";
      }
    }
  }
}

TEST(Decode, AFragmentIsReportedAndWholeRecordsKept) {
  Bytes b;
  b.size(2 * 80 + 30);
  auto r = run("H5F", 3, b);
  EXPECT_EQ(r.records.rows, 2);
  ASSERT_EQ(r.problems.size(), 1u);
  EXPECT_EQ(r.problems[0].kind, ProblemKind::record_fragment);
  EXPECT_EQ(r.problems[0].offset, 160u);
  EXPECT_TRUE(r.problems[0].inflated);
  EXPECT_EQ(r.problems[0].count, 30);
}

Bytes& heatmap(Bytes& b, std::int64_t nbins, int first) {
  b.u64(16592106915301738621u).i64(0).f64(0.1).i64(nbins).u64(0xdead).u64(0xbeef);
  for (std::int64_t i = 0; i < 2 * nbins; ++i) b.i64(first + i);
  return b;
}

TEST(Decode, ListsBehindRecords) {
  for (bool big : {false, true}) {
    Bytes b(big);
    heatmap(heatmap(heatmap(b, 2, 10), 0, 0), 3, 20);
    auto r = run("HEATMAP", 1, b, big);
    ASSERT_EQ(r.records.rows, 3);
    auto &write = r.records.elements[0], &read = r.records.elements[1];
    EXPECT_EQ(write.offsets, (I{0, 2, 2, 5}));
    EXPECT_EQ(values<std::int64_t>(&write.columns[0]), (I{10, 11, 20, 21, 22}));
    EXPECT_EQ(values<std::int64_t>(&read.columns[0]), (I{12, 13, 23, 24, 25}));
    EXPECT_TRUE(r.problems.empty());
  }
}

TEST(Decode, CountsThatCannotBeTrueEndTheRegion) {
  for (std::int64_t nbins : {std::int64_t{-4}, std::int64_t{1} << 60, INT64_MAX, std::int64_t{6}}) {
    Bytes b;
    heatmap(b, 2, 10);
    heatmap(b, 5, 0).put(48 + 32 + 24, nbins);  // 10 bins are there, twice 6 would be needed
    auto r = run("HEATMAP", 1, b);
    EXPECT_EQ(r.records.rows, 1) << nbins;
    ASSERT_EQ(r.problems.size(), 1u);
    EXPECT_EQ(r.problems[0].kind, ProblemKind::record_malformed);
    EXPECT_EQ(r.problems[0].offset, 80u);
    EXPECT_EQ(r.problems[0].count, 128);
  }
}

TEST(Decode, TwoCountsThatOverflowTogether) {
  Bytes b;
  b.u64(1).i64(0).i64(0).text(std::string(64, 'h')).i64(INT64_MAX).i64(INT64_MAX).size(104 + 320);
  auto r = run("DXT_POSIX", 1, b);
  EXPECT_EQ(r.records.rows, 0);
  EXPECT_EQ(r.problems.at(0).kind, ProblemKind::record_malformed);
}

TEST(Decode, TheHistogramOfMdhimHasAtLeastOneEntry) {
  Bytes b;
  for (std::int64_t servers : {0, 1, 3}) {
    b.u64(1).i64(0).i64(10).i64(20).i64(0).i64(0).i64(servers).f64(0).f64(0).f64(0).f64(0);
    for (std::int64_t s = 0; s < std::max<std::int64_t>(servers, 1); ++s) b.i64(100 * servers + s);
  }
  auto r = run("MDHIM", 1, b);
  ASSERT_EQ(r.records.rows, 3);
  EXPECT_EQ(r.records.elements[0].offsets, (I{0, 1, 2, 5}));
  EXPECT_EQ(values<std::int64_t>(&r.records.elements[0].columns[0]), (I{0, 100, 300, 301, 302}));
}

TEST(Decode, SelectionLeavesOutWhatNobodyAskedFor) {
  Bytes b;
  b.size(80 * 3);
  auto r = run("H5F", 3, b, false, Selection({"H5F_OPENS"}));
  EXPECT_EQ(r.records.columns.size(), 3u) << "id and rank are always there";
}

TEST(Decode, FiltersRecordsWithTheirLists) {
  Bytes b;
  for (int id : {1, 2, 1, 3}) {
    Bytes record;
    heatmap(record, id, 10 * id);
    b.text(record.put(0, std::uint64_t(id)).str());
  }
  RowFilter filter;
  filter.ids.emplace({std::uint64_t{1}, std::uint64_t{3}});
  auto r = run("HEATMAP", 1, b, false, {}, filter);
  EXPECT_EQ(values<std::uint64_t>(&r.records.columns[0]), (std::vector<std::uint64_t>{1, 1, 3}));
  EXPECT_EQ(values<std::int64_t>(&r.records.elements[0].columns[0]), (I{10, 10, 30, 31, 32}));
  EXPECT_EQ(values<std::int64_t>(&r.records.elements[1].columns[0]), (I{11, 11, 33, 34, 35}));
  filter.ranks.emplace({std::int64_t{7}});
  EXPECT_EQ(run("HEATMAP", 1, b, false, {}, filter).records.rows, 0);
}

TEST(Fixups, PosixVersion1DropsStreamRecords) {
  Bytes b(true);
  auto offset_of_fopens = 16 + 8 * 6;  // OPENS READS WRITES SEEKS STATS MMAPS FOPENS
  b.size(3 * 680);
  for (std::uint64_t r = 0; r < 3; ++r) b.put(680 * r, 100 + r);
  b.put(680 * 1 + offset_of_fopens, std::int64_t{128});
  auto r = run("POSIX", 1, b, true);
  EXPECT_EQ(values<std::uint64_t>(&r.records.columns[0]), (std::vector<std::uint64_t>{100, 102}));
  EXPECT_EQ(r.problems.at(0).kind, ProblemKind::records_dropped);
  EXPECT_EQ(r.problems.at(0).count, 1);
}

TEST(Fixups, PnetcdfOpensAreAddedAfterSwapping) {
  Bytes b(true);
  b.u64(1).i64(0).i64(3).i64(300).f64(0.5).f64(1.5);
  auto r = run("PNETCDF_FILE", 1, b, true);
  EXPECT_EQ(values<std::int64_t>(r.records.find("PNETCDF_FILE_OPENS")), (I{303}));
  EXPECT_TRUE(r.records.find("PNETCDF_FILE_OPENS")->valid(0));
  EXPECT_FALSE(r.records.find("PNETCDF_FILE_CREATES")->valid(0));
}

Bytes& component(Bytes& b, std::int64_t size, std::int64_t count, std::string_view pool) {
  b.i64(size).i64(count).i64(0).i64(16).i64(0).i64(-1).i64(0).text(pool);
  return b.size(b.str().size() + 16 - pool.size());
}

TEST(Fixups, LustreCutsLeftoversAndHandsOutTargets) {
  Bytes b;
  b.u64(1).i64(-1).i64(3).i64(5);
  component(component(component(b, 1 << 20, 1, "fast"), 1 << 22, 2, "0123456789abcdef"), -1, 7, "");
  for (int ost : {11, 12, 13, 14, 15}) b.i64(ost);
  auto r = run("LUSTRE", 2, b);
  ASSERT_EQ(r.records.elements.size(), 1u);
  Elements& components = r.records.elements[0];
  EXPECT_EQ(components.offsets, (I{0, 2}));
  EXPECT_EQ(components.columns[7].text(1), "0123456789abcdef") << "no terminator";
  Column& osts = components.columns[8];
  EXPECT_EQ(osts.children[0].length, 3);
  EXPECT_EQ(values<std::int64_t>(&osts.children[0]), (I{11, 12, 13}));
  EXPECT_EQ(r.problems.at(0).kind, ProblemKind::layout_cut);
}

TEST(Fixups, LustreStripesBeyondTheStoredTargets) {
  Bytes b;
  b.u64(1).i64(-1).i64(2).i64(2);
  component(component(b, 1 << 20, INT64_MAX, ""), 1 << 20, -3, "");
  b.i64(1).i64(2);
  auto r = run("LUSTRE", 2, b);
  Elements& components = r.records.elements[0];
  EXPECT_EQ(values<std::int64_t>(&components.columns[8].children[0]), (I{1, 2}));
  EXPECT_EQ(r.problems.at(0).kind, ProblemKind::layout_osts);
}

}  // namespace
}  // namespace darrow

/// Compatible mode: darshan-util's accidents, one by one, with numbers worked out on paper.
#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <string>

#include "aggregate/compat_columns.hpp"
#include "aggregate/compat_common_values.hpp"
#include "darrow/compat.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

using I = std::int64_t;

/// A record: its id and rank, and the counters that are not 0.
struct Row {
  std::uint64_t id;
  I rank;
  std::map<std::string, double> values = {};
  std::vector<I> list = {};
};

Table table_of(const Module& module, const std::vector<Row>& rows) {
  Table table;
  table.name = module.name;
  table.module = &module;
  table.rows = static_cast<I>(rows.size());
  auto add = [&]<typename T>(const Field& f, T, auto value_of) {
    std::vector<std::optional<T>> values;
    for (const auto& r : rows) values.push_back(static_cast<T>(value_of(r)));
    table.columns.push_back(value_column<T>(std::string(f.label()), values));
  };
  add(id_field, std::uint64_t{}, [](const Row& r) { return r.id; });
  add(rank_field, I{}, [](const Row& r) { return r.rank; });
  for (const auto& f : module.fields) {
    if (!compat::is_counter(f, module)) continue;
    auto value = [&](const Row& r) {
      auto at = r.values.find(std::string(f.name));
      return at == r.values.end() ? 0 : at->second;
    };
    if (f.type == Type::f64) add(f, double{}, value);
    else if (f.type == Type::u64) add(f, std::uint64_t{}, value);
    else add(f, I{}, value);
  }
  for (const auto& repeat : module.repeats) {
    std::vector<std::optional<std::int32_t>> ends{0};
    std::vector<std::optional<I>> values;
    for (const auto& r : rows) {
      values.insert(values.end(), r.list.begin(), r.list.end());
      ends.emplace_back(static_cast<std::int32_t>(values.size()));
    }
    Column c;
    c.name = repeat.name;
    c.type = ColumnType::list;
    c.length = table.rows;
    c.offsets = value_column<std::int32_t>("", ends).data;
    c.children.push_back(value_column<I>("item", values));
    table.columns.push_back(std::move(c));
  }
  return table;
}

/// What the accumulator makes of some records.
struct Outcome {
  Table table;
  std::optional<CompatMetrics> metrics;

  I i(const char* name) const { return table.find(name)->values<I>()[0]; }
  double f(const char* name) const { return table.find(name)->values<double>()[0]; }
  std::uint64_t id() const { return table.find("id")->values<std::uint64_t>()[0]; }
};

Outcome outcome(const char* name, const std::vector<Row>& rows, I nprocs = 4) {
  const Module& module = *find_module(name);
  auto accumulator = CompatAccumulator::create(module, nprocs).value();
  EXPECT_FALSE(accumulator.add(table_of(module, rows)));
  return {accumulator.record(), accumulator.metrics()};
}

// Sums ----------------------------------------------------------------------------------------------------------------

TEST(Compat, SumsBelowZeroBecomeMinusOneInSomeModules) {
  auto mmaps = [](std::vector<double> values) {
    std::vector<Row> rows;
    for (double v : values) rows.push_back({1, 0, {{"POSIX_MMAPS", v}}});
    return outcome("POSIX", rows).i("POSIX_MMAPS");
  };
  EXPECT_EQ(mmaps({-1, -1}), -1);
  EXPECT_EQ(mmaps({-1, 5}), 4);
  EXPECT_EQ(mmaps({5, -1}), 4);
  EXPECT_EQ(mmaps({-4}), -1);
  Row stream{1, 0, {{"STDIO_FDOPENS", -1}}};
  EXPECT_EQ(outcome("STDIO", {stream, stream, stream}).i("STDIO_FDOPENS"), -3);
  Row file{1, 0, {{"MPIIO_HINTS", -1}}};
  EXPECT_EQ(outcome("MPI-IO", {file, file}).i("MPIIO_HINTS"), -2);
  Row dataset{1, 0, {{"H5D_FLUSHES", -1}}};
  EXPECT_EQ(outcome("H5D", {dataset, dataset}).i("H5D_FLUSHES"), -2);
}

TEST(Compat, SumsWrapAround) {
  const double huge = 4611686018427387904.0;  // 2^62
  Row row{1, 0, {{"STDIO_BYTES_READ", huge}}};
  auto o = outcome("STDIO", {row, row});
  EXPECT_EQ(o.i("STDIO_BYTES_READ"), std::numeric_limits<I>::min());
  EXPECT_EQ(o.metrics->total_bytes, std::numeric_limits<I>::min());
}

TEST(Compat, LastValuesAndMaxima) {
  auto o = outcome("POSIX", {{1, 0, {{"POSIX_MODE", 420}, {"POSIX_RENAMED_FROM", 7}, {"POSIX_MAX_BYTE_READ", 99}}},
                             {1, 0, {{"POSIX_MODE", 0}, {"POSIX_MAX_BYTE_READ", -1}}}});
  EXPECT_EQ(o.i("POSIX_MODE"), 0) << "the last record's";
  EXPECT_EQ(o.i("POSIX_RENAMED_FROM"), 0);
  EXPECT_EQ(o.i("POSIX_MAX_BYTE_READ"), 99);
  EXPECT_EQ(outcome("POSIX", {{1, 0, {{"POSIX_MAX_BYTE_READ", -1}}}}).i("POSIX_MAX_BYTE_READ"), 0) << "from 0";
}

TEST(Compat, TimestampsAndLongestCalls) {
  auto o = outcome("POSIX", {{1,
                              0,
                              {{"POSIX_F_OPEN_START_TIMESTAMP", -1},
                               {"POSIX_F_OPEN_END_TIMESTAMP", -1},
                               {"POSIX_F_MAX_READ_TIME", 2},
                               {"POSIX_MAX_READ_TIME_SIZE", 10}}},
                             {1, 0, {{"POSIX_F_OPEN_START_TIMESTAMP", 3}, {"POSIX_F_OPEN_END_TIMESTAMP", 5}}},
                             {1,
                              0,
                              {{"POSIX_F_OPEN_START_TIMESTAMP", 2},
                               {"POSIX_F_OPEN_END_TIMESTAMP", 4},
                               {"POSIX_F_MAX_READ_TIME", 2},
                               {"POSIX_MAX_READ_TIME_SIZE", 20}}}});
  EXPECT_EQ(o.f("POSIX_F_OPEN_START_TIMESTAMP"), 2);
  EXPECT_EQ(o.f("POSIX_F_OPEN_END_TIMESTAMP"), 5);
  EXPECT_EQ(o.f("POSIX_F_READ_START_TIMESTAMP"), 0);
  EXPECT_EQ(o.i("POSIX_MAX_READ_TIME_SIZE"), 10) << "of the first of two equal ones";
}

// Common values -------------------------------------------------------------------------------------------------------

compat::CommonValues common(std::initializer_list<I> values, std::initializer_list<I> counts) {
  compat::CommonValues all;
  std::size_t k = 0;
  for (I v : values) all[k++].value[0] = v;
  k = 0;
  for (I c : counts) all[k++].count = c;
  return all;
}

void expect_common(const compat::CommonValues& got, const compat::CommonValues& wanted) {
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(got[k].value, wanted[k].value) << k;
    EXPECT_EQ(got[k].count, wanted[k].count) << k;
  }
}

using Common = Upstream::Common;

TEST(CompatCommonValues, MergedValuesKeepTheirPlaces) {
  // 4, 5 and 3 are merged where they stand: 3 (11), 2 (6), 4 (13), 5 (9). Then 8 (6) goes in front of 2 (6), behind
  // which nothing is looked at: 5 falls out.
  auto aggregate = common({3, 2, 4, 5}, {6, 6, 5, 2});
  merge(aggregate, common({4, 5, 8, 3}, {8, 7, 6, 5}), Common::plain);
  expect_common(aggregate, common({3, 8, 2, 4}, {11, 6, 6, 13}));
}

TEST(CompatCommonValues, CountsAreComparedIn32Bits) {
  auto aggregate = common({5}, {10});
  merge(aggregate, common({7}, {(I{1} << 32) + 1}), Common::plain);
  expect_common(aggregate, common({5, 7}, {10, (I{1} << 32) + 1}));  // compared as 1

  aggregate = common({1, 2, 3, 4}, {10, 9, 8, 7});
  merge(aggregate, common({7, 8}, {I{1} << 32, 100}), Common::plain);
  expect_common(aggregate, common({1, 2, 3, 4}, {10, 9, 8, 7}));  // 7 counts 0, and its failure ends all
}

TEST(CompatCommonValues, TiesGoToTheLargerValue) {
  auto aggregate = common({5}, {3});
  merge(aggregate, common({9, 4}, {3, 3}), Common::plain);
  expect_common(aggregate, common({9, 5, 4}, {3, 3, 3}));
}

TEST(CompatCommonValues, RecordsThatBeginWithZero) {
  for (auto rule : {Common::plain, Common::skips_empty, Common::erases}) {
    auto aggregate = common({5}, {10});
    merge(aggregate, common({0, 5}, {0, 2}), rule);
    expect_common(aggregate, common({5}, {rule == Common::plain ? 12 : 10}));
  }
}

TEST(CompatCommonValues, ZerosMatchZeros) {
  auto aggregate = common({5}, {10});
  merge(aggregate, common({5, 0}, {1, 2}), Common::plain);
  expect_common(aggregate, common({5, 0, 0, 0}, {11, 2, 2, 2}));
}

TEST(CompatCommonValues, AMergedShapeEndsTheInsertion) {
  auto shapes = common({5}, {10});
  merge(shapes, common({5, 9}, {1, 1}), Common::erases);
  expect_common(shapes, common({5}, {11}));
  merge(shapes, common({9, 5}, {1, 1}), Common::erases);
  expect_common(shapes, common({5, 9}, {12, 1}));
}

TEST(CompatCommonValues, ShapesDifferInAnyNumber) {
  auto o =
      outcome("H5D", {{1, 0, {{"H5D_ACCESS1_ACCESS", 8}, {"H5D_ACCESS1_LENGTH_D5", 2}, {"H5D_ACCESS1_COUNT", 1}}},
                      {1, 0, {{"H5D_ACCESS1_ACCESS", 8}, {"H5D_ACCESS1_LENGTH_D5", 3}, {"H5D_ACCESS1_COUNT", 4}}}});
  EXPECT_EQ(o.i("H5D_ACCESS1_LENGTH_D5"), 3);
  EXPECT_EQ(o.i("H5D_ACCESS1_COUNT"), 4);
  EXPECT_EQ(o.i("H5D_ACCESS2_LENGTH_D5"), 2);
  EXPECT_EQ(o.i("H5D_ACCESS2_COUNT"), 1);
}

TEST(CompatCommonValues, OfModules) {
  Row strided{1,
              0,
              {{"POSIX_STRIDE1_STRIDE", 64},
               {"POSIX_STRIDE1_COUNT", 3},
               {"POSIX_ACCESS1_ACCESS", 8},
               {"POSIX_ACCESS1_COUNT", 5}}};
  auto o = outcome("POSIX", {strided, strided});
  EXPECT_EQ(o.i("POSIX_STRIDE1_STRIDE"), 64);
  EXPECT_EQ(o.i("POSIX_STRIDE1_COUNT"), 6);
  EXPECT_EQ(o.i("POSIX_ACCESS1_COUNT"), 10);
  // MPI-IO leaves out a record whose first value is 0.
  Row plain{1, 0, {{"MPIIO_ACCESS1_ACCESS", 8}, {"MPIIO_ACCESS1_COUNT", 5}}};
  Row odd{1, 0, {{"MPIIO_ACCESS2_ACCESS", 8}, {"MPIIO_ACCESS2_COUNT", 5}}};
  EXPECT_EQ(outcome("MPI-IO", {plain, odd}).i("MPIIO_ACCESS1_COUNT"), 5);
}

// Identity, fastest and slowest ---------------------------------------------------------------------------------------

Row ranked(std::uint64_t id, I rank, double seconds) { return {id, rank, {{"POSIX_F_READ_TIME", seconds}}}; }

TEST(Compat, RanksOfOneFile) {
  auto o = outcome("POSIX", {ranked(9, 0, 2), ranked(9, 1, 1), ranked(9, 2, 3), ranked(9, 3, 1)});
  EXPECT_EQ(o.id(), 9u);
  EXPECT_EQ(o.i("rank"), -1);
  EXPECT_EQ(o.i("POSIX_FASTEST_RANK"), 1) << "the first of two equal ones";
  EXPECT_EQ(o.f("POSIX_F_FASTEST_RANK_TIME"), 1);
  EXPECT_EQ(o.i("POSIX_SLOWEST_RANK"), 2);
  EXPECT_EQ(o.f("POSIX_F_SLOWEST_RANK_TIME"), 3);
  EXPECT_EQ(o.f("POSIX_F_VARIANCE_RANK_TIME"), 0);
}

TEST(Compat, SharedRecordsBringTheirStoredRanks) {
  Row shared{9,
             -1,
             {{"POSIX_F_READ_TIME", 100},
              {"POSIX_FASTEST_RANK", 5},
              {"POSIX_FASTEST_RANK_BYTES", 50},
              {"POSIX_F_FASTEST_RANK_TIME", 0.5},
              {"POSIX_SLOWEST_RANK", 6},
              {"POSIX_SLOWEST_RANK_BYTES", 60},
              {"POSIX_F_SLOWEST_RANK_TIME", 7},
              {"POSIX_F_VARIANCE_RANK_TIME", 3}}};
  auto o = outcome("POSIX", {ranked(9, 0, 2), shared});
  EXPECT_EQ(o.i("POSIX_FASTEST_RANK"), 5);
  EXPECT_EQ(o.i("POSIX_FASTEST_RANK_BYTES"), 50);
  EXPECT_EQ(o.i("POSIX_SLOWEST_RANK"), 6);
  EXPECT_EQ(o.i("POSIX_SLOWEST_RANK_BYTES"), 60);
  EXPECT_EQ(o.f("POSIX_F_SLOWEST_RANK_TIME"), 7);
  EXPECT_EQ(o.f("POSIX_F_VARIANCE_RANK_TIME"), 0);
}

TEST(Compat, SeveralFilesHaveNoSlowestRankUnlessTheLastHasIdZero) {
  auto o = outcome("POSIX", {ranked(9, 0, 2), ranked(8, 0, 3)});
  EXPECT_EQ(o.id(), 0u);
  EXPECT_EQ(o.i("rank"), 0);
  EXPECT_EQ(o.i("POSIX_SLOWEST_RANK"), -1);
  EXPECT_EQ(o.i("POSIX_SLOWEST_RANK_BYTES"), -1);
  EXPECT_EQ(o.f("POSIX_F_SLOWEST_RANK_TIME"), 0);
  o = outcome("POSIX", {ranked(9, 0, 2), ranked(8, 0, 3), ranked(9, 0, 4)});
  EXPECT_EQ(o.i("POSIX_SLOWEST_RANK"), -1) << "back to the first file: another one than 0";
  o = outcome("POSIX", {ranked(9, 0, 2), ranked(8, 0, 3), ranked(0, 1, 4)});
  EXPECT_EQ(o.i("POSIX_SLOWEST_RANK"), 1);
  EXPECT_EQ(o.f("POSIX_F_SLOWEST_RANK_TIME"), 4);
  EXPECT_EQ(o.i("POSIX_FASTEST_RANK"), -1) << "4 s are not below the 0 s of several files";
}

// Modules without metrics ---------------------------------------------------------------------------------------------

TEST(Compat, ForgottenAndGivenUpCounters) {
  EXPECT_EQ(outcome("DAOS", {{1, 0, {{"DAOS_NB_OPS", 5}}}}).i("DAOS_NB_OPS"), 0);
  auto variable = outcome("PNETCDF_VAR", {{1, 0, {{"PNETCDF_VAR_NB_READS", 5}, {"PNETCDF_VAR_NB_WRITES", 5}}}});
  EXPECT_EQ(variable.i("PNETCDF_VAR_NB_READS"), -1);
  EXPECT_EQ(variable.i("PNETCDF_VAR_NB_WRITES"), -1);
  EXPECT_EQ(outcome("PNETCDF_VAR", {}).i("PNETCDF_VAR_NB_READS"), 0) << "no record yet";
  auto null = outcome("NULL", {{1, 0, {{"NULL_FOOS", 2}, {"NULL_FOO_MAX_DAT", 7}, {"NULL_F_FOO_MAX_DURATION", 3}}},
                               {1, 0, {{"NULL_FOOS", 3}, {"NULL_FOO_MAX_DAT", 5}, {"NULL_F_FOO_TIMESTAMP", 4}}}});
  EXPECT_EQ(null.i("NULL_FOOS"), 5);
  EXPECT_EQ(null.i("NULL_FOO_MAX_DAT"), 7);
  EXPECT_EQ(null.f("NULL_F_FOO_TIMESTAMP"), 4);
  EXPECT_EQ(null.f("NULL_F_FOO_MAX_DURATION"), -1);
}

TEST(Compat, Mdhim) {
  auto o =
      outcome("MDHIM", {{1, 0, {{"MDHIM_PUTS", 2}, {"MDHIM_SERVERS", 2}, {"MDHIM_PUT_MAX_SIZE", 9}}, {1, 2}},
                        {1, 1, {{"MDHIM_PUTS", 3}, {"MDHIM_SERVERS", 3}, {"MDHIM_F_PUT_TIMESTAMP", 5}}, {4, 5, 6}}});
  EXPECT_EQ(o.i("MDHIM_PUTS"), 5);
  EXPECT_EQ(o.f("MDHIM_F_PUT_TIMESTAMP"), 5);
  EXPECT_EQ(o.i("MDHIM_PUT_MAX_SIZE"), -1);
  EXPECT_EQ(o.i("MDHIM_SERVERS"), -1);
  EXPECT_EQ(o.f("MDHIM_F_GET_MAX_DURATION"), -1);
  const Column& servers = *o.table.find("servers");
  auto sums = servers.children[0].values<I>();
  EXPECT_EQ(std::vector<I>(sums.begin(), sums.end()), (std::vector<I>{5, 7, 6}));
  EXPECT_FALSE(o.metrics);
}

TEST(Compat, BlueGeneTakesTheFirstRecord) {
  const Module& bgq = *find_module("BG/Q");
  Row first{7, 0, {{"BGQ_NNODES", 32}, {"BGQ_INODES", 3}, {"BGQ_F_TIMESTAMP", 1}}};
  Row second{7, 1, {{"BGQ_NNODES", 32}, {"BGQ_INODES", 4}, {"BGQ_F_TIMESTAMP", 2}}};
  auto o = outcome("BG/Q", {first, second});
  EXPECT_EQ(o.id(), 7u);
  EXPECT_EQ(o.i("rank"), 0);
  EXPECT_EQ(o.i("BGQ_NNODES"), 32);
  EXPECT_EQ(o.i("BGQ_INODES"), -1);
  EXPECT_EQ(o.f("BGQ_F_TIMESTAMP"), 1);
  auto accumulator = CompatAccumulator::create(bgq, 1).value();
  EXPECT_FALSE(accumulator.add(table_of(bgq, {first})));
  second.values["BGQ_NNODES"] = 64;
  auto error = accumulator.add(table_of(bgq, {second}));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::invalid_argument);
}

TEST(Compat, DatasetsReduceLikeRanks) {
  auto dataset = [](I rank, double seconds, double bytes) {
    return Row{5,
               rank,
               {{"H5D_F_META_TIME", seconds},
                {"H5D_BYTES_READ", bytes},
                {"H5D_FASTEST_RANK", 77},
                {"H5D_USE_DEPRECATED", rank == 1 ? 4.0 : 0.0},
                {"H5D_DATATYPE_SIZE", static_cast<double>(rank)},
                {"file_rec_id", static_cast<double>(rank + 100)}}};
  };
  auto o = outcome("H5D", {dataset(0, 1, 10), dataset(1, 2, 20), dataset(2, 6, 60), dataset(-1, 3, 30)});
  EXPECT_EQ(o.id(), 0u) << "left to the caller";
  EXPECT_EQ(o.i("H5D_FASTEST_RANK"), 0) << "stored ones are not looked at";
  EXPECT_EQ(o.i("H5D_SLOWEST_RANK"), 2);
  EXPECT_EQ(o.i("H5D_SLOWEST_RANK_BYTES"), 60);
  EXPECT_EQ(o.i("H5D_USE_DEPRECATED"), 1);
  EXPECT_EQ(o.i("H5D_DATATYPE_SIZE"), -1) << "the last record's";
  EXPECT_EQ(o.i("file_rec_id"), 99);
  EXPECT_EQ(o.f("H5D_F_VARIANCE_RANK_TIME"), 3.5) << "of 1, 2, 6, 3: mean 3, squares 4 + 1 + 9 + 0";
  EXPECT_EQ(o.f("H5D_F_VARIANCE_RANK_BYTES"), 350);
}

TEST(Compat, BytesOfDatasetsAreAddedAsDoubles) {
  const double odd = 9007199254740994.0;  // 2^53 + 2; 3 more cannot be told
  Row row{5, 0, {{"H5D_BYTES_READ", odd}, {"H5D_BYTES_WRITTEN", 3}}};
  EXPECT_EQ(outcome("H5D", {row}).i("H5D_SLOWEST_RANK_BYTES"), 9007199254740996);
  Row file{5, 0, {{"POSIX_BYTES_READ", odd}, {"POSIX_BYTES_WRITTEN", 3}}};
  EXPECT_EQ(outcome("POSIX", {file}).i("POSIX_SLOWEST_RANK_BYTES"), 9007199254740997);
}

TEST(Compat, FilesOfHdf5) {
  auto o = outcome("H5F", {{1, 0, {{"H5F_OPENS", 2}, {"H5F_USE_MPIIO", -1}, {"H5F_F_META_TIME", -1}}},
                           {1, 0, {{"H5F_OPENS", 3}, {"H5F_USE_MPIIO", 1}, {"H5F_F_META_TIME", 2}}}});
  EXPECT_EQ(o.i("H5F_OPENS"), 5);
  EXPECT_EQ(o.i("H5F_USE_MPIIO"), 1);
  EXPECT_EQ(o.f("H5F_F_META_TIME"), 1);
  EXPECT_EQ(outcome("H5F", {{1, 0, {{"H5F_USE_MPIIO", -1}}}}).i("H5F_USE_MPIIO"), 0);
}

// Metrics -------------------------------------------------------------------------------------------------------------

TEST(CompatMetrics, TimesAreAddedInTheirOrder) {
  Row row{1, 0, {{"POSIX_F_META_TIME", 1}, {"POSIX_F_READ_TIME", 1}, {"POSIX_F_WRITE_TIME", 1e16}}};
  auto o = outcome("POSIX", {row});
  EXPECT_EQ(o.metrics->unique_io_total_time_by_slowest, 1e16 + 2) << "meta, read, write";
  EXPECT_EQ(o.f("POSIX_F_SLOWEST_RANK_TIME"), 1e16) << "read, write, meta";
}

TEST(CompatMetrics, SlowestRankAndSharedFiles) {
  auto row = [](std::uint64_t id, I rank, double meta, double read, double slowest) {
    return Row{id,
               rank,
               {{"STDIO_F_META_TIME", meta},
                {"STDIO_F_READ_TIME", read},
                {"STDIO_F_SLOWEST_RANK_TIME", slowest},
                {"STDIO_BYTES_READ", 1048576}}};
  };
  auto m = *outcome("STDIO", {row(1, 2, 1, 1, 50), row(2, 1, 0.5, 1, 0), row(3, 1, 0, 0.5, 0), row(4, -1, 9, 9, 1.5),
                              row(5, -2, 9, 9, 0.5)})
                .metrics;
  EXPECT_EQ(m.unique_io_slowest_rank, 1) << "ranks 1 and 2 took 2 s: the lower one";
  EXPECT_EQ(m.unique_io_total_time_by_slowest, 2);
  EXPECT_EQ(m.unique_md_only_time_by_slowest, 0.5);
  EXPECT_EQ(m.unique_rw_only_time_by_slowest, 1.5);
  EXPECT_EQ(m.shared_io_total_time_by_slowest, 2) << "any rank below 0 is shared";
  EXPECT_EQ(m.agg_time_by_slowest, 4);
  EXPECT_EQ(m.agg_perf_by_slowest, 5 / 4.0);
  EXPECT_EQ(m.total_bytes, 5 * 1048576);
}

TEST(CompatMetrics, NoTimeIsNoRate) {
  auto m = *outcome("STDIO", {{1, 3, {{"STDIO_BYTES_READ", 8}}}}).metrics;
  EXPECT_EQ(m.unique_io_slowest_rank, 0) << "no rank took any time";
  EXPECT_EQ(m.agg_perf_by_slowest, 0);
}

TEST(CompatMetrics, SharedFilesDependOnTheOrder) {
  auto m = *outcome("POSIX", {{1, -1}, {1, 0}}).metrics;
  EXPECT_EQ(m.part_shared.count, 1) << "-1, then a rank: 0 processes";
  EXPECT_EQ(m.shared.count, 0);
  EXPECT_EQ(m.all.nprocs, 0);
  m = *outcome("POSIX", {{1, 0}, {1, -1}}).metrics;
  EXPECT_EQ(m.shared.count, 1) << "a rank, then -1: -1";
  EXPECT_EQ(m.all.nprocs, -1);
}

TEST(CompatMetrics, Categories) {
  auto row = [](std::uint64_t id, I rank, double read, double written) {
    return Row{id,
               rank,
               {{"POSIX_BYTES_READ", read},
                {"POSIX_BYTES_WRITTEN", written},
                {"POSIX_MAX_BYTE_READ", read - 1},
                {"POSIX_MAX_BYTE_WRITTEN", written - 1}}};
  };
  auto m = *outcome("POSIX", {row(1, 0, 10, 0), row(2, 0, 0, 20), row(3, 0, 5, 5), row(3, 1, 5, 5), row(4, 2, 1, 0)}, 6)
                .metrics;
  EXPECT_EQ(m.all.count, 4);
  EXPECT_EQ(m.all.nprocs, 5) << "added up over files";
  EXPECT_EQ(m.all.total_read_volume_bytes, 21);
  EXPECT_EQ(m.all.max_write_volume_bytes, 20);
  EXPECT_EQ(m.all.total_max_offset_bytes, 9 + 19 + 4 + 0);
  EXPECT_EQ(m.all.max_offset_bytes, 19);
  EXPECT_EQ(m.read_only.count, 2);
  EXPECT_EQ(m.write_only.count, 1);
  EXPECT_EQ(m.read_write.count, 1);
  EXPECT_EQ(m.unique.count, 3);
  EXPECT_EQ(m.part_shared.count, 1);
  EXPECT_EQ(m.part_shared.nprocs, 2);
  m = *outcome("POSIX", {row(3, 0, 5, 5), row(3, 1, 5, 5), row(4, 0, 1, 0)}, 2).metrics;
  EXPECT_EQ(m.part_shared.count, 1) << "all ranks, but not of a shared record";
  EXPECT_EQ(m.part_shared.nprocs, -1) << "as many as the job has";
  EXPECT_EQ(m.all.nprocs, -1) << "and stays";
}

TEST(CompatMetrics, OffsetsThatAreNotKnown) {
  auto m = *outcome("MPI-IO", {{1, 0, {{"MPIIO_BYTES_READ", 5}}}}).metrics;
  EXPECT_EQ(m.all.total_max_offset_bytes, -1);
  EXPECT_EQ(m.all.max_offset_bytes, -1);
  EXPECT_EQ(m.write_only.max_offset_bytes, 0) << "no files";
  Row unknown{1, 0, {{"STDIO_MAX_BYTE_READ", -1}, {"STDIO_MAX_BYTE_WRITTEN", -1}}};
  Row known{2, 0, {{"STDIO_MAX_BYTE_READ", 7}}};
  EXPECT_EQ(outcome("STDIO", {unknown}).metrics->all.max_offset_bytes, -1);
  EXPECT_EQ(outcome("STDIO", {known, unknown}).metrics->all.total_max_offset_bytes, -1);
  EXPECT_EQ(outcome("STDIO", {unknown, known}).metrics->all.total_max_offset_bytes, 6) << "from -1 on";
}

// Using it ------------------------------------------------------------------------------------------------------------

TEST(CompatAccumulator, PartsAddUpToTheWhole) {
  std::vector<Row> rows;
  for (int r = 0; r < 7; ++r)
    rows.push_back(
        {static_cast<std::uint64_t>(r % 3),
         r % 4,
         {{"H5D_F_READ_TIME", 1.0 / (r + 1)}, {"H5D_ACCESS1_ACCESS", r % 5 + 1}, {"H5D_ACCESS1_COUNT", r + 1}}});
  const Module& module = *find_module("H5D");
  auto whole = CompatAccumulator::create(module, 4).value(), parts = CompatAccumulator::create(module, 4).value();
  EXPECT_FALSE(whole.add(table_of(module, rows)));
  for (const auto& row : rows) EXPECT_FALSE(parts.add(table_of(module, {row})));
  EXPECT_FALSE(parts.add(table_of(module, {})));
  Table a = whole.record(), b = parts.record();
  for (std::size_t c = 0; c < a.columns.size(); ++c)
    EXPECT_EQ(a.columns[c].values<I>()[0], b.columns[c].values<I>()[0]) << a.columns[c].name;
}

TEST(CompatAccumulator, StoredValuesBehindNullsCount) {
  const Module& module = *find_module("POSIX");
  Table table = table_of(module, {{1, 0, {{"POSIX_MMAPS", -1}}}});
  for (auto& c : table.columns)
    if (c.name == "POSIX_MMAPS") c.validity = validity_none(1);
  auto accumulator = CompatAccumulator::create(module, 1).value();
  EXPECT_FALSE(accumulator.add(table));
  Table record = accumulator.record();
  EXPECT_EQ(record.name, "POSIX");
  EXPECT_EQ(record.find("POSIX_MMAPS")->values<I>()[0], -1);
  EXPECT_TRUE(record.find("POSIX_MMAPS")->valid(0));
}

TEST(CompatAccumulator, RefusesWhatAbortsUpstream) {
  const Module& posix = *find_module("POSIX");
  for (I nprocs : {0, -3})
    EXPECT_EQ(CompatAccumulator::create(posix, nprocs).error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(CompatAccumulator::create(*find_module("H5F"), 0)) << "no ranks needed";
  auto accumulator = CompatAccumulator::create(posix, 2).value();
  auto error = accumulator.add(table_of(posix, {{1, 0, {{"POSIX_OPENS", 1}}}, {1, 2}}));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "a record of rank 2, but the job has 2 processes");
  EXPECT_EQ(accumulator.record().find("POSIX_OPENS")->values<I>()[0], 0) << "nothing was added";
  EXPECT_TRUE(accumulator.add(table_of(*find_module("STDIO"), {})));
  Table incomplete = table_of(posix, {});
  incomplete.columns.pop_back();
  EXPECT_TRUE(accumulator.add(incomplete));
}

TEST(CompatAccumulator, ModulesThatDoNotAddUp) {
  for (auto name : {"LUSTRE", "DXT_POSIX", "DXT_MPIIO", "HEATMAP", "APMPI", "APXC"}) {
    auto none = CompatAccumulator::create(*find_module(name), 1);
    ASSERT_FALSE(none) << name;
    EXPECT_EQ(none.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(none.error().region, name);
  }
  for (auto name : {"POSIX", "MPI-IO", "STDIO", "DFS", "DAOS"})
    EXPECT_TRUE(CompatAccumulator::create(*find_module(name), 1)->metrics()) << name;
}

}  // namespace
}  // namespace darrow

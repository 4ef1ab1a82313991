/// Accumulators over parts, groups and orders of the records of real logs give the same as over all of them at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>

#include "base/id_hash.hpp"
#include "cells.hpp"
#include "darrow/aggregate.hpp"
#include "darrow/log.hpp"
#include "darrow/metrics.hpp"

namespace darrow {
namespace {

struct Records {
  std::string name;  ///< of log and module
  std::shared_ptr<const Log> log;
  std::shared_ptr<const Table> table;
  std::int64_t nprocs;
};

/// Every table of the logs in tests/data whose records combine.
const std::vector<Records>& all_records() {
  static const auto all = [] {
    std::vector<Records> list;
    for (const auto& entry : std::filesystem::directory_iterator(DARROW_TEST_DATA)) {
      if (entry.path().extension() != ".darshan") continue;
      auto log = Log::open(entry.path());
      if (!log) continue;
      for (const auto& info : (*log)->modules()) {
        if (info.status != ModuleStatus::readable || !info.module->instead.empty()) continue;
        auto table = (*log)->table(info.name);
        if (table && (*table)->rows > 0)
          list.push_back({entry.path().stem().string() + " " + info.name, *log, *table,
                          (*log)->job() ? (*log)->job()->nprocs : 0});
      }
    }
    return list;
  }();
  return all;
}

/// Each cell of a table; variances to 12 digits: they alone depend on the order.
std::vector<std::string> cells(const Table& table) {
  std::vector<std::string> out;
  for (const auto& c : table.columns)
    for (std::int64_t r = 0; r < table.rows; ++r) {
      bool variance = c.field && c.field->rule == Rule::variance && c.valid(r);
      out.push_back(
          c.name + "=" +
          (variance ? fmt::format("{:.12g}", c.values<double>()[static_cast<std::size_t>(r)]) : test::cell(c, r)));
    }
  return out;
}

std::vector<std::string> cells(std::span<const Facts> facts) {
  std::vector<std::string> labels(facts.size(), "x"), out;
  for (const auto& table : {layer_table("l", labels, facts), category_table("l", labels, facts),
                            access_size_table("l", labels, facts), common_access_table("l", labels, facts, 100)}) {
    auto of_table = cells(table);
    out.insert(out.end(), of_table.begin(), of_table.end());
  }
  return out;
}

/// A group for each row.
std::vector<std::uint32_t> random_groups(std::size_t rows, std::uint32_t groups, std::mt19937& random) {
  std::vector<std::uint32_t> of(rows);
  for (auto& g : of) g = static_cast<std::uint32_t>(random() % groups);
  return of;
}

TEST(Accumulator, ReadsEnoughLogs) {
  EXPECT_GE(all_records().size(), 60u);
  std::vector<std::string_view> modules;
  for (const auto& r : all_records()) modules.push_back(r.table->name);
  for (auto name :
       {"POSIX", "MPI-IO", "STDIO", "DFS", "DAOS", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "BG/Q", "MDHIM"})
    EXPECT_GE(std::count(modules.begin(), modules.end(), name), 1) << name;
}

TEST(Accumulator, BatchesMergesAndStatesChangeNothing) {
  for (const auto& r : all_records()) {
    auto whole = Accumulator::create(*r.table->module).value();
    whole.add(*r.table).value();
    const auto expected = cells(*whole.table());
    const auto missing = cells(*whole.missing());
    for (std::int64_t batch : {1, 3}) {
      auto batches = Accumulator::create(*r.table->module).value();
      auto merged = Accumulator::create(*r.table->module).value();
      TableOptions options;
      options.columns = Accumulator::columns(*r.table->module);
      r.log
          ->scan(
              r.table->name, options,
              [&](const Table& part) {
                batches.add(part).value();
                auto one = Accumulator::create(*r.table->module).value();
                one.add(part).value();
                merged.merge(Accumulator::from_state(one.state()).value()).value();
              },
              batch)
          .value();
      EXPECT_EQ(cells(*batches.table()), expected) << r.name;
      EXPECT_EQ(cells(*merged.table()), expected) << r.name;
      EXPECT_EQ(cells(*merged.missing()), missing) << r.name;
      EXPECT_EQ(merged.problems(), whole.problems()) << r.name;
    }
  }
}

TEST(Accumulator, GroupsAreAggregatesOfTheirRecords) {
  std::mt19937 random(3);
  for (const auto& r : all_records()) {
    auto groups = random_groups(static_cast<std::size_t>(r.table->rows), 3, random);
    auto grouped = Accumulator::create(*r.table->module).value();
    grouped.add(*r.table, groups).value();
    // One group into three places and back.
    auto again = Accumulator::create(*r.table->module).value();
    auto whole = Accumulator::create(*r.table->module).value();
    std::vector<std::uint32_t> turned(static_cast<std::size_t>(grouped.groups())), zeros(turned.size(), 0);
    for (std::uint32_t g = 0; g < turned.size(); ++g) turned[g] = 2 - g;
    again.merge(grouped, turned).value();
    whole.merge(again).value();
    auto joined = Accumulator::create(*r.table->module).value();
    std::vector<std::uint32_t> all_zero(static_cast<std::size_t>(again.groups()), 0);
    joined.merge(again, all_zero).value();
    auto direct = Accumulator::create(*r.table->module).value();
    direct.add(*r.table).value();
    EXPECT_EQ(cells(*joined.table()), cells(*direct.table())) << r.name;
    EXPECT_EQ(cells(*whole.table()), cells(*again.table())) << r.name;
    auto rows = grouped.table();
    std::int64_t records = 0;
    for (auto n : rows->find("records")->values<std::int64_t>()) records += n;
    EXPECT_EQ(records, r.table->rows);
  }
}

TEST(Accumulator, RefusesWhatDoesNotFit) {
  for (auto name : {"LUSTRE", "DXT_POSIX", "DXT_MPIIO", "HEATMAP", "APMPI", "APXC"}) {
    auto none = Accumulator::create(*find_module(name));
    ASSERT_FALSE(none) << name;
    EXPECT_EQ(none.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(none.error().message.find("do not combine"), std::string::npos) << none.error().message;
  }
  auto log = Log::open(std::string(DARROW_TEST_DATA) + "/example.darshan").value();
  auto posix = log->table("POSIX").value();
  auto stdio = Accumulator::create(*find_module("STDIO")).value();
  EXPECT_FALSE(stdio.add(*posix));
  auto accumulator = Accumulator::create(*find_module("POSIX")).value();
  EXPECT_FALSE(accumulator.merge(stdio));
  TableOptions few;
  few.columns = {"id", "rank", "POSIX_READS"};
  auto lacking = accumulator.add(*log->table("POSIX", few).value());
  ASSERT_FALSE(lacking);
  EXPECT_NE(lacking.error().message.find("POSIX_OPENS"), std::string::npos) << lacking.error().message;
  std::vector<std::uint32_t> short_groups{0};
  EXPECT_FALSE(accumulator.add(*posix, short_groups));
  std::vector<std::uint32_t> high_groups(static_cast<std::size_t>(posix->rows), UINT32_MAX);
  EXPECT_FALSE(accumulator.add(*posix, high_groups));
  EXPECT_EQ(accumulator.groups(), 0);
  EXPECT_FALSE(accumulator.merge(accumulator));
  EXPECT_EQ(accumulator.records(), 0);
}

TEST(Accumulator, DamagedStatesAreErrors) {
  std::mt19937 random(4);
  for (auto name : {"posix-ops POSIX", "mdh MDHIM", "fx_H5D_v2_be_3.41 H5D"}) {
    auto at = std::find_if(all_records().begin(), all_records().end(), [&](const auto& r) { return r.name == name; });
    ASSERT_NE(at, all_records().end()) << name;
    auto accumulator = Accumulator::create(*at->table->module).value();
    accumulator.add(*at->table, random_groups(static_cast<std::size_t>(at->table->rows), 2, random)).value();
    Activity activity(at->nprocs);
    activity.add(*at->table, random_groups(static_cast<std::size_t>(at->table->rows), 2, random)).value();
    auto sound = accumulator.state(), of_activity = activity.state();
    for (std::size_t size = 0; size < sound.size(); size += 1 + size / 50)
      EXPECT_FALSE(Accumulator::from_state(std::span(sound).first(size)));
    for (std::size_t size = 0; size < of_activity.size(); size += 1 + size / 50)
      EXPECT_FALSE(Activity::from_state(std::span(of_activity).first(size)));
    // Other bytes may be another state, never a crash.
    for (int i = 0; i < 3000; ++i) {
      auto bytes = sound;
      bytes[random() % bytes.size()] ^= std::byte(1u << random() % 8);
      if (auto read = Accumulator::from_state(bytes)) read->table();
      bytes = of_activity;
      bytes[random() % bytes.size()] ^= std::byte(1u << random() % 8);
      if (auto read = Activity::from_state(bytes)) read->facts();
    }
  }
}

/// Whether all numbers of a table could come from records.
bool possible(const Table& table) {
  for (const auto& c : table.columns)
    for (std::int64_t r = 0; r < table.rows; ++r) {
      if (!c.valid(r)) continue;
      auto row = static_cast<std::size_t>(r);
      if (c.type == ColumnType::f64 && !(c.values<double>()[row] >= 0 && std::isfinite(c.values<double>()[row])))
        return false;
      if (c.type == ColumnType::i64 && c.name != "rank" && c.values<std::int64_t>()[row] < 0) return false;
    }
  return true;
}

TEST(Accumulator, StatesOfImpossibleNumbersAreErrors) {
  const std::uint64_t numbers[] = {std::uint64_t(-1),
                                   std::uint64_t(-3),
                                   std::uint64_t{1} << 62,
                                   INT64_MAX,
                                   std::bit_cast<std::uint64_t>(double{NAN}),
                                   std::bit_cast<std::uint64_t>(double{INFINITY}),
                                   std::bit_cast<std::uint64_t>(1e300),
                                   40};
  for (auto name : {"posix-ops POSIX", "mdh MDHIM"}) {
    auto at = std::find_if(all_records().begin(), all_records().end(), [&](const auto& r) { return r.name == name; });
    ASSERT_NE(at, all_records().end()) << name;
    auto accumulator = Accumulator::create(*at->table->module).value();
    accumulator.add(*at->table).value();
    Activity activity(at->nprocs);
    activity.add(*at->table).value();
    auto sound = accumulator.state(), of_activity = activity.state();
    for (auto number : numbers) {
      for (std::size_t i = 0; i + 8 <= sound.size(); ++i) {
        auto bytes = sound;
        std::memcpy(bytes.data() + i, &number, sizeof number);
        auto read = Accumulator::from_state(bytes);
        if (!read) continue;
        for (int times = 0; times < 3; ++times) read->merge(Accumulator::from_state(bytes).value()).value();
        EXPECT_TRUE(possible(*read->missing())) << number << " at " << i;
        EXPECT_TRUE(possible(*read->table())) << number << " at " << i;
      }
      for (std::size_t i = 0; i + 8 <= of_activity.size(); ++i) {
        auto bytes = of_activity;
        std::memcpy(bytes.data() + i, &number, sizeof number);
        auto read = Activity::from_state(bytes);
        if (!read) continue;
        for (int times = 0; times < 3; ++times) (void)read->merge(Activity::from_state(bytes).value());
        auto facts = read->facts();
        std::vector<std::string> labels(facts.size());
        EXPECT_TRUE(possible(layer_table("l", labels, facts))) << number << " at " << i;
        EXPECT_TRUE(possible(category_table("l", labels, facts))) << number << " at " << i;
      }
    }
  }
}

TEST(Accumulator, GroupsAndValuesCannotBeChosenToCollide) {
  // Groups come in order, and a log chooses its ids and sizes: what cancels out a hash of both that is known.
  IdHash hash;
  std::set<std::size_t> ids, sizes;
  for (std::uint32_t group = 0; group < 65536; ++group) {
    ids.insert(hash(group, 0x9e3779b97f4a7c15u * (100000 - group)) & 65535);
    sizes.insert(hash(group, std::uint64_t{group} ^ (1 << 20)) & 65535);
  }
  EXPECT_GT(ids.size(), 30000u);
  EXPECT_GT(sizes.size(), 30000u);
}

TEST(Activity, BatchesMergesGroupsAndStatesChangeNothing) {
  std::mt19937 random(5);
  for (const auto& r : all_records()) {
    Activity whole(r.nprocs);
    whole.add(*r.table).value();
    const auto expected = cells(whole.facts());
    EXPECT_EQ(cells(std::vector{whole.total()}), expected) << r.name;

    Activity batches(r.nprocs), merged(r.nprocs);
    TableOptions options;
    options.columns = Activity::columns(*r.table->module);
    r.log
        ->scan(
            r.table->name, options,
            [&](const Table& part) {
              batches.add(part).value();
              Activity one(r.nprocs);
              one.add(part).value();
              merged.merge(Activity::from_state(one.state()).value()).value();
            },
            2)
        .value();
    EXPECT_EQ(cells(batches.facts()), expected) << r.name;
    EXPECT_EQ(cells(merged.facts()), expected) << r.name;

    // Groups by file, as total() wants them; then merged into one.
    std::vector<std::uint32_t> by_file;
    for (auto id : r.table->find("id")->values<std::uint64_t>()) by_file.push_back(static_cast<std::uint32_t>(id % 5));
    Activity grouped(r.nprocs), joined(r.nprocs);
    grouped.add(*r.table, by_file).value();
    EXPECT_EQ(cells(std::vector{grouped.total()}), expected) << r.name;
    joined.merge(grouped, std::vector<std::uint32_t>(grouped.facts().size(), 0)).value();
    EXPECT_EQ(cells(joined.facts()), expected) << r.name;
  }
}

TEST(Activity, RefusesOtherJobs) {
  Activity four(4), eight(8);
  EXPECT_FALSE(four.merge(eight));
  EXPECT_FALSE(four.merge(four));
  auto posix = all_records().front().table;
  std::vector<std::uint32_t> high_groups(static_cast<std::size_t>(posix->rows), UINT32_MAX);
  EXPECT_FALSE(four.add(*posix, high_groups));
}

}  // namespace
}  // namespace darrow

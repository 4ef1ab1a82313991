/// Groups of logs: parts make up the whole, and neither the order of logs nor how they are merged changes anything.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "aggregate/file_counts.hpp"
#include "aggregate/time_sums.hpp"
#include "cells.hpp"
#include "darrow/group_summary.hpp"
#include "darrow/hosts.hpp"
#include "darrow/metrics.hpp"
#include "darrow/summary.hpp"

namespace darrow {
namespace {

using Logs = std::vector<std::shared_ptr<const Log>>;

/// The logs in tests/data that can be opened, by path.
const Logs& all_logs() {
  static const auto all = [] {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(DARROW_TEST_DATA))
      if (entry.path().extension() == ".darshan") paths.push_back(entry.path());
    std::ranges::sort(paths);
    Logs logs;
    for (const auto& path : paths)
      if (auto log = Log::open(path)) logs.push_back(*log);
    return logs;
  }();
  return all;
}

GroupSummaryOptions by(std::initializer_list<std::string_view> keys) {
  GroupSummaryOptions options;
  for (auto key : keys) options.keys.push_back(GroupKey::parse_of_logs(key).value());
  return options;
}

std::vector<std::string> rows(const Table& table) {
  std::vector<std::string> out;
  for (std::int64_t r = 0; r < table.rows; ++r) {
    std::string row;
    for (const auto& column : table.columns) row += column.name + "=" + test::cell(column, r) + " ";
    out.push_back(std::move(row));
  }
  return out;
}

std::vector<std::string> rows(const GroupSummary& sums, std::string_view sort = "bytes",
                              std::optional<std::size_t> limit = {}) {
  return rows(*sums.groups(sort, limit).value().table);
}

/// Adds the logs in that order, the first `apart` of them in a summary of their own that is merged.
GroupSummary sums_of(const GroupSummaryOptions& options, const Logs& logs, std::size_t apart = 0) {
  GroupSummary first(options), rest(options);
  for (std::size_t i = 0; i < logs.size(); ++i) (void)(i < apart ? first : rest).add(*logs[i]);
  first.merge(std::move(rest));
  return first;
}

/// The first difference, or nothing.
std::string difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] != b[i]) return a[i] + "\n" + b[i];
  return a.size() == b.size() ? "" : fmt::format("{} and {} rows", a.size(), b.size());
}

TEST(GroupSummary, OrderAndMergesOfLogsChangeNothing) {
  ASSERT_GE(all_logs().size(), 80u);
  std::mt19937 random(6);
  for (auto options :
       {by({}), by({"file"}), by({"rank"}), by({"exe", "fs"}), by({"job"}), by({"dir:1", "ext", "host"})}) {
    options.patterns.push_back({"h5", Pattern::compile("h5").value()});
    options.patterns.push_back({"all", Pattern::compile("").value()});
    const auto expected = rows(sums_of(options, all_logs()));
    ASSERT_GT(expected.size(), 3u);
    for (int times = 0; times < 3; ++times) {
      auto logs = all_logs();
      std::ranges::shuffle(logs, random);
      EXPECT_EQ(difference(rows(sums_of(options, logs, random() % logs.size())), expected), "");
    }
    EXPECT_EQ(difference(rows(sums_of(options, all_logs(), 1)), expected), "");
    EXPECT_EQ(difference(rows(sums_of(options, all_logs(), all_logs().size() - 1)), expected), "");
  }
}

TEST(GroupSummary, ALogAloneIsToldAsAmongOthers) {
  const auto options = by({"job", "file", "rank"});
  std::vector<std::string> alone;
  for (const auto& log : all_logs())
    for (auto& row : rows(sums_of(options, {log}))) alone.push_back(std::move(row));
  auto together = rows(sums_of(options, all_logs()));
  std::ranges::sort(alone);
  std::ranges::sort(together);
  EXPECT_EQ(difference(alone, together), "");
}

/// Sums of a column by module.
std::map<std::string, std::int64_t> totals(const Table& table, std::string_view label, std::string_view column) {
  std::map<std::string, std::int64_t> sums;
  const Column &labels = *table.find(label), &values = *table.find(column);
  for (std::int64_t r = 0; r < table.rows; ++r)
    if (values.valid(r))
      sums[std::string(labels.text(r))] += values.values<std::int64_t>()[static_cast<std::size_t>(r)];
  return sums;
}

TEST(GroupSummary, GroupsMakeUpTheWhole) {
  for (const auto& log : all_logs()) {
    auto whole = summarize(*log, {});
    if (!whole) continue;
    for (const auto& options : {by({"file"}), by({"rank"}), by({"dir:2"}), by({"mount"}), by({"file", "rank"})}) {
      GroupSummary sums(options);
      if (sums.add(*log)) continue;
      auto groups = sums.groups().value();
      for (auto metric : {"bytes_read", "bytes_written", "reads", "writes", "opens", "meta_ops"}) {
        auto expected = totals(*whole->layers, "module", metric);
        for (const auto& [module, sum] : totals(*groups.table, "module", metric))
          EXPECT_EQ(sum, expected[module]) << log->path() << ' ' << module << ' ' << metric;
      }
    }
  }
}

TEST(GroupSummary, ALimitKeepsTheFirst) {
  const Logs few(all_logs().begin(), all_logs().begin() + 40);
  for (const auto& logs : {few, Logs{few.front()}, Logs{all_logs().back()}})
    for (const auto& options : {by({"file"}), by({"uid", "rank"})}) {
      auto sums = sums_of(options, logs);
      std::vector<std::string_view> orders{"jobs", options.keys.size() == 1 ? "name" : "rank"};
      for (const auto& metric : metrics())
        if (metric.table == MetricTable::layers) orders.push_back(metric.name);
      for (auto order : orders)
        for (std::size_t limit : {0, 1, 3, 1000}) {
          std::map<std::string, std::size_t> seen;  // by module
          std::vector<std::string> expected;
          for (auto& row : rows(sums, order))
            if (seen[row.substr(0, row.find(' '))]++ < limit) expected.push_back(std::move(row));
          EXPECT_EQ(difference(rows(sums, order, limit), expected), "") << order << ' ' << limit;
        }
    }
}

TEST(GroupSummary, SortsByWhatOnlyHistogramsTell) {
  GroupSummary sums(by({"file"}));
  ASSERT_FALSE(sums.add(*Log::open(std::string(DARROW_TEST_DATA) + "/example.darshan").value()));
  auto table = sums.groups("small_write_share").value().table;
  const Column& shares = *table->find("small_write_share");
  std::map<std::string, double> last;
  for (std::int64_t r = 0; r < table->rows; ++r) {
    auto share = shares.valid(r) ? shares.values<double>()[static_cast<std::size_t>(r)] : -1;
    auto [at, is_new] = last.try_emplace(std::string(table->find("module")->text(r)), share);
    EXPECT_LE(share, at->second);
    at->second = share;
  }
  EXPECT_GE(last.size(), 2u);
}

TEST(GroupSummary, RefusesAnOrderThatIsNone) {
  EXPECT_FALSE(GroupSummary(by({"file"})).groups("rank"));
  EXPECT_FALSE(GroupSummary(by({})).groups("POSIX_OPENS"));
  EXPECT_TRUE(GroupSummary(by({"rank"})).groups("rank"));
}

TEST(GroupSummary, LogsAreWhatTheyHold) {
  auto path = std::string(DARROW_TEST_DATA) + "/example.darshan";
  auto a = identity_of(*Log::open(path).value());
  EXPECT_EQ(a, identity_of(*Log::open(path).value()));
  std::set<LogIdentity> distinct;
  std::set<std::string> contents;
  for (const auto& log : all_logs()) {
    distinct.insert(identity_of(*log));
    std::ifstream file(log->path(), std::ios::binary);
    contents.insert(std::string(std::istreambuf_iterator<char>(file), {}));
  }
  EXPECT_EQ(distinct.size(), contents.size());
}

TEST(TimeSums, AreThoseOfSingleGroups) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-40, 11);
  for (std::size_t groups : {1, 5, 2000}) {
    TimeSums sums, parts;
    std::vector<TimeSum> expected(groups);
    sums.resize(groups / 2 + 1);
    sums.resize(groups);
    parts.resize(groups);
    for (int i = 0; i < 3000; ++i) {
      auto g = random() % groups;
      double seconds = random() % 4 ? std::pow(10, exponent(random)) : 0;
      expected[g].add(seconds);
      (random() % 2 ? sums : parts).add(g, seconds);
    }
    std::vector<std::uint32_t> same(groups);
    std::iota(same.begin(), same.end(), 0u);
    sums.merge(parts, same);
    for (std::size_t g = 0; g < groups; ++g) {
      EXPECT_EQ(sums.exact(g), expected[g]);
      EXPECT_EQ(sums.value(g), expected[g].value());
      EXPECT_EQ(sums.single(g).value_or(expected[g].value()), expected[g].value());
    }
  }
}

TEST(TimeSums, RefuseWhatIsNoTimeAsAWhole) {
  TimeSums sums;
  sums.resize(2);
  for (std::vector<double> times : {std::vector<double>{-1}, {1, std::nan("")}, {1, 2, 1e13}}) {
    EXPECT_FALSE(sums.add_all(1, times));
    EXPECT_TRUE(sums.all_zero());
  }
  EXPECT_TRUE(sums.add_all(1, std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(sums.value(1), 0.6);  // rounded once; 0.1 + 0.2 + 0.3 is 0.6000000000000001
  EXPECT_EQ(sums.value(0), 0);
  EXPECT_FALSE(sums.single(1));
}

TEST(FileCounts, CountEachFileOnceAGroup) {
  FileCounts counts;
  for (int times = 0; times < 2; ++times) {
    counts.add(0, 11, 0);
    counts.add(1, 11, 0);   // of two groups
    counts.add(1, 12, -1);  // without a number
    counts.add(0, 13, 700);
    counts.add(3, 14, 2);
  }
  EXPECT_EQ(counts.in(0), 2);
  EXPECT_EQ(counts.in(1), 2);
  EXPECT_EQ(counts.in(2), 0);
  EXPECT_EQ(counts.in(3), 1);
  EXPECT_EQ(counts.in(99), 0);
  FileCounts all;
  all.merge(counts, std::vector<std::uint32_t>{0, 0, 0, 0});
  EXPECT_EQ(all.in(0), 5);
}

TEST(Hosts, OfARankOrOfAll) {
  Hosts two;
  two.add(0, "n1");
  two.add(1, "n2");
  two.add(1, "n3");  // told before
  two.add(2, "");
  two.add(-1, "n4");
  EXPECT_EQ(two.of(0, 2), "n1");
  EXPECT_EQ(two.of(1, 2), "n2");
  EXPECT_EQ(two.of(2, 2), std::nullopt);
  EXPECT_EQ(two.of(-1, 2), std::nullopt);
  Hosts one;
  one.add(0, "n1");
  one.add(1, "n1");
  EXPECT_EQ(one.of(-1, 2), "n1");
  EXPECT_EQ(one.of(-1, 3), std::nullopt) << "nothing is known of the third";
  EXPECT_EQ(one.of(-1, 0), std::nullopt);
  Hosts job("login");
  job.add(3, "n3");
  EXPECT_EQ(job.of(3, 8), "n3");
  EXPECT_EQ(job.of(-1, 8), "login");
  EXPECT_EQ(Hosts().of(0, 1), std::nullopt);
}

}  // namespace
}  // namespace darrow

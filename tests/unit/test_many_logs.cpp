/// A scan of many logs hands out what each of them holds, in batches that do not depend on the logs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cells.hpp"
#include "darrow/scan.hpp"
#include "darrow/summary.hpp"

namespace darrow {
namespace {

using test::cell;

std::vector<std::string> all_logs() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(DARROW_TEST_DATA))
    if (entry.path().extension() == ".darshan") paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

using Rows = std::map<std::string, std::vector<std::string>>;

void add(Rows& rows, const std::string& table, const Table& t, std::string_view front = "") {
  for (std::int64_t r = 0; r < t.rows; ++r) {
    std::string row(front);
    for (const auto& c : t.columns) row += cell(c, r) + "\t";
    rows[table].push_back(row);
  }
}

/// Everything that a scan hands out; `batches` counts its tables.
Rows rows_of(Scan& scan, std::int64_t most_rows = INT64_MAX, std::int64_t* batches = nullptr) {
  Rows rows;
  for (;;) {
    auto batch = scan.next().value();
    if (!batch) return rows;
    EXPECT_GT(batch->rows, 0);
    EXPECT_LE(batch->rows, most_rows);
    for (const auto& c : batch->columns) EXPECT_EQ(c.length, batch->rows) << batch->name << " " << c.name;
    add(rows, batch->name, *batch);
    if (batches) ++*batches;
  }
}

Rows rows_of(const std::vector<std::string>& logs, ScanOptions options) {
  auto scan = Scan::create(logs, std::move(options)).value();
  return rows_of(*scan);
}

ScanOptions only(const std::string& table, std::int64_t batch_rows = 0) {
  ScanOptions options;
  options.tables = {table};
  options.batch_rows = batch_rows;
  return options;
}

TEST(ManyLogs, HoldWhatEachHolds) {
  Rows expected;
  for (const auto& path : all_logs()) {
    auto log = Log::open(path);
    if (!log) continue;
    const Job* job = (*log)->job();
    const std::string front = path + "\t" + (job ? fmt::format("{:x}", job->jobid) : "null 0") + "\t";
    for (const auto& m : (*log)->modules()) {
      if (m.status != ModuleStatus::readable) continue;
      TableOptions options;
      auto add_part = [&](TableOptions::Part part, const std::string& suffix) {
        options.part = part;
        add(expected, std::string(m.module->sql_name) + suffix, *(*log)->table(m.name, options).value(), front);
      };
      add_part(TableOptions::Part::rows, "");
      if (m.module->shape == Shape::segments) add_part(TableOptions::Part::records, "_records");
      if (!m.module->header.empty()) add_part(TableOptions::Part::header, "_header");
    }
    add(expected, "metrics", *summarize(**log).value().layers, front);
    (*log)->verify();
    add(expected, "problems", *(*log)->table("problems").value(), front);
  }
  for (std::int64_t batch_rows : {0, 1, 7, 1000}) {
    SCOPED_TRACE(batch_rows);
    ScanOptions options;
    options.batch_rows = batch_rows;
    Rows ours = rows_of(all_logs(), options);
    for (auto table : {"jobs", "modules", "names", "mounts", "metadata"}) ours.erase(table);
    ASSERT_EQ(ours.size(), expected.size());
    for (const auto& [table, rows] : expected) EXPECT_EQ(ours[table], rows) << table;
  }
}

TEST(ManyLogs, SmallOnesShareBatchesAndLargeOnesAreCut) {
  std::vector<std::string> logs(300, all_logs()[0]);
  ScanOptions options;
  options.tables = {"jobs"};
  auto scan = Scan::create(logs, options).value();
  auto batch = scan->next().value();
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->rows, 300);
  EXPECT_EQ(batch->columns[0].dictionary->length, 1);
  EXPECT_EQ(scan->next().value(), nullptr);
  EXPECT_EQ(scan->next().value(), nullptr);

  options.batch_rows = 128;
  std::int64_t batches = 0;
  EXPECT_EQ(rows_of(*Scan::create(logs, options).value(), 128, &batches)["jobs"].size(), 300u);
  EXPECT_EQ(batches, 3);
  options.batch_rows = 0;
  options.batch_bytes = 1;
  EXPECT_EQ(rows_of(*Scan::create(logs, options).value(), 1)["jobs"].size(), 300u);
}

TEST(ManyLogs, WhatCannotBeOpenedIsAFailure) {
  const std::string good = all_logs()[0];
  auto scan = Scan::create({"no such file", good, DARROW_TEST_DATA}, only("jobs")).value();
  EXPECT_EQ(rows_of(*scan)["jobs"].size(), 1u);
  ASSERT_EQ(scan->failures().size(), 2u);
  EXPECT_EQ(scan->failures()[0].position, 0u);
  EXPECT_EQ(scan->failures()[0].error.code, ErrorCode::io);
  EXPECT_EQ(scan->failures()[1].position, 2u);
  EXPECT_EQ(scan->counters().logs_opened, 1u);
  EXPECT_GT(scan->counters().read.bytes_inflated, 0u) << "the job";
}

TEST(ManyLogs, WhatThereIsNot) {
  EXPECT_EQ(Scan::create({}, only("nothing")).error().code, ErrorCode::not_found);
  ScanOptions options = only("jobs");
  options.columns = {"nothing"};
  EXPECT_EQ(Scan::create({}, options).error().code, ErrorCode::invalid_argument);
  options.columns = {"log"};
  EXPECT_TRUE(Scan::create({}, options));
  options.tables.clear();
  EXPECT_EQ(Scan::create({}, options).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(scan_schema("nothing").error().code, ErrorCode::not_found);
  EXPECT_EQ(Scan::create({}).value()->next().value(), nullptr);
}

TEST(ManyLogs, SchemasDependOnNoLog) {
  for (const auto& [table, module, part, of_log] : scan_tables()) {
    SCOPED_TRACE(table);
    auto schema = scan_schema(table).value();
    auto scan = Scan::create(all_logs(), only(table, 20)).value();
    while (auto batch = scan->next().value()) {
      EXPECT_EQ(batch->name, table);
      EXPECT_EQ(batch->version, 0);
      ASSERT_EQ(batch->columns.size(), schema->columns.size());
      for (std::size_t i = 0; i < schema->columns.size(); ++i) {
        EXPECT_EQ(batch->columns[i].name, schema->columns[i].name);
        EXPECT_EQ(batch->columns[i].type, schema->columns[i].type) << batch->columns[i].name;
        EXPECT_EQ(batch->columns[i].field, schema->columns[i].field) << batch->columns[i].name;
      }
    }
  }
}

}  // namespace
}  // namespace darrow

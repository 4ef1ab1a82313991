/// Merging through the C++ interface: errors, problems, progress. What comes of records: tests/python/test_cli_merge.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "darrow/merge.hpp"

namespace darrow {
namespace {

/// A log of records of one module whose counters are all 0: (id, rank).
std::shared_ptr<const Log> log_of(Job job, const std::vector<std::pair<std::uint64_t, std::int64_t>>& records,
                                  const std::string& name = "log") {
  auto writer = LogWriter::create({.byte_order = ByteOrder::little}).value();
  writer.set_job(std::move(job));
  const Module& module = *find_module("STDIO");
  std::size_t size = module.versions.back().fixed_bytes;
  std::vector<std::byte> bytes(size * records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::memcpy(bytes.data() + i * size, &records[i].first, 8);
    std::memcpy(bytes.data() + i * size + 8, &records[i].second, 8);
  }
  writer.add_bytes("STDIO", module.current(), bytes, ByteOrder::little).value();
  return Log::from_bytes(writer.bytes().value(), name).value();
}

Job job_of(std::int64_t nprocs, std::int64_t jobid = 1, std::int64_t start = 1000) {
  Job job;
  job.start_time_sec = start;
  job.end_time_sec = start + 10;
  job.nprocs = nprocs;
  job.jobid = jobid;
  return job;
}

/// The merged log, read again.
std::shared_ptr<const Log> read(Merged& merged) {
  return Log::from_bytes(merged.writer.bytes().value(), "merged").value();
}

std::vector<std::int64_t> ranks(const Log& log) {
  auto table = log.table("STDIO").value();
  auto values = table->find("rank")->values<std::int64_t>();
  return {values.begin(), values.end()};
}

bool has(const Merged& merged, ProblemKind kind) {
  return std::ranges::any_of(merged.problems, [&](const Problem& p) { return p.kind == kind; });
}

TEST(Merge, NoLogIsAnError) {
  auto merged = merge({});
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::invalid_argument);
}

TEST(Merge, OptionsOfTheWriterAreChecked) {
  const std::shared_ptr<const Log> logs[] = {log_of(job_of(1), {})};
  auto merged = merge(logs, {.write = {.level = 99}});
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::invalid_argument);
}

TEST(Merge, PartsOfOneRunAreReduced) {
  const std::shared_ptr<const Log> logs[] = {log_of(job_of(2), {{5, 1}, {6, 1}}), log_of(job_of(2), {{5, 0}})};
  std::vector<std::string> seen;
  MergeOptions options{.reduce_shared = true, .progress = [&](std::string_view module, std::size_t log) {
                         seen.push_back(std::string(module) + std::to_string(log));
                       }};
  auto merged = merge(logs, options).value();
  EXPECT_EQ(seen, (std::vector<std::string>{"STDIO0", "STDIO1"}));
  EXPECT_TRUE(merged.problems.empty());
  auto log = read(merged);
  EXPECT_EQ(log->job()->nprocs, 2);
  EXPECT_EQ(ranks(*log), (std::vector<std::int64_t>{-1, 1}));
}

TEST(Merge, RunsOfTheirOwnAreNumberedThrough) {
  const std::shared_ptr<const Log> logs[] = {log_of(job_of(2, 1), {{5, 1}}), log_of(job_of(3, 2), {{5, 2}, {6, -1}})};
  auto merged = merge(logs).value();
  EXPECT_TRUE(has(merged, ProblemKind::jobs_differ));
  EXPECT_TRUE(has(merged, ProblemKind::ranks_renumbered));
  EXPECT_FALSE(has(merged, ProblemKind::programs_differ));
  auto log = read(merged);
  EXPECT_EQ(log->job()->nprocs, 5);
  EXPECT_EQ(ranks(*log), (std::vector<std::int64_t>{1, 4, -1}));

  MergeOptions strict{.write = {.strict = true}};
  auto refused = merge(logs, strict);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
}

TEST(Merge, ProcessesBeyondCounting) {
  constexpr std::int64_t most = INT64_MAX;
  const std::shared_ptr<const Log> logs[] = {log_of(job_of(most, 1), {{5, most - 1}}), log_of(job_of(2, 2), {{5, 1}})};
  auto merged = merge(logs);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().region, "job");

  // A rank that cannot be numbered stays: it is damaged anyway.
  const std::shared_ptr<const Log> odd[] = {log_of(job_of(2, 1), {{5, 0}}), log_of(job_of(2, 2), {{5, most}, {5, -7}})};
  auto kept = merge(odd).value();
  EXPECT_EQ(ranks(*read(kept)), (std::vector<std::int64_t>{0, most, -7}));
}

TEST(Merge, TheSameLogOnce) {
  auto log = log_of(job_of(2), {{5, 1}});
  const std::shared_ptr<const Log> logs[] = {log, log, log_of(job_of(2), {{5, 1}}, "another name")};
  auto merged = merge(logs).value();
  ASSERT_TRUE(has(merged, ProblemKind::log_repeated));
  EXPECT_EQ(merged.problems[0].count, 2);
  EXPECT_EQ(ranks(*read(merged)), std::vector<std::int64_t>{1});
}

}  // namespace
}  // namespace darrow

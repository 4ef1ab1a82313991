/// Comparing logs through the C++ interface, and which records belong together. The rest: tests/python/test_cli_diff.py.
#include "darrow/diff.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "darrow/write.hpp"

namespace darrow {
namespace {

/// A log of records of STDIO: (id, rank), and the first counter; all others are 0.
struct Record {
  std::uint64_t id;
  std::int64_t rank, first;
};
std::shared_ptr<const Log> log_of(const std::vector<Record>& records, std::int64_t nprocs = 2) {
  auto writer = LogWriter::create({.byte_order = ByteOrder::little}).value();
  Job job;
  job.start_time_sec = 1000;
  job.end_time_sec = 1010;
  job.nprocs = nprocs;
  writer.set_job(std::move(job));
  const Module& module = *find_module("STDIO");
  const std::size_t size = module.versions.back().fixed_bytes;
  std::vector<std::byte> bytes(size * records.size());
  for (std::size_t i = 0; i < records.size(); ++i) std::memcpy(bytes.data() + i * size, &records[i], sizeof(Record));
  writer.add_bytes("STDIO", module.current(), bytes, ByteOrder::little).value();
  return Log::from_bytes(writer.bytes().value(), "log").value();
}

/// What is told, in short: "rank:counter" of records, else the counter; | for a new id.
struct Told {
  std::vector<std::string> differences, complaints;
  std::string order;
  DiffOutput output{.difference =
                        [this](const Difference& d) {
                          differences.push_back(diff_lines(d));
                          order += d.id ? std::to_string(*d.id) : "j";
                        },
                    .next_id = [this] { order += "|"; },
                    .complain = [this](const std::string& message) { complaints.push_back(message); }};
};

TEST(Diff, EqualLogsTellNothing) {
  Told told;
  auto log = log_of({{1, 0, 5}, {2, 1, 6}});
  auto end = diff(*log, *log, {}, told.output).value();
  EXPECT_EQ(end.differences, 0);
  EXPECT_FALSE(end.lost);
  EXPECT_TRUE(told.differences.empty());
}

TEST(Diff, OrderOfRecordsDoesNotCount) {
  Told told;
  auto a = log_of({{1, 0, 5}, {2, 1, 6}}), b = log_of({{2, 1, 6}, {1, 0, 5}});
  EXPECT_EQ(diff(*a, *b, {}, told.output).value().differences, 0);
}

TEST(Diff, AChangedCounterIsAPairOfLines) {
  Told told;
  auto a = log_of({{7, 1, 5}}), b = log_of({{7, 1, 9}});
  EXPECT_EQ(diff(*a, *b, {}, told.output).value().differences, 1);
  const std::string counter(find_module("STDIO")->fields[0].name);
  EXPECT_EQ(told.differences.at(0),
            "- STDIO\t1\t7\t" + counter + "\t5\t(null)\t\t\n+ STDIO\t1\t7\t" + counter + "\t9\t(null)\t\t\n");
}

TEST(Diff, DarshanDiffGoesByIds) {
  Told told;
  auto a = log_of({{3, 0, 1}, {1, 0, 1}}), b = log_of({{1, 0, 2}, {3, 0, 2}, {2, 0, 1}}, 4);
  DiffOptions options;
  options.compat = true;
  ASSERT_TRUE(diff(*a, *b, options, told.output));
  EXPECT_EQ(told.order.substr(0, 5), "j|3|1");
  EXPECT_EQ(told.order.find_first_not_of('2', 5), std::string::npos);
}

TEST(Diff, WordsThatNothingIsCalledAreErrors) {
  Told told;
  auto log = log_of({{1, 0, 5}});
  for (const char* word : {"nonsense", "nonsense*", "*", ""}) {
    DiffOptions options;
    options.ignore = {word};
    EXPECT_EQ(diff(*log, *log, options, told.output).error().code, ErrorCode::invalid_argument) << word;
    EXPECT_EQ(diff_metrics(*log, *log, options, told.output).error().code, ErrorCode::invalid_argument) << word;
  }
  DiffOptions options;
  options.tolerances = {{"nonsense", 0.5}};
  EXPECT_EQ(diff(*log, *log, options, told.output).error().code, ErrorCode::invalid_argument);
}

TEST(Diff, FactsOfTheJob) {
  Told told;
  auto a = log_of({}, 2), b = log_of({}, 3);
  EXPECT_EQ(diff(*a, *b, {}, told.output).value().differences, 1);
  EXPECT_EQ(told.differences.at(0), "- # nprocs: 2\n+ # nprocs: 3\n");
  DiffOptions options;
  options.tolerances = {{"nprocs", 0.5}};
  EXPECT_EQ(diff(*a, *b, options, told.output).value().differences, 0);
}

}  // namespace
}  // namespace darrow

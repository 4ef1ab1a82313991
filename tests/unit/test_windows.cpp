// A region read through a window is the one read as a whole: rows, problems and errors, whatever is wrong with it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "bytes.hpp"
#include "cells.hpp"
#include "darrow/log.hpp"
#include "darrow/summary.hpp"

namespace darrow {
namespace {

using namespace std::string_literals;
using test::Bytes;
using test::deflate;
using Part = TableOptions::Part;

/// A log of format 3.41 in zlib with one module, from regions that are compressed already.
std::string log_of(int id, std::uint32_t version, const std::string& region, const std::string& names = "",
                   bool big = false) {
  Bytes job(big), file(big);
  job.i64(1000).i64(100).i64(0).i64(110).i64(0).i64(4).i64(7).size(1080).text("app\nnfs\t/users\n");
  const std::string packed_job = deflate(job.str());
  const std::uint64_t at = 1328 + packed_job.size(), slot = 16 * static_cast<std::uint64_t>(id);
  file.put_text(0, "3.41").put(8, std::int64_t{6567223}).put(16, std::uint8_t{0}).size(1328);
  file.put(32, at).put(40, std::uint64_t{names.size()});
  file.put(48 + slot, at + names.size()).put(56 + slot, std::uint64_t{region.size()});
  file.put(1072 + slot / 4, version);
  return file.text(packed_job).text(names).text(region).str();
}

std::shared_ptr<const Log> open(const std::string& bytes, const OpenOptions& options = {}) {
  auto begin = reinterpret_cast<const std::byte*>(bytes.data());
  return Log::from_bytes({begin, begin + bytes.size()}, "made by hand", options).value();
}

struct Outcome {
  std::vector<std::string> columns, rows;
  std::string error;
  std::vector<Problem> problems;
  std::int64_t records = -1, largest = 0;

  void add(const Table& t) {
    columns.clear();
    for (const auto& c : t.columns) columns.push_back(fmt::format("{} {}", c.name, static_cast<int>(c.type)));
    for (std::int64_t r = 0; r < t.rows; ++r) {
      std::string row;
      for (const auto& c : t.columns) row += test::cell(c, r) + "\t";
      rows.push_back(std::move(row));
    }
    largest = std::max(largest, t.rows);
  }
  void end(const Log& log, const std::string& module, bool failed) {
    problems = log.problems();
    if (auto n = log.records(module); n && !failed) records = *n;
  }
};

Outcome as_table(const Log& log, const std::string& module, const TableOptions& options) {
  Outcome o;
  auto table = log.table(module, options);
  if (table) o.add(**table);
  else o.error = table.error().describe();
  o.end(log, module, !table);
  return o;
}

Outcome in_batches(const Log& log, const std::string& module, const TableOptions& options, std::int64_t batch_rows) {
  Outcome o;
  auto rows = log.scan(module, options, [&](const Table& t) { o.add(t); }, batch_rows);
  if (!rows) o.error = rows.error().describe();
  else EXPECT_EQ(*rows, static_cast<std::int64_t>(o.rows.size()));
  o.end(log, module, !rows);
  return o;
}

std::vector<TableOptions> kinds_of_options(const ModuleInfo& info) {
  std::vector<TableOptions> all(4);
  all[1].part = Part::records;
  all[2].columns = {"rank", "name"};
  all[3].ranks = {0, 2, -1};
  if (!info.module->header.empty()) all.emplace_back().part = Part::header;
  if (info.module->shape == Shape::segments) all.emplace_back().time = TimeWindow{0.5, 20};
  return all;
}

/// Problems as text: what differs is seen then.
std::vector<std::string> told(const std::vector<Problem>& problems) {
  std::vector<std::string> texts;
  for (const auto& p : problems)
    texts.push_back(fmt::format("{} {} {} {} {}: {}", to_string(p.kind), p.region, p.offset.value_or(0), p.inflated,
                                p.count.value_or(-1), p.message));
  return texts;
}

using Open = std::function<std::shared_ptr<const Log>(std::uint64_t whole_region_bytes, bool strict)>;

/// Compares a log's modules read as a whole and through windows of some sizes.
void compare(const Open& open, const std::string& what, std::initializer_list<std::int64_t> batches) {
  for (bool strict : {false, true}) {
    auto log = open(default_whole_region_bytes, strict);
    for (const auto& info : log->modules()) {
      if (info.status != ModuleStatus::readable) continue;
      auto options = kinds_of_options(info);
      for (std::size_t i = 0; i < options.size(); ++i) {
        const Outcome whole = as_table(*open(default_whole_region_bytes, strict), info.name, options[i]);
        for (auto batch_rows : batches) {
          for (std::uint64_t bytes : {0, 700}) {
            SCOPED_TRACE(fmt::format("{}, {}, options {}, {} rows, {} bytes, strict: {}", what, info.name, i,
                                     batch_rows, bytes, strict));
            const Outcome parts = in_batches(*open(bytes, strict), info.name, options[i], batch_rows);
            ASSERT_EQ(parts.error, whole.error);
            ASSERT_EQ(told(parts.problems), told(whole.problems));
            ASSERT_EQ(parts.problems, whole.problems);
            ASSERT_EQ(parts.records, whole.records);
            if (batch_rows > 0) {
              ASSERT_LE(parts.largest, batch_rows);
            }
            if (!whole.error.empty()) continue;
            ASSERT_EQ(parts.columns, whole.columns);
            ASSERT_EQ(parts.rows, whole.rows);
          }
        }
      }
    }
  }
}

void compare(const std::string& bytes, const std::string& what, std::initializer_list<std::int64_t> batches) {
  compare(
      [&](std::uint64_t whole, bool strict) { return open(bytes, {.strict = strict, .whole_region_bytes = whole}); },
      what, batches);
}

struct Made {
  int id;
  std::uint32_t version;
  bool big;
  std::string records, names;
};

std::string segment(bool big, bool has_thread, std::int64_t i) {
  Bytes b(big);
  const auto t = static_cast<double>(i);
  b.i64(100 * i).i64(10 + i).f64(t).f64(t + 1.5);
  if (has_thread) b.u64(7 + static_cast<std::uint64_t>(i % 2));
  return b.str();
}

std::string trace_record(bool big, bool has_thread, std::uint64_t id, std::int64_t rank, std::int64_t writes,
                         std::int64_t reads) {
  Bytes b(big);
  b.u64(id).i64(rank).i64(0).text("node").size(24 + 64).i64(writes).i64(reads);
  for (std::int64_t i = 0; i < writes + reads; ++i) b.text(segment(big, has_thread, i));
  return b.str();
}

/// A few records of every kind of module: of one size, with lists, with a header, traces.
std::vector<Made> all_kinds(bool big) {
  Bytes posix(big), h5f(big), mdhim(big), lustre(big), heatmap(big);
  std::string dxt1, dxt2, mpiio1;
  Bytes names(big);
  for (std::int64_t r = 0; r < 5; ++r) {
    const auto id = static_cast<std::uint64_t>(r / 2 + 1);
    Bytes record(big);
    record.u64(id).i64(r % 3).size(680).put(16, r);
    if (r % 2) record.put(16 + 8 * 6, std::int64_t{1});
    posix.text(record.str());
    h5f.text(Bytes(big).u64(id).i64(r - 1).i64(r).size(80).str());
    mdhim.u64(id).i64(r).i64(10).i64(20).i64(0).i64(0).i64(r % 4).f64(0).f64(0).f64(0).f64(0);
    for (std::int64_t s = 0; s < std::max<std::int64_t>(r % 4, 1); ++s) mdhim.i64(100 * r + s);
    lustre.u64(id).i64(-1).i64(r % 3).i64(r % 5);
    for (std::int64_t c = 0; c < r % 3; ++c)
      lustre.i64(r % 4 == 1 && c == 1 ? -1 : 1 << 20)
          .i64(2)
          .i64(0)
          .i64(16)
          .i64(0)
          .i64(-1)
          .i64(0)
          .text("pool name of 16B");
    for (std::int64_t t = 0; t < r % 5; ++t) lustre.i64(1000 * r + t);
    heatmap.u64(id).i64(r - 2).f64(r == 4 ? 0.2 : 0.1).i64(2).u64(0).u64(0);
    for (std::int64_t i = 0; i < 4; ++i) heatmap.i64(r % 5 == 4 ? -i : i);
    dxt1 += trace_record(big, false, id, r, r, 3 - r % 3);
    dxt2 += trace_record(big, true, id, r % 3, r == 3 ? 0 : 9, r % 2 ? 0 : 11);
    mpiio1 += trace_record(big, false, id, 2 * r, 2, r);
    if (r % 2 == 0) names.u64(id).text(r == 2 ? "/users/\xff"s : fmt::format("/users/a{}", r)).text("\0"s);
  }
  const std::string n = names.str();
  return {{1, 1, big, posix.str(), n},  {3, 3, big, h5f.str(), n},      {12, 1, big, mdhim.str(), n},
          {8, 2, big, lustre.str(), n}, {15, 1, big, heatmap.str(), n}, {10, 1, big, dxt1, n},
          {10, 2, big, dxt2, n},        {11, 1, big, mpiio1, n}};
}

std::string packed(const Made& m) { return log_of(m.id, m.version, deflate(m.records), deflate(m.names), m.big); }

TEST(Windows, EveryLog) {
  for (const auto& entry : std::filesystem::directory_iterator(DARROW_TEST_DATA))
    if (entry.path().extension() == ".darshan" && Log::open(entry.path()))
      compare(
          [&](std::uint64_t whole, bool strict) {
            auto log = Log::open(entry.path(), {.strict = strict, .whole_region_bytes = whole});
            return log ? *log : Log::open(entry.path(), {.whole_region_bytes = whole}).value();
          },
          entry.path().filename(), {0, 3, 1000});
}

TEST(Windows, EveryKindOfModule) {
  for (bool big : {false, true})
    for (const auto& m : all_kinds(big)) compare(packed(m), fmt::format("big: {}", big), {0, 1, 2, 7});
}

TEST(Windows, RegionsThatEndAnywhere) {
  for (auto m : all_kinds(false)) {
    const std::string all = m.records;
    // At each number, a byte before and behind it.
    for (std::size_t size = 0; size < all.size(); size += size % 8 == 1 ? 6 : 1) {
      m.records = all.substr(0, size);
      compare(packed(m), fmt::format("{} bytes", size), {0, 2});
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Windows, CountsThatAreLies) {
  for (const auto& m : all_kinds(true)) {
    for (std::size_t at = 0; at + 8 <= m.records.size(); at += 8)
      for (std::int64_t lie : {std::int64_t{12}, INT64_MAX / 32, std::int64_t{-1}}) {
        Made wrong = m;
        wrong.records = Bytes(true).text(m.records).put(at, lie).str();
        compare(packed(wrong), fmt::format("{} at {}", lie, at), {3});
        if (testing::Test::HasFatalFailure()) return;
      }
  }
}

bool is_damaged(const std::string& bytes, int id) {
  auto log = open(bytes);
  for (const auto& info : log->modules())
    if (info.id == id) (void)log->bytes(info.name);
  auto problems = log->problems();
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& p) { return p.kind == ProblemKind::stream_damaged; });
}

TEST(Windows, DamagedCompression) {
  for (const auto& m : all_kinds(false)) {
    const std::string region = deflate(m.records), names = deflate(m.names);
    auto check = [&](const std::string& damaged, const std::string& what) {
      compare(log_of(m.id, m.version, damaged, names), what, {0, 2});
    };
    for (std::size_t i = 0; i < region.size(); i += 1 + region.size() / 60) {
      check(region.substr(0, i + 1), fmt::format("cut behind {}", i));
      std::string flipped = region;
      flipped[i] = static_cast<char>(flipped[i] ^ 0x41);
      // Whole regions are inflated by another library, which takes some wrong streams that give the right bytes all the same.
      if (is_damaged(log_of(m.id, m.version, flipped, names), m.id)) check(flipped, fmt::format("wrong at {}", i));
      if (testing::Test::HasFatalFailure()) return;
    }
    check(region + "garbage", "garbage behind it");
    const auto half = m.records.size() / 2;
    check(deflate(m.records.substr(0, half)) + deflate("") + deflate(m.records.substr(half)), "a chain of streams");
  }
}

TEST(Windows, Limits) {
  const auto m = all_kinds(false).back();
  const std::string bytes = packed(m);
  for (std::uint64_t limit = m.records.size() - 150; limit <= m.records.size() + 1; ++limit)
    compare(
        [&](std::uint64_t whole, bool strict) {
          const OpenOptions options{.strict = strict, .max_region_bytes = limit, .whole_region_bytes = whole};
          auto begin = reinterpret_cast<const std::byte*>(bytes.data());
          auto log = Log::from_bytes({begin, begin + bytes.size()}, "made by hand", options);
          return log ? *log : open(bytes, {.whole_region_bytes = whole});
        },
        fmt::format("at most {} bytes", limit), {0, 5});
}

TEST(Windows, NamesWithoutTheirTexts) {
  const Made made = all_kinds(false)[0];
  auto same = [&](const std::string& region, const std::string& what) {
    SCOPED_TRACE(what);
    for (bool strict : {false, true}) {
      const std::string bytes = log_of(made.id, made.version, deflate(made.records), region);
      auto small = open(bytes, {.strict = strict, .whole_region_bytes = 0}), large = open(bytes, {.strict = strict});
      auto places = small->name_places();
      auto names = large->names();
      ASSERT_EQ(places.has_value(), names.has_value());
      ASSERT_EQ(small->problems(), large->problems());
      if (!names) {
        EXPECT_EQ(places.error().describe(), names.error().describe());
        continue;
      }
      ASSERT_EQ((*places)->size(), (*names)->size());
      for (std::int64_t i = 0; i < (*names)->size(); ++i) {
        EXPECT_EQ((*places)->mount(i), (*names)->mount(i));
        EXPECT_EQ((*places)->is_stream(i), (*names)->is_stream(i));
        const std::uint64_t ids[] = {(*names)->id(i), 12345};
        EXPECT_EQ((*places)->find_all(ids), (*names)->find_all(ids));
      }
    }
  };
  Bytes names;
  for (std::uint64_t i = 0; i < 9000; ++i)
    names.u64(i * 0x9e3779b97f4a7c15u)
        .text(i % 7   ? "/users/"
              : i % 2 ? "<STDIN>"
                      : "/elsewhere")
        .text(fmt::format("{}", i))
        .text("\0"s);
  names.u64(2).text("<STDOUT>\0"s).u64(3).text("\0"s).u64(4).text("/users/\xfe\0"s);
  names.u64(5).text(std::string(70000, 'n') + "\0"s);
  const std::string all = names.str();
  same(deflate(all), "all");
  for (std::size_t less : {1, 2, 100, 70000, 70001, 70002, 70008, 70009, 70010, 70020, 70030})
    same(deflate(all.substr(0, all.size() - less)), fmt::format("{} bytes less", less));
  same(deflate(all).substr(0, 20000), "half");
  same(deflate(all + Bytes().u64(2).text("again\0"s).str()), "an id twice");
}

TEST(Windows, SummaryIsTheSame) {
  for (const auto& m : all_kinds(false)) {
    const std::string bytes = packed(m);
    auto summary_of = [&](std::uint64_t whole) {
      auto log = open(bytes, {.whole_region_bytes = whole});
      Outcome o;
      auto summary = summarize(*log, {});
      if (!summary) {
        o.error = summary.error().describe();
        return o;
      }
      for (const auto& table : {summary->layers, summary->mounts, summary->categories}) o.add(*table);
      o.problems = summary->problems;
      return o;
    };
    const Outcome whole = summary_of(default_whole_region_bytes), parts = summary_of(0);
    EXPECT_EQ(parts.error, whole.error);
    EXPECT_EQ(parts.rows, whole.rows);
    EXPECT_EQ(parts.problems, whole.problems);
  }
}

/// One rank wrote at 0–1, 2–3, 4–5 and read at 1–2, at 3 (no time) and from 6 to 5 (a clock that went back).
std::string timed_trace() {
  Bytes b;
  b.u64(1).i64(0).i64(0).text("node").size(24 + 64).i64(3).i64(3);
  const double times[][2] = {{0, 1}, {2, 3}, {4, 5}, {1, 2}, {3, 3}, {6, 5}};
  for (auto [start, end] : times) b.i64(0).i64(1).f64(start).f64(end).u64(0);
  return log_of(10, 2, deflate(b.str()));
}

TEST(TimeWindows, ChooseWhatOverlaps) {
  const std::string bytes = timed_trace();
  // As "op number", written out by hand.
  const std::vector<std::pair<TimeWindow, std::vector<std::string>>> expected = {
      {{0, 10}, {"write 0", "write 1", "write 2", "read 0", "read 1", "read 2"}},
      {{1, 2}, {"read 0"}},                 // 0–1 ends where it begins, 2–3 starts where it ends
      {{0.5, 1.5}, {"write 0", "read 0"}},  // parts
      {{3, 4}, {"read 1"}},                 // an instant where it begins
      {{2.5, 3}, {"write 1"}},              // and one where it ends
      {{4.2, 4.4}, {"write 2"}},            // longer than the window
      {{5, 7}, {"read 2"}},                 // by its start, as it ends before
      {{6.5, 9}, {}},
      {{4, 4}, {}},
      {{-5, 0}, {}},
  };
  for (const auto& [window, segments] : expected) {
    EXPECT_EQ(overlaps(window, 0, 1), std::find(segments.begin(), segments.end(), "write 0") != segments.end());
    for (std::uint64_t whole : {default_whole_region_bytes, std::uint64_t{0}})
      for (std::int64_t batch_rows : {0, 1, 2}) {
        SCOPED_TRACE(fmt::format("{} to {}, {} rows", window.from, window.until, batch_rows));
        auto log = open(bytes, {.whole_region_bytes = whole});
        TableOptions options;
        options.columns = {"op", "segment"};
        options.time = window;
        std::vector<std::string> found;
        auto rows = log->scan(
            "DXT_POSIX", options,
            [&](const Table& t) {
              for (std::int64_t r = 0; r < t.rows; ++r)
                found.push_back(fmt::format("{} {}", t.find("op")->text(r),
                                            t.find("segment")->values<std::int64_t>()[static_cast<std::size_t>(r)]));
            },
            batch_rows);
        EXPECT_EQ(*rows, static_cast<std::int64_t>(segments.size()));
        EXPECT_EQ(found, segments);
        EXPECT_EQ(log->counters().records_copied, segments.size());
      }
  }
}

TEST(TimeWindows, AreOfTracesOnly) {
  TableOptions options;
  options.time = TimeWindow{0, 1};
  auto posix = open(packed(all_kinds(false)[1]));
  EXPECT_EQ(posix->table("H5F", options).error().code, ErrorCode::invalid_argument);
  auto trace = open(timed_trace());
  options.part = Part::records;
  EXPECT_EQ(trace->table("DXT_POSIX", options).error().code, ErrorCode::invalid_argument);
}

TEST(ReadCounters, TellWhatWasRead) {
  const Made m = all_kinds(false)[1];
  for (std::uint64_t whole : {default_whole_region_bytes, std::uint64_t{0}}) {
    auto log = open(packed(m), {.whole_region_bytes = whole});
    const std::uint64_t job = 1080 + 15;
    EXPECT_EQ(log->counters().bytes_inflated, job);
    EXPECT_EQ(log->counters().columns_decoded, 0u);
    TableOptions options;
    options.columns = {"id", "rank", "H5F_OPENS"};
    ASSERT_TRUE(log->schema("H5F", options));
    EXPECT_EQ(log->counters().columns_decoded, 0u);
    ASSERT_TRUE(log->scan("H5F", options, [](const Table&) {}, 2));
    EXPECT_EQ(log->counters().bytes_inflated, job + m.records.size());
    EXPECT_EQ(log->counters().columns_decoded, 3u);
    EXPECT_EQ(log->counters().records_copied, 5u);
    options.columns = {"name"};
    options.ranks = {3, 1};
    ASSERT_TRUE(log->table("H5F", options));
    EXPECT_EQ(log->counters().bytes_inflated, job + 2 * m.records.size() + m.names.size());
    EXPECT_EQ(log->counters().columns_decoded, 5u) << "id and rank";
    EXPECT_EQ(log->counters().records_copied, 7u);
  }
}

}  // namespace
}  // namespace darrow

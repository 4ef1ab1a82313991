/// Reading in batches gives what reading in one piece gives: rows, problems, errors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "bytes.hpp"
#include "cells.hpp"
#include "darrow/log.hpp"

namespace darrow {
namespace {

using namespace std::string_literals;
using test::Bytes;
using test::cell;
using Part = TableOptions::Part;

/// Tables that follow one another, as text.
struct Rows {
  std::vector<std::string> columns, rows;
  std::int64_t tables = 0;

  void add(const Table& t) {
    std::vector<std::string> now;
    for (const auto& c : t.columns) now.push_back(fmt::format("{} {}", c.name, static_cast<int>(c.type)));
    EXPECT_TRUE(tables == 0 || now == columns);
    ++tables;
    columns = now;
    for (std::int64_t r = 0; r < t.rows; ++r) {
      std::string row;
      for (const auto& c : t.columns) row += cell(c, r) + "\t";
      rows.push_back(row);
    }
    for (const auto& c : t.columns) EXPECT_EQ(c.length, t.rows) << c.name;
  }
};

/// Everything that a reading leaves behind.
struct Outcome {
  Rows rows;
  std::string error;
  std::vector<Problem> problems;
  std::int64_t records = -1;
};

using Open = std::function<Result<std::shared_ptr<const Log>>(bool strict)>;
constexpr std::int64_t in_one_piece = -1;

/// Pulled, a table comes in the same batches and ends with the same error; and the log need not be held.
void expect_the_same_pulled(const Open& open, const std::string& module, const TableOptions& options,
                            std::int64_t batch_rows, bool strict, const Rows& pushed,
                            const std::optional<Error>& pushed_error) {
  auto scan = open(strict).value()->open_scan(module, options, {.rows = batch_rows});
  Rows pulled;
  std::optional<Error> error;
  if (!scan) error = scan.error();
  while (scan) {
    auto batch = (*scan)->next();
    if (!batch) error = batch.error();
    if (!batch || !*batch) break;
    pulled.add(**batch);
  }
  ASSERT_EQ(error.has_value(), pushed_error.has_value());
  if (error) EXPECT_EQ(error->describe(), pushed_error->describe());
  EXPECT_EQ(pulled.rows, pushed.rows);
  EXPECT_EQ(pulled.tables, pushed.tables);
  if (!scan) return;
  auto behind = (*scan)->next();
  ASSERT_TRUE(behind);
  EXPECT_EQ(*behind, nullptr) << "nothing comes behind the end or an error";
}

Outcome read(const Open& open, const std::string& module, const TableOptions& options, std::int64_t batch_rows,
             bool strict) {
  Outcome o;
  auto log = open(strict).value();
  std::optional<Error> error;
  std::int64_t rows = 0;
  if (batch_rows == in_one_piece) {
    auto table = log->table(module, options);
    if (table) o.rows.add(**table);
    else error = table.error();
    if (table) rows = (*table)->rows;
  } else {
    auto all = log->scan(module, options, [&](const Table& t) { o.rows.add(t); }, batch_rows);
    if (all) rows = *all;
    else error = all.error();
  }
  if (batch_rows != in_one_piece) expect_the_same_pulled(open, module, options, batch_rows, strict, o.rows, error);
  if (error) o.error = error->describe();
  else EXPECT_EQ(static_cast<std::size_t>(rows), o.rows.rows.size());
  o.problems = log->problems();
  if (auto n = log->records(module)) o.records = *n;
  return o;
}

std::vector<TableOptions> all_kinds_of_options(const Log& log, const ModuleInfo& info) {
  std::vector<TableOptions> all(4);
  all[1].part = Part::records;
  all[1].name_bytes = true;
  all[2].columns = {"rank", "name"};
  all[3].ranks = {0, -1};
  if (!info.module->header.empty()) all.emplace_back().part = Part::header;
  TableOptions ids;
  ids.columns = {"id"};
  auto table = log.table(info.name, ids);
  if (table && (*table)->rows > 0) all.emplace_back().ids = {(*table)->columns[0].values<std::uint64_t>().back()};
  return all;
}

/// Compares all ways to read a log.
void compare(const Open& open, const std::string& what) {
  for (bool strict : {false, true}) {
    auto log = open(strict);
    if (!log) continue;
    for (const auto& info : (*log)->modules()) {
      if (info.status != ModuleStatus::readable) continue;
      auto options = all_kinds_of_options(**open(false), info);
      for (std::size_t i = 0; i < options.size(); ++i) {
        Outcome whole = read(open, info.name, options[i], in_one_piece, strict);
        for (std::int64_t batch_rows : {0, 1, 7, 1000}) {
          SCOPED_TRACE(fmt::format("{}, {}, options {}, {} rows, strict: {}", what, info.name, i, batch_rows, strict));
          Outcome parts = read(open, info.name, options[i], batch_rows, strict);
          ASSERT_EQ(parts.error, whole.error);
          ASSERT_EQ(parts.problems, whole.problems);
          ASSERT_EQ(parts.records, whole.records);
          if (!whole.error.empty()) continue;
          ASSERT_EQ(parts.rows.columns, whole.rows.columns);
          ASSERT_EQ(parts.rows.rows, whole.rows.rows);
          auto rows = static_cast<std::int64_t>(whole.rows.rows.size());
          bool one_a_table = rows == 0 || (batch_rows == 1 && info.module->shape == Shape::records);
          ASSERT_TRUE(!one_a_table || parts.rows.tables == std::max<std::int64_t>(rows, 1));
        }
      }
    }
  }
}

/// An uncompressed log of format 3.41 with one module.
Open made_by_hand(int id, std::uint32_t version, const Bytes& records, bool big = false, const Bytes& names = Bytes()) {
  Bytes job(big), file(big);
  job.i64(1000).i64(100).i64(0).i64(110).i64(0).i64(4).i64(7).size(1080).text("app\n");
  std::uint64_t at = 1328 + job.str().size(), slot = 16 * static_cast<std::uint64_t>(id);
  file.put_text(0, "3.41").put(8, std::int64_t{6567223}).put(16, std::uint8_t{2}).size(1328);
  file.put(32, at).put(40, std::uint64_t{names.str().size()});
  file.put(48 + slot, at + names.str().size()).put(56 + slot, std::uint64_t{records.str().size()});
  file.put(1072 + slot / 4, version);
  file.text(job.str()).text(names.str()).text(records.str());
  std::string bytes = file.str();
  return [bytes](bool strict) {
    auto begin = reinterpret_cast<const std::byte*>(bytes.data());
    return Log::from_bytes({begin, begin + bytes.size()}, "made by hand", {.strict = strict});
  };
}

TEST(Scan, BatchesOfEveryLogHoldWhatItsTablesHold) {
  for (const auto& entry : std::filesystem::directory_iterator(DARROW_TEST_DATA))
    if (entry.path().extension() == ".darshan")
      compare([&](bool strict) { return Log::open(entry.path(), {.strict = strict}); }, entry.path().filename());
}

/// POSIX version 1, of which some records have stream data.
Bytes posix_v1(std::int64_t records, const std::function<bool(std::int64_t)>& has_streams, bool big) {
  Bytes b(big);
  for (std::int64_t r = 0; r < records; ++r) {
    Bytes record(big);
    record.u64(static_cast<std::uint64_t>(r / 2)).i64(r % 3).size(680).put(16, r);
    if (has_streams(r)) record.put(16 + 8 * 6, std::int64_t{1});
    b.text(record.str());
  }
  return b;
}

TEST(Scan, DroppedRecordsAreCountedOverAllBatches) {
  for (bool big : {false, true}) {
    auto open = made_by_hand(1, 1, posix_v1(40, [](std::int64_t r) { return r % 10 < 7; }, big), big);
    compare(open, "some dropped");
    Outcome o = read(open, "POSIX", {}, 7, false);
    EXPECT_EQ(o.rows.rows.size(), 12u);
    EXPECT_EQ(o.rows.tables, 5) << "of the first seven records none is left";
    EXPECT_EQ(o.records, 12);
    ASSERT_EQ(o.problems.size(), 1u);
    EXPECT_EQ(o.problems[0].count, 28);
    EXPECT_NE(o.problems[0].message.find(": 28 left out"), std::string::npos) << o.problems[0].message;
    compare(made_by_hand(1, 1, posix_v1(9, [](std::int64_t) { return true; }, big), big), "all dropped");
  }
}

TEST(Scan, RecordsOfVariableSizeInBothByteOrders) {
  for (bool big : {false, true}) {
    Bytes mdhim(big), lustre(big), heatmap(big);
    for (std::int64_t r = 0; r < 23; ++r) {
      mdhim.u64(static_cast<std::uint64_t>(r)).i64(r).i64(10).i64(20).i64(0).i64(0).i64(r % 4);
      mdhim.f64(0).f64(0).f64(0).f64(0);
      for (std::int64_t s = 0; s < std::max<std::int64_t>(r % 4, 1); ++s) mdhim.i64(100 * r + s);

      lustre.u64(static_cast<std::uint64_t>(r)).i64(-1).i64(r % 3).i64(r % 5);
      for (std::int64_t c = 0; c < r % 3; ++c) {  // each with a stripe, the last now and then unused
        lustre.i64(r % 4 == 1 && c == 1 ? -1 : 1 << 20).i64(2).i64(0).i64(16).i64(0).i64(-1).i64(0);
        lustre.text("pool name of 16B");
      }
      for (std::int64_t t = 0; t < r % 5; ++t) lustre.i64(1000 * r + t);

      std::int64_t bins = r == 17 ? 3 : 2;
      heatmap.u64(static_cast<std::uint64_t>(r % 2)).i64(r - 2).f64(r == 20 ? 0.2 : 0.1).i64(bins).u64(0).u64(0);
      for (std::int64_t i = 0; i < 2 * bins; ++i) heatmap.i64(r % 5 == 4 ? -i : i);
    }
    auto rest = [](Bytes b) { return b.size(b.str().size() + 11); };
    compare(made_by_hand(12, 1, mdhim, big), "MDHIM");
    compare(made_by_hand(12, 1, rest(mdhim), big), "MDHIM with a fragment");
    compare(made_by_hand(8, 2, lustre, big), "LUSTRE");
    compare(made_by_hand(15, 1, heatmap, big), "HEATMAP");
    heatmap.u64(1).i64(0).f64(0.1).i64(-5).u64(0).u64(0);
    compare(made_by_hand(15, 1, heatmap, big), "HEATMAP with a malformed record");

    auto kinds = [](const Outcome& o) {
      std::vector<ProblemKind> found;
      for (const auto& p : o.problems) found.push_back(p.kind);
      return found;
    };
    using Kinds = std::vector<ProblemKind>;
    EXPECT_EQ(kinds(read(made_by_hand(8, 2, lustre, big), "LUSTRE", {}, 1, false)),
              (Kinds{ProblemKind::layout_cut, ProblemKind::layout_osts}));
    EXPECT_EQ(kinds(read(made_by_hand(15, 1, heatmap, big), "HEATMAP", {}, 1, false)),
              (Kinds{ProblemKind::record_malformed, ProblemKind::rank_beyond_nprocs, ProblemKind::rank_below_minus_one,
                     ProblemKind::heatmap_uneven, ProblemKind::negative_bins}));
  }
}

TEST(Scan, TextOfNamesHasOneBudgetForAllBatches) {
  Bytes records, names;  // more than 100 MiB of text
  for (std::uint64_t r = 0; r < 400; ++r) records.text(Bytes().u64(r % 3).i64(0).size(80).str());
  names.u64(0).text(std::string(1 << 20, 'a') + "\0"s).u64(1).text("short\0"s).u64(2).text("other\0"s);
  auto open = made_by_hand(3, 3, records, false, names);
  TableOptions options;
  options.columns = {"id", "name"};
  Outcome whole = read(open, "H5F", options, in_one_piece, false), parts = read(open, "H5F", options, 7, false);
  EXPECT_EQ(parts.problems, whole.problems);
  EXPECT_EQ(parts.rows.rows, whole.rows.rows);
  ASSERT_EQ(parts.problems.size(), 1u);
  EXPECT_EQ(parts.problems[0].kind, ProblemKind::name_text_too_large);
}

TEST(Scan, BatchesWithoutANumberCoverTheRegion) {
  Bytes records;
  records.size(80 * 20000);
  auto log = made_by_hand(3, 3, records)(true).value();
  std::int64_t batches = 0, rows = 0;
  auto all = log->scan("h5f", {}, [&](const Table& t) {
    ++batches;
    rows += t.rows;
    EXPECT_LE(t.bytes(), std::size_t{2} << 20);
  });
  EXPECT_EQ(all.value(), 20000);
  EXPECT_EQ(rows, 20000);
  EXPECT_GT(batches, 1);
}

TEST(Scan, Errors) {
  auto log = made_by_hand(3, 3, Bytes().size(800))(true).value();
  auto never = [](const Table&) { FAIL(); };
  EXPECT_EQ(log->scan("POSIX", {}, never).error().code, ErrorCode::not_found);
  EXPECT_EQ(log->scan("job", {}, never).error().code, ErrorCode::not_found);
  TableOptions options;
  options.columns = {"H5F_OPENINGS"};
  EXPECT_EQ(log->scan("H5F", options, never).error().code, ErrorCode::invalid_argument);
  int calls = 0;
  auto stop = [&](const Table&) {
    if (++calls == 2) throw std::runtime_error("enough");
  };
  EXPECT_THROW((void)log->scan("H5F", {}, stop, 3), std::runtime_error);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace darrow

// Unit tests of src/render: texts, widths, tables, numbers, JSON and CSV of nested columns.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "darrow/log.hpp"
#include "render/csv.hpp"
#include "render/json.hpp"
#include "render/table.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "render/units.hpp"

namespace darrow::render {
namespace {

using Lines = std::vector<std::string>;

TEST(Text, WhatActsOnATerminalIsShown) {
  EXPECT_EQ(printable("a\tb\nc\x1b[31m\x7f"), R"(a\tb\nc\x1b[31m\x7f)");
  EXPECT_EQ(printable("\xff ü \xc2\x9b \xe2\x80\xae"), R"(\xff ü \u009b \u202e)");
  EXPECT_EQ(printable("back\\slash"), "back\\slash");
}

TEST(Text, Cells) {
  EXPECT_EQ(cells("abc"), 3u);
  EXPECT_EQ(cells("üñí"), 3u);
  EXPECT_EQ(cells("e\u0301"), 1u);
  EXPECT_EQ(cells("日本"), 4u);
  EXPECT_EQ(cells("😀"), 2u);
}

TEST(Text, Cuts) {
  EXPECT_EQ(cut_end("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_end("abcdef", 4), "abc…");
  EXPECT_EQ(cut_middle("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(cut_end("日本語", 4), "日…");
  EXPECT_EQ(cut_end("abc", 0), "");
  EXPECT_EQ(cut_end("abc", 1), "…");
}

TEST(Text, Wraps) {
  EXPECT_EQ(wrap("", 10), Lines{""});
  EXPECT_EQ(wrap("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap("abcdefghij", 4), (Lines{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrap("日本語", 1), (Lines{"日", "本", "語"}));
}

TEST(Units, Bytes) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1,023 B");
  EXPECT_EQ(human_bytes(1014.0 * 1024), "1,014 KiB");
  EXPECT_EQ(human_bytes(999.4 * 1024), "999 KiB");
  EXPECT_EQ(human_bytes(-1000), "-1,000 B");
  EXPECT_EQ(human_bytes(1024), "1.00 KiB");
  EXPECT_EQ(human_bytes(1024 * 1023.6), "1.00 MiB");
  EXPECT_EQ(human_bytes(9.996 * 1024), "10.0 KiB");
  EXPECT_EQ(human_bytes(9.3e18), "8.07 EiB");
  EXPECT_EQ(human_rate(0.667), "0.67 B/s");
  EXPECT_EQ(human_rate(1e300), "8.67e+281 EiB/s");
}

TEST(Units, Seconds) {
  EXPECT_EQ(human_seconds(0), "0 s");
  EXPECT_EQ(human_seconds(9.9e-4), "990 µs");
  EXPECT_EQ(human_seconds(0.9999), "1.00 s");
  EXPECT_EQ(human_seconds(119), "119 s");
  EXPECT_EQ(human_seconds(3599.7), "1 h 00 min");
  EXPECT_EQ(human_seconds(-3600), "-1 h 00 min");
  EXPECT_EQ(human_seconds(40 * 86400 + 3 * 3600), "40 d 03 h");
  EXPECT_EQ(human_seconds(1e300), "1e+300 s");
}

TEST(Units, Counts) {
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_count(-1000), "-1,000");
  EXPECT_EQ(human_count(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
  EXPECT_EQ(counted(1, "process", "processes"), "1 process");
  EXPECT_EQ(counted(0, "file"), "0 files");
}

TEST(Units, SharesRatiosAndExactBytes) {
  EXPECT_EQ(human_share(0), "0%");
  EXPECT_EQ(human_share(1), "100%");
  EXPECT_EQ(human_share(1e-9), "<0.1%");
  EXPECT_EQ(human_share(0.9999999), ">99.9%");
  EXPECT_EQ(human_share(0.4554), "45.5%");
  EXPECT_EQ(human_share(1.25), "125.0%");
  EXPECT_EQ(human_ratio(496), "496");
  EXPECT_EQ(human_ratio(64000), "64,000");
  EXPECT_EQ(human_ratio(1.404), "1.40");
  EXPECT_EQ(human_ratio(1e300), "1e+300");
  EXPECT_EQ(exact_bytes(0), "0 B");
  EXPECT_EQ(exact_bytes(47008), "47,008 B");
  EXPECT_EQ(exact_bytes(1 << 20), "1 MiB");
  EXPECT_EQ(exact_bytes(3 << 10), "3 KiB");
  EXPECT_EQ(exact_bytes(std::int64_t{1} << 62), "4 EiB");
}

TEST(Units, Times) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(iso_time(-1, 5), "1969-12-31T23:59:59.000000005Z");
  EXPECT_EQ(iso_time(253'402'300'799), "9999-12-31T23:59:59Z");
  EXPECT_EQ(iso_time(253'402'300'800), "");
  EXPECT_EQ(iso_time(std::int64_t{1} << 62), "");
}

TEST(Json, EscapesAndNumbers) {
  Sink sink;
  JsonWriter json(sink);
  json.begin_array(JsonWriter::Layout::inline_);
  json.value("q\" b\\ \x01\xff");
  json.value(0.1);
  json.value(std::nan(""));
  json.value(std::numeric_limits<std::uint64_t>::max());
  json.value(std::optional<int>());
  json.value(true);
  json.end_array();
  EXPECT_EQ(sink.text(), R"(["q\" b\\ \u0001\\xff", 0.1, null, 18446744073709551615, null, true])");
}

TEST(Csv, Quotes) {
  Sink sink;
  CsvWriter csv(sink);
  csv.cell("a,b");
  csv.cell("say \"x\"");
  csv.cell("");
  csv.null();
  csv.cell(HUGE_VAL);
  csv.cell("plain");
  csv.end_row();
  EXPECT_EQ(sink.text(), "\"a,b\",\"say \"\"x\"\"\",\"\",,,plain\n");
}

TEST(TextTable, ShrinksTheWidestAndKeepsTheOthers) {
  TextTable table({{.header = "path", .fit = Fit::cut_middle, .least = 5}, {.header = "n", .align = Align::right}});
  table.row({"/a/very/long/path", "1,000"});
  Sink sink;
  table.render(sink, {.width = 15}, 0);
  EXPECT_EQ(sink.text(), "path          n\n/a/v…ath  1,000\n");
}

TEST(TextTable, TheLastColumnGoesBelow) {
  TextTable table({{.header = "name"}, {.header = "meaning", .fit = Fit::below, .least = 10}});
  table.row({"counter", "what it is good for"});
  Sink wide, narrow;
  table.render(wide, {.width = 40}, 0);
  table.render(narrow, {.width = 16}, 0);
  EXPECT_EQ(wide.text(), "name     meaning\ncounter  what it is good for\n");
  EXPECT_EQ(narrow.text(), "name\ncounter\n    what it is\n    good for\n");
}

TEST(TextTable, LeavesSpareColumnsOut) {
  TextTable table({{.header = "name"},
                   {.header = "first", .spare = 1},
                   {.header = "second", .spare = 2},
                   {.header = "third", .spare = 2}});
  table.row({"a", "b", "c", "d"});
  auto at = [&](std::size_t width) {
    Sink sink;
    table.render(sink, {.width = width}, 0);
    return sink.text();
  };
  EXPECT_EQ(at(26), "name  first  second  third\na     b      c       d\n");
  EXPECT_EQ(at(25), "name  first\na     b\n");
  EXPECT_EQ(at(10), "name\na\n");
  EXPECT_EQ(at(1), "name\na\n");
  EXPECT_EQ(at(0), at(80));
}

TEST(TextTable, TellsWhichColumnsItShows) {
  TextTable table({{.header = "name"}, {.header = "spare", .spare = 2}, {.header = "other", .spare = 1}});
  table.row({"a", "b", "c"});
  using Shown = std::vector<std::size_t>;
  EXPECT_EQ(table.shown({}), (Shown{0, 1, 2}));
  EXPECT_EQ(table.shown({.width = 18}), (Shown{0, 1, 2}));
  EXPECT_EQ(table.shown({.width = 18}, 1), (Shown{0, 2}));
  EXPECT_EQ(table.shown({.width = 5}), Shown{0});
}

TEST(TextTable, PutsWhatDoesNotFitBelow) {
  TextTable table({{.header = "key"}, {.header = "first"}, {.header = "second"}, {.header = "a very wide one"}});
  table.row({"k", "1", "2", "3"});
  Sink sink;
  table.render_blocks(sink, {.width = 18}, 1, 0);
  EXPECT_EQ(sink.text(), "key  first  second\nk    1      2\n\nkey  a very wide one\nk    3\n");
}

// Nested columns of a real log, as JSON and as JSON text in CSV.
TEST(Table, Nested) {
  auto log = Log::open(DARROW_TEST_DATA "/lustre.darshan");
  ASSERT_TRUE(log);
  auto table = (*log)->table("LUSTRE");
  ASSERT_TRUE(table);
  Sink json_text, csv_text;
  JsonWriter json(json_text);
  table_json(**table, json);
  CsvWriter csv(csv_text);
  table_csv(**table, csv);
  EXPECT_NE(json_text.text().find("\"components\": [{\"stripe_size\": "), std::string::npos);
  EXPECT_NE(csv_text.text().find("\"[{\"\"stripe_size\"\": "), std::string::npos);
}

}  // namespace
}  // namespace darrow::render

// The lines of a record: names, kinds and order.
#include <gtest/gtest.h>

#include "darrow/log.hpp"
#include "text/data_lines.hpp"

namespace darrow::util_text {
namespace {

using Kind = LineValue::Kind;

struct Line {
  std::string name, value;
  Kind kind;
};

std::vector<Line> lines_of(std::string_view log, std::string_view module, std::int64_t row = 0) {
  auto opened = Log::open(std::string(DARROW_TEST_DATA "/").append(log)).value();
  TableOptions options;
  options.columns = line_columns(*find_module(module));
  auto table = opened->table(module, options).value();
  std::vector<Line> lines;
  RecordLines(*table, true).each(row, [&](std::string_view name, const LineValue& value) {
    std::string text(value.most(), '\0');
    text.resize(static_cast<std::size_t>(value.put(text.data()) - text.data()));
    lines.push_back({std::string(name), text, value.kind});
  });
  return lines;
}

TEST(DataLines, IntegersThenFloats) {
  auto lines = lines_of("example.darshan", "POSIX");
  ASSERT_EQ(lines.size(), 69u + 17u);
  EXPECT_EQ(lines[0].name, "POSIX_OPENS");
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i].kind == Kind::f64, i >= 69) << lines[i].name;
  for (const auto& line : lines) EXPECT_EQ(line.kind == Kind::u64, line.name == "POSIX_RENAMED_FROM");
}

TEST(DataLines, TheFileOfADatasetComesLast) {
  auto lines = lines_of("synth-all-modules.darshan", "H5D");
  EXPECT_EQ(lines.back().name, "H5D_FILE_REC_ID");
  EXPECT_EQ(lines.back().kind, Kind::u64);
  EXPECT_EQ(lines.size(), 94u + 17u + 1u);
}

TEST(DataLines, ComponentsAndTargets) {
  auto lines = lines_of("example.darshan", "LUSTRE");
  ASSERT_GT(lines.size(), 10u);
  EXPECT_EQ(lines[0].name, "LUSTRE_NUM_COMPONENTS");
  EXPECT_EQ(lines[1].name, "LUSTRE_NUM_STRIPES");
  EXPECT_EQ(lines[2].name, "LUSTRE_COMP1_STRIPE_SIZE");
  EXPECT_EQ(lines[9].name, "LUSTRE_COMP1_POOL_NAME");
  EXPECT_EQ(lines[9].kind, Kind::text);
  EXPECT_EQ(lines[10].name, "LUSTRE_COMP1_OST_ID_0");
}

TEST(DataLines, WrittenAsTheyAreVisited) {
  auto log = Log::open(DARROW_TEST_DATA "/example.darshan").value();
  TableOptions options;
  options.columns = line_columns(*find_module("STDIO"));
  auto table = log->table("STDIO", options).value();
  const RecordLines lines(*table, true);
  std::string written, visited;
  TextBuffer out([&](std::string_view text) { written += text; });
  lines.write(1, "start\t", "\tend\n", out);
  out.flush();
  lines.each(1, [&](std::string_view name, const LineValue& value) {
    std::string text(value.most(), '\0');
    text.resize(static_cast<std::size_t>(value.put(text.data()) - text.data()));
    visited.append("start\t").append(name).append("\t").append(text).append("\tend\n");
  });
  EXPECT_EQ(written, visited);
}

}  // namespace
}  // namespace darrow::util_text

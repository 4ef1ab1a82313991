#include "aggregate/file_counts.hpp"

#include <gtest/gtest.h>

namespace darrow {
namespace {

TEST(FileCounts, RoomForFewerFilesForgetsNone) {
  FileCounts files;
  files.reserve(8, 1);
  files.add(0, 100, 7);
  files.reserve(2, 1);  // another module of the same layer, with fewer files
  files.add(0, 100, 7);
  EXPECT_EQ(files.in(0), 1);
}

TEST(FileCounts, FilesOfEachGroup) {
  FileCounts files;
  for (std::uint32_t group : {0u, 1u, 1u}) files.add(group, 100, 3);
  files.add(1, 200, -1);
  files.add(1, 200, -1);
  EXPECT_EQ(files.in(0), 1);
  EXPECT_EQ(files.in(1), 2);
}

}  // namespace
}  // namespace darrow

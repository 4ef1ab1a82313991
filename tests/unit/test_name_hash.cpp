#include <gtest/gtest.h>

#include <string>

#include "bytes.hpp"
#include "darrow/name_hash.hpp"
#include "modules/tables.hpp"

namespace darrow {
namespace {

/// The vectors of aggregation.md §8.1.
TEST(NameHash, GivesRecordIds) {
  EXPECT_EQ(record_id(""), 10211412111675192767u);
  EXPECT_EQ(record_id("a"), 2110215103713784748u);
  EXPECT_EQ(record_id("heatmap:POSIX"), 16592106915301738621u);
  EXPECT_EQ(record_id("<STDOUT>"), 15920181672442173319u);
  EXPECT_EQ(record_id("/tmp/test/mpi-io-test.tmp.dat"), 6331129185542144414u);
  EXPECT_EQ(record_id("0123456789abcdef01234567"), 16758250644655386282u) << "one whole block";
  EXPECT_EQ(record_id("darshan-bgq-record"), 17224881367579287459u) << "a rest of more than 16 bytes";
  EXPECT_EQ(record_id(std::string(100, 'x')), 14698345788531743663u);
  EXPECT_EQ(record_id({}), record_id(""));
}

TEST(NameHash, AgreesWithTheIdsOfHeatMaps) {
  for (std::string layer : {"POSIX", "MPIIO", "STDIO", "DFS", "DAOS"})
    EXPECT_EQ(heatmap_layer(record_id("heatmap:" + layer)), layer);
}

/// The vectors of aggregation.md §8.2.
TEST(NameHash, Obfuscates) {
  EXPECT_EQ(obfuscated("", 0), 3735928559u);
  EXPECT_EQ(obfuscated("a", 0), 1490454280u);
  EXPECT_EQ(obfuscated("abc", 7), 3206860443u);
  EXPECT_EQ(obfuscated("0123456789ab", 0), 275113226u) << "one whole block";
  EXPECT_EQ(obfuscated("0123456789abc", 0), 1934741078u);
  EXPECT_EQ(obfuscated("/tmp/test/mpi-io-test.tmp.dat", 7), 1661404020u);
  EXPECT_EQ(obfuscated(test::Bytes().i64(1000).str(), 0), 2613050389u);
}

}  // namespace
}  // namespace darrow

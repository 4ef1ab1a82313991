#include <gtest/gtest.h>

#include "bytes.hpp"
#include "log/state.hpp"

namespace darrow {
namespace {

std::int32_t mount_of(std::string_view path, const std::vector<Mount>& mounts) {
  test::Bytes names;
  names.u64(1).text(path).text(std::string_view("\0", 1));
  std::vector<Problem> problems;
  ProblemSink sink("names", "", problems);
  Header header;
  header.minor = 41;
  return MountedNames(NameTable(test::buffer(names.str()), header, sink), mounts).mount(0);
}

TEST(MountedNames, TheLongestMountOfWholeComponents) {
  const std::vector<Mount> mounts{{"/", "ext4"}, {"/home", "nfs"}, {"/home/big disk/", "lustre"}, {"/home", "autofs"}};
  EXPECT_EQ(mount_of("/home/u/x", mounts), 1) << "the first of equal paths";
  EXPECT_EQ(mount_of("/homework/x", mounts), 0);
  EXPECT_EQ(mount_of("/home", mounts), 1);
  EXPECT_EQ(mount_of("/home/big disk/x", mounts), 2);
  EXPECT_EQ(mount_of("/home/big disk", mounts), 1);
  EXPECT_EQ(mount_of("<STDOUT>", mounts), -1);
  EXPECT_EQ(mount_of("", mounts), -1);
}

}  // namespace
}  // namespace darrow

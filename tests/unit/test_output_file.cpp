#include "format/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include "format/file.hpp"

namespace darrow {
namespace {

namespace fs = std::filesystem;

/// Every test runs with a file that has no name and with one that has a hidden one.
class OutputFiles : public testing::TestWithParam<bool> {
 protected:
  OutputFiles() {
    std::string name = testing::TempDir() + "darrow_output_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~OutputFiles() override { fs::remove_all(folder_); }

  fs::path at(const std::string& name) const { return folder_ / name; }
  Result<OutputFile> create(const fs::path& path, bool overwrite = false) const {
    return OutputFile::create(path, overwrite, GetParam());
  }
  /// Writes a file from beginning to end. Returns the errno of what failed, or 0.
  int put(const fs::path& path, const std::string& text, bool overwrite = false) const {
    auto file = create(path, overwrite);
    if (!file) return file.error().system_error;
    if (auto error = file->write(std::as_bytes(std::span(text)))) return error->system_error;
    auto error = file->commit();
    return error ? error->system_error : 0;
  }
  /// All names in the folder.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

  fs::path folder_;
};

using Names = std::vector<std::string>;

void put_plainly(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string text_of(const fs::path& path) {
  auto buffer = read_file(path, false);
  return buffer ? std::string(buffer->as<char>().begin(), buffer->as<char>().end()) : buffer.error().describe();
}

INSTANTIATE_TEST_SUITE_P(Nameless, OutputFiles, testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Named, OutputFiles, testing::Values(false));

TEST_P(OutputFiles, AppearWhenTheyAreComplete) {
  auto file = create(at("log"));
  ASSERT_TRUE(file) << file.error().describe();
  std::string text(3 << 20, 'x');
  EXPECT_FALSE(file->write(std::as_bytes(std::span(text))));
  EXPECT_FALSE(fs::exists(at("log")));
  EXPECT_FALSE(file->write({}));
  EXPECT_FALSE(file->write(std::as_bytes(std::span("end", 3))));
  EXPECT_FALSE(file->commit());
  EXPECT_TRUE(text_of(at("log")) == text + "end");
  EXPECT_EQ(names(), Names{"log"});
}

TEST_P(OutputFiles, HaveTheModeOfTheUmask) {
  for (mode_t mask : {022u, 077u, 0u}) {
    mode_t before = ::umask(mask);
    int failed = put(at("log"), "x", true);
    ::umask(before);
    EXPECT_EQ(failed, 0);
    struct stat status;
    ASSERT_EQ(::stat(at("log").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0666 & ~mask);
  }
}

TEST_P(OutputFiles, ReplaceOnlyWhereAskedTo) {
  put_plainly(at("log"), "old");
  auto file = create(at("log"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::io);
  EXPECT_EQ(file.error().system_error, EEXIST);
  EXPECT_EQ(file.error().describe(), at("log").string() + ": File exists");
  EXPECT_EQ(text_of(at("log")), "old");
  std::ifstream reader(at("log"));
  EXPECT_EQ(put(at("log"), "new", true), 0);
  EXPECT_EQ(text_of(at("log")), "new");
  std::string seen;
  EXPECT_TRUE(reader >> seen);
  EXPECT_EQ(seen, "old") << "who reads the old file keeps it";
  EXPECT_EQ(names(), Names{"log"});
}

TEST_P(OutputFiles, LeaveNothingWithoutCommit) {
  put_plainly(at("log"), "old");
  {
    auto file = create(at("log"), true);
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->write(std::as_bytes(std::span("new", 3))));
    OutputFile moved = std::move(*file);
    EXPECT_EQ(names().size(), GetParam() ? 1u : 2u);
  }
  EXPECT_EQ(text_of(at("log")), "old");
  EXPECT_EQ(names(), Names{"log"});
}

TEST_P(OutputFiles, LeaveAFileAloneThatCameMeanwhile) {
  auto file = create(at("log"));
  ASSERT_TRUE(file);
  put_plainly(at("log"), "of another");
  EXPECT_EQ(file->commit()->system_error, EEXIST);
  file = io_error("", 0);
  EXPECT_EQ(text_of(at("log")), "of another");
  EXPECT_EQ(names(), Names{"log"});
}

TEST_P(OutputFiles, ReplaceAFileThatCameMeanwhile) {
  auto file = create(at("log"), true);
  ASSERT_TRUE(file);
  put_plainly(at("log"), "of another");
  EXPECT_FALSE(file->commit());
  EXPECT_EQ(text_of(at("log")), "");
  EXPECT_EQ(names(), Names{"log"});
}

TEST_P(OutputFiles, AreWrittenWhereLinksLead) {
  fs::create_directory(at("far"));
  fs::create_symlink("far/log", at("second"));
  fs::create_symlink("second", at("first"));
  EXPECT_EQ(put(at("first"), "made"), 0) << "what a link leads to need not be there";
  EXPECT_EQ(text_of(at("far/log")), "made");
  EXPECT_EQ(put(at("first"), "again"), EEXIST);
  EXPECT_EQ(put(at("first"), "again", true), 0);
  EXPECT_EQ(text_of(at("far/log")), "again");
  EXPECT_TRUE(fs::is_symlink(at("first")) && fs::is_symlink(at("second")));
  fs::create_symlink(at("absolute"), at("far/third"));
  EXPECT_EQ(put(at("far/third"), "x"), 0);
  EXPECT_EQ(names(), (Names{"absolute", "far", "first", "second"}));
  fs::create_symlink("loop", at("loop"));
  EXPECT_EQ(put(at("loop"), "x"), ELOOP);
}

TEST_P(OutputFiles, TellWhatThePathIs) {
  EXPECT_EQ(put(folder_, "x"), EISDIR);
  EXPECT_EQ(put(folder_, "x", true), EISDIR);
  EXPECT_EQ(put(at("new/"), "x"), EISDIR);
  EXPECT_EQ(put("", "x"), ENOENT);
  EXPECT_EQ(put(at("missing/log"), "x"), ENOENT);
  put_plainly(at("file"), "");
  EXPECT_EQ(put(at("file/log"), "x"), ENOTDIR);
  EXPECT_EQ(put(at(std::string(256, 'n')), "x"), ENAMETOOLONG);
  EXPECT_EQ(put(at(std::string(255, 'n')), "x"), 0) << "the hidden name is cut";
}

TEST_P(OutputFiles, NeedAFolderToWriteToButNotToList) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may do anything";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(put(at("log"), "x"), EACCES);
  fs::permissions(folder_, fs::perms::owner_write | fs::perms::owner_exec);
  EXPECT_EQ(put(at("log"), "x"), 0);
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(names(), Names{"log"});
}

TEST_P(OutputFiles, AreFoundFromTheWorkingFolder) {
  fs::path before = fs::current_path();
  fs::current_path(folder_);
  int failed = put("log", "x");
  fs::current_path(before);
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(text_of(at("log")), "x");
}

TEST_P(OutputFiles, LeaveNothingOnAFullDisk) {
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = {1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  int failed = put(at("log"), std::string(1001, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(failed, EFBIG);
  EXPECT_EQ(names(), Names{});
}

TEST_P(OutputFiles, AreWrittenDirectlyToDevicesAndPipes) {
  EXPECT_EQ(put("/dev/null", "x"), 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(put("/dev/full", "x"), ENOSPC);
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  std::string read, text(1 << 20, 'x');
  std::thread reader([&] { std::getline(std::ifstream(at("pipe")), read); });
  EXPECT_EQ(put(at("pipe"), text), 0);
  reader.join();
  EXPECT_TRUE(read == text);
  EXPECT_EQ(names(), Names{"pipe"});
}

TEST_P(OutputFiles, LeaveNothingToASignalHandler) {
  auto file = create(at("log"));
  ASSERT_TRUE(file);
  {
    auto other = create(at("other"));
    ASSERT_TRUE(other);
    EXPECT_FALSE(other->commit());
  }
  remove_unfinished();
  EXPECT_EQ(names(), Names{"other"});
}

/// Even a process that is killed leaves no file that had no name.
TEST(OutputFile, OfAKilledProcessIsGone) {
  std::string folder = testing::TempDir() + "darrow_output_XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder.data()));
  pid_t child = ::fork();
  if (child == 0) {
    auto file = OutputFile::create(folder + "/log", false);
    if (file) ::kill(::getpid(), SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(fs::is_empty(folder)) << "or the file system has no files without a name";
  fs::remove_all(folder);
}

}  // namespace
}  // namespace darrow

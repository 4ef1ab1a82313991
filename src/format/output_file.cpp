#include "format/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "format/file.hpp"

namespace darrow {
namespace {

namespace fs = std::filesystem;

constexpr mode_t mode = 0666;  // less what the umask takes

/// Where a file of that name would be made: at the end of all links, be there something or not.
fs::path end_of_links(fs::path path) {
  constexpr int most = 40;  // as many as Linux follows
  for (int links = 0; links < most; ++links) {
    std::error_code none;
    fs::path next = fs::read_symlink(path, none);
    if (none) break;
    path = path.parent_path() / next;
  }
  return path;
}

/// Calls `make` with hidden names beside `name` until one is free. Returns what `make` did: −1 with errno if it could not.
template <typename Make>
int make_temporary(int folder, const std::string& name, TemporaryName& made, Make make) {
  for (int left = 100;; --left) {
    std::string text = hidden_name(name);
    int result = make(text.c_str());
    if (result >= 0) made = TemporaryName(folder, std::move(text));
    if (result >= 0 || errno != EEXIST || left == 0) return result;
  }
}

/// How a file without a name is reached.
std::string path_of(const Descriptor& file) { return fmt::format("/proc/self/fd/{}", file.get()); }

/// Gives a file without a name one. Returns −1 with errno if it cannot.
int link_nameless(const Descriptor& file, int folder, const char* name) {
  return ::linkat(AT_FDCWD, path_of(file).c_str(), folder, name, AT_SYMLINK_FOLLOW);
}

/// Renames a file, never over another one: as a link where the file system knows no such renaming, which leaves the
/// old name. Returns −1 with errno if it cannot.
int rename_to_new(int folder, const char* from, const char* to) {
  int result = ::renameat2(folder, from, folder, to, RENAME_NOREPLACE);
  if (result == 0 || errno == EEXIST) return result;
  return ::linkat(folder, from, folder, to, 0);
}

/// Puts what was written on the disk; devices and pipes have none. Returns false with errno.
bool sync(const Descriptor& file) {
  while (::fsync(file.get()) != 0)
    if (errno != EINTR) return errno == EINVAL;
  return true;
}

}  // namespace

Result<OutputFile> OutputFile::create(const fs::path& path, bool overwrite, bool nameless) {
  OutputFile out(path.string(), overwrite);
  auto failure = [&](int number) { return io_error(out.path_, number); };
  struct stat status;
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) return failure(errno);
  if (exists && S_ISDIR(status.st_mode)) return failure(EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    out.file_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!out.file_) return failure(errno);
    return out;
  }
  if (exists && !overwrite) return failure(EEXIST);

  fs::path target = end_of_links(path), folder = target.parent_path();
  out.name_ = target.filename().string();
  if (out.name_.empty()) return failure(path.empty() ? ENOENT : EISDIR);
  // O_PATH: whoever may make files in a folder need not be allowed to list it.
  out.folder_ = Descriptor(::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!out.folder_ || !out.open_in_folder(nameless)) return failure(errno);
  return out;
}

bool OutputFile::open_in_folder(bool nameless) {
  int folder = folder_.get();
  if (nameless) {
    file_ = Descriptor(::openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
    // Some file systems cannot do that, and without /proc the file could never get its name.
    if (file_ && ::access(path_of(file_).c_str(), F_OK) == 0) return true;
  }
  file_ = Descriptor(make_temporary(folder, name_, temporary_, [folder](const char* text) {
    return ::openat(folder, text, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, mode);
  }));
  return bool{file_};
}

std::optional<Error> OutputFile::write(std::span<const std::byte> bytes) {
  return write_descriptor(file_.get(), bytes, path_);
}

std::optional<Error> OutputFile::commit() {
  if (!sync(file_)) return io_error(path_, errno);
  if (!folder_) return {};
  if (!put_in_place()) return io_error(path_, errno);
  temporary_ = {};  // renamed, or linked and of no more use
  Descriptor folder(::openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder && !sync(folder)) return io_error(path_, errno);
  return {};
}

bool OutputFile::put_in_place() {
  int folder = folder_.get();
  const char* name = name_.c_str();
  if (!temporary_) {
    if (link_nameless(file_, folder, name) == 0) return true;
    if (errno != EEXIST || !overwrite_) return false;
    // Only a name can replace another one.
    int result =
        make_temporary(folder, name_, temporary_, [&](const char* text) { return link_nameless(file_, folder, text); });
    if (result < 0) return false;
  }
  int result = overwrite_ ? ::renameat(folder, temporary_.c_str(), folder, name)
                          : rename_to_new(folder, temporary_.c_str(), name);
  return result == 0;
}

}  // namespace darrow

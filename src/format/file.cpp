#include "format/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/memory.hpp"
#include "format/descriptor.hpp"
#include "format/header.hpp"

namespace darrow {
namespace {

constexpr std::size_t mapped_from = std::size_t{32} << 20;

/// Whether this can be the beginning of a log. What is too short to tell is read on.
bool may_be_log(std::span<const std::byte> start) {
  auto header = parse_header(start);
  return header || header.error().code == ErrorCode::truncated;
}

/// Reads until the end, whatever the size was said to be (pipes have none).
Result<Buffer> read_all(int fd, std::size_t expected, const std::string& name) {
  constexpr std::size_t enough_to_tell = 4096;
  Block block(std::max(expected, enough_to_tell) + 1);  // one more, so that the end is seen without growing
  populate_pages(block.data(), expected);
  std::size_t used = 0;
  bool told = false;
  for (;;) {
    if (used == block.size()) block.resize(block.size() * 2, used);
    ssize_t n = ::read(fd, block.data() + used, block.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error(name, errno);
    used += static_cast<std::size_t>(n);
    bool stop = n == 0;
    if (!told && used >= enough_to_tell) {
      told = true;
      stop |= !may_be_log({block.data(), used});
    }
    if (stop) return std::move(block).freeze(used);
  }
}

}  // namespace

Result<Buffer> read_file(const std::filesystem::path& path, bool map) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return io_error(path.string(), errno);
  struct stat status;
  if (::fstat(file.get(), &status) != 0) return io_error(path.string(), errno);
  if (S_ISDIR(status.st_mode)) return io_error(path.string(), EISDIR);
  auto size = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : std::size_t{65535};
  bool mapped = S_ISREG(status.st_mode) && size >= (map ? 1 : mapped_from);
  if (!mapped) return read_all(file.get(), size, path.string());

  void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (at == MAP_FAILED) return io_error(path.string(), errno);
  std::shared_ptr<const void> owner(at, [size](void* p) { ::munmap(p, size); });
  return Buffer{std::move(owner), static_cast<const std::byte*>(at), size, true};
}

Result<Buffer> read_descriptor(int fd, const std::string& name) { return read_all(fd, 65535, name); }

std::optional<Error> write_descriptor(int fd, std::span<const std::byte> bytes, const std::string& name) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error(name, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace darrow

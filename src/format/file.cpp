#include "format/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/memory.hpp"

namespace darrow {
namespace {

constexpr std::size_t mapped_from = std::size_t{32} << 20;

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

Error failure(const std::filesystem::path& path, int number) {
  return {.code = ErrorCode::io,
          .message = std::strerror(number),
          .file = path.string(),
          .region = {},
          .offset = {},
          .system_error = number};
}

/// Reads until the end, whatever the size was said to be (pipes have none).
Result<Buffer> read_all(int fd, std::size_t expected, const std::filesystem::path& path) {
  Block block(expected + 1);  // one more, so that the end is seen without growing
  std::size_t used = 0;
  for (;;) {
    if (used == block.size()) block.resize(block.size() * 2, used);
    ssize_t n = ::read(fd, block.data() + used, block.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failure(path, errno);
    if (n == 0) return std::move(block).freeze(used);
    used += static_cast<std::size_t>(n);
  }
}

}  // namespace

Result<Buffer> read_file(const std::filesystem::path& path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) return failure(path, errno);
  struct stat status;
  if (::fstat(file.fd, &status) != 0) return failure(path, errno);
  if (S_ISDIR(status.st_mode)) return failure(path, EISDIR);
  auto size = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : std::size_t{65535};
  if (!S_ISREG(status.st_mode) || size < mapped_from) return read_all(file.fd, size, path);

  void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (at == MAP_FAILED) return failure(path, errno);
  std::shared_ptr<const void> owner(at, [size](void* p) { ::munmap(p, size); });
  return Buffer{std::move(owner), static_cast<const std::byte*>(at), size};
}

}  // namespace darrow

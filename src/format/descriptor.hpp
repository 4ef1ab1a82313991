/// Open files that close themselves, and errors of the system.
#pragma once

#include <unistd.h>

#include <cstring>
#include <string>
#include <utility>

#include "darrow/result.hpp"

namespace darrow {

/// An open file or folder, or none.
class Descriptor {
 public:
  Descriptor() = default;
  /// Takes over what open() returned, −1 included.
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

/// The error that `number`, an errno, stands for.
inline Error io_error(const std::string& file, int number) {
  return {.code = ErrorCode::io,
          .message = std::strerror(number),
          .file = file,
          .region = {},
          .offset = {},
          .system_error = number};
}

}  // namespace darrow

/// The bytes of a log file: read into memory or mapped, and written.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "darrow/buffer.hpp"
#include "darrow/result.hpp"

namespace darrow {

/// The whole file. Files up to 32 MiB are read, so that nothing is left open and a change of the file cannot hurt;
/// larger ones, or all if `map`, are mapped (a file that shrinks while it is in use is then a bus error).
/// Errors: io (system_error tells why; directories are EISDIR).
Result<Buffer> read_file(const std::filesystem::path& path, bool map);

/// All that an open descriptor (file, pipe, device) gives, from where it stands. Reading stops early where the beginning
/// cannot be a log, so that an endless source fails instead of filling memory. `name` stands for it in errors.
Result<Buffer> read_descriptor(int fd, const std::string& name);

/// Writes all of it to an open descriptor. `name` stands for it in errors. Errors: io.
std::optional<Error> write_descriptor(int fd, std::span<const std::byte> bytes, const std::string& name);

}  // namespace darrow

/// The bytes of a log file, read into memory or mapped.
#pragma once

#include <filesystem>

#include "darrow/buffer.hpp"
#include "darrow/result.hpp"

namespace darrow {

/// The whole file. Files up to 32 MiB are read, so that nothing is left open and a change of the file cannot hurt;
/// larger ones are mapped (a file that shrinks while it is in use is then a bus error, as with every mapping).
/// Errors: io (system_error tells why; directories are EISDIR).
Result<Buffer> read_file(const std::filesystem::path& path);

}  // namespace darrow

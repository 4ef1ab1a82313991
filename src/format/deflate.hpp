/// Compression of a region: one complete zlib or bzip2 stream, or plain bytes.
#pragma once

#include <optional>
#include <span>

#include "darrow/buffer.hpp"
#include "darrow/job.hpp"
#include "darrow/result.hpp"

namespace darrow {

/// What level 0 stands for: zlib 6, bzip2 9.
int usual_level(Compression compression);

/// An error if this library cannot compress like that: unsupported_compression, invalid_argument (no such level).
/// zlib has levels 1 to 12, bzip2 1 to 9; 0 is the usual one, and all that plain bytes have.
std::optional<Error> check_level(Compression compression, int level);

/// The region to be written for its inflated bytes. No bytes make no stream. Of plain bytes (Compression::none) the result
/// is `data` itself, which must outlive it. Errors: as check_level(); out_of_memory.
Result<Buffer> deflate(std::span<const std::byte> data, Compression compression, int level = 0);

}  // namespace darrow

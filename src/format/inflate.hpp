/// Decompression of a region: a chain of complete zlib or bzip2 streams, or plain bytes.
#pragma once

#include <optional>
#include <span>

#include "base/problem_sink.hpp"
#include "darrow/buffer.hpp"
#include "darrow/job.hpp"

namespace darrow {

/// Whether this library was built with that compression.
bool can_inflate(Compression compression);

/// The inflated bytes of `region` (compressed bytes inside `file`), at most `limit` of them.
///
/// Damage ends the data: what inflated before it is returned and the problem reported (stream_damaged,
/// stream_truncated, trailing_bytes, region_too_large). `offset` is the place of the region in the file.
/// Memory grows with the data that really inflates, never with a number in the file.
Buffer inflate(const Buffer& file, std::uint64_t offset, std::uint64_t length, Compression compression,
               std::uint64_t limit, ProblemSink& problems);

/// The same, but nothing if there are more than `most` bytes; then nothing is reported.
std::optional<Buffer> inflate_small(const Buffer& file, std::uint64_t offset, std::uint64_t length,
                                    Compression compression, std::uint64_t most, ProblemSink& problems);

/// A careful guess at what a zlib stream inflates to: its first bytes tell how much it shrank. 0: too small to ask.
std::size_t likely_size(std::span<const std::byte> in);

}  // namespace darrow

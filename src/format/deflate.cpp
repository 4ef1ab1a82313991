#include "format/deflate.hpp"

#include <fmt/format.h>
#include <libdeflate.h>
#ifdef DARROW_HAVE_BZIP2
#include <bzlib.h>
#endif

#include <algorithm>
#include <memory>
#include <new>

#include "base/memory.hpp"
#include "format/inflate.hpp"

namespace darrow {
namespace {

using Bytes = std::span<const std::byte>;

Error failure(ErrorCode code, std::string message) {
  return {.code = code, .message = std::move(message), .file = {}, .region = {}, .offset = {}};
}

struct Levels {
  int usual, highest;
};

constexpr Levels levels_of(Compression compression) {
  switch (compression) {
    case Compression::zlib: return {6, 12};
    case Compression::bzip2: return {9, 9};
    case Compression::none: return {0, 0};
  }
  return {0, 0};
}

Buffer to_zlib(Bytes in, int level) {
  std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor{
      libdeflate_alloc_compressor(level), libdeflate_free_compressor};
  if (!compressor) throw std::bad_alloc();
  Block out(libdeflate_zlib_compress_bound(compressor.get(), in.size()));
  std::size_t used = libdeflate_zlib_compress(compressor.get(), in.data(), in.size(), out.data(), out.size());
  return std::move(out).freeze(used);
}

#ifdef DARROW_HAVE_BZIP2
Buffer to_bzip2(Bytes in, int level) {
  bz_stream z{};
  if (BZ2_bzCompressInit(&z, level, 0, 0) != BZ_OK) throw std::bad_alloc();
  std::unique_ptr<bz_stream, int (*)(bz_stream*)> guard(&z, BZ2_bzCompressEnd);
  Block out(in.size() + in.size() / 100 + 600);  // the library promises that this is enough
  std::size_t taken = 0, given = 0;
  constexpr std::size_t most = 1u << 30;  // it counts in 32 bits
  int status = BZ_OK;
  while (status != BZ_STREAM_END) {
    std::size_t give = std::min(in.size() - taken, most), take = std::min(out.size() - given, most);
    z.next_in = reinterpret_cast<char*>(const_cast<std::byte*>(in.data() + taken));
    z.avail_in = static_cast<unsigned>(give);
    z.next_out = reinterpret_cast<char*>(out.data() + given);
    z.avail_out = static_cast<unsigned>(take);
    status = BZ2_bzCompress(&z, taken + give == in.size() ? BZ_FINISH : BZ_RUN);
    taken += give - z.avail_in;
    given += take - z.avail_out;
  }
  return std::move(out).freeze(given);
}
#endif

}  // namespace

int usual_level(Compression compression) { return levels_of(compression).usual; }

std::optional<Error> check_level(Compression compression, int level) {
  std::string_view name = to_string(compression);
  if (!can_inflate(compression))
    return failure(ErrorCode::unsupported_compression, fmt::format("{} was not built in", name));
  Levels levels = levels_of(compression);
  if (level >= 0 && level <= levels.highest) return {};
  std::string expected =
      levels.highest == 0 ? "0" : fmt::format("1 to {}, or 0 for the usual one ({}),", levels.highest, levels.usual);
  return failure(ErrorCode::invalid_argument,
                 fmt::format("compression {} has no level {}: {} expected", name, level, expected));
}

Result<Buffer> deflate(Bytes data, Compression compression, int level) {
  if (auto error = check_level(compression, level)) return *error;
  if (data.empty()) return Buffer{};
  if (level == 0) level = usual_level(compression);
  try {
    switch (compression) {
      case Compression::zlib: return to_zlib(data, level);
#ifdef DARROW_HAVE_BZIP2
      case Compression::bzip2: return to_bzip2(data, level);
#endif
      default: return Buffer{.owner = {}, .data = data.data(), .size = data.size()};
    }
  } catch (const std::bad_alloc&) {
    return failure(ErrorCode::out_of_memory, fmt::format("not enough memory to compress {} bytes", data.size()));
  }
}

}  // namespace darrow

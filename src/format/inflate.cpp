#include "format/inflate.hpp"

#include <fmt/format.h>
#include <libdeflate.h>
#include <zlib.h>
#ifdef DARROW_HAVE_BZIP2
#include <bzlib.h>
#endif

#include <algorithm>
#include <memory>

#include "base/memory.hpp"
#include "format/stream_end.hpp"

namespace darrow {
namespace {

using Bytes = std::span<const std::byte>;

/// Memory to inflate into, never more than the limit.
struct Output {
  Block block;
  std::size_t used = 0;
  std::size_t limit;
  bool all_or_nothing = false;  ///< what does not fit the limit is not wanted

  std::byte* at() const { return block.data() + used; }
  std::size_t room() const { return block.size() - used; }
  bool grow() {
    if (block.size() >= limit) return false;
    // Unused memory costs nothing, a retry costs the whole stream again: grow in large steps while small.
    std::size_t size = block.size() < (std::size_t{64} << 20) ? block.size() * 3 : block.size() / 2 * 3;
    block.resize(std::min(size, limit), used);
    return true;
  }
};

/// Most counters are small numbers: module regions shrink 5 to 30 times.
std::size_t first_guess(std::size_t compressed) {
  return compressed * (compressed < (std::size_t{1} << 20) ? 32 : 16) + 4096;
}

bool starts_bzip2(Bytes in) {
  return in.size() >= 4 && in[0] == std::byte{'B'} && in[1] == std::byte{'Z'} && in[2] == std::byte{'h'} &&
         in[3] >= std::byte{'1'} && in[3] <= std::byte{'9'};
}

/// A beginning too short to tell: the stream was cut.
bool may_start(Bytes in, std::string_view first) {
  for (std::size_t i = 0; i < in.size() && i < first.size(); ++i)
    if (std::to_integer<char>(in[i]) != first[i]) return false;
  return in.size() < first.size();
}

/// What a call of a streaming library said.
enum class Said { more, end, bad };

/// Drives a zlib or bzip2 stream: gives input and room, `most_out` bytes at a time, until it ends, is damaged, or one of
/// them runs out. `checked`: what came out before the library asked for more input was checked by it (bzip2 checks each
/// block); of a damaged stream only that counts.
template <typename Stream, typename Call>
Step pump(Stream& z, Bytes in, Output& out, std::size_t most_out, bool checked, Call call) {
  Step step{End::damaged, 0, 0};
  std::size_t sound = 0;
  constexpr std::size_t most = 1u << 30;  // both libraries count in 32 bits
  for (;;) {
    if (out.room() == step.out) {
      out.used += step.out;
      bool grown = out.grow();
      out.used -= step.out;
      if (!grown) {
        step.end = End::full;
        return step;
      }
    }
    std::size_t give = std::min(in.size() - step.in, most), take = std::min(out.room() - step.out, most_out);
    z.next_in = reinterpret_cast<decltype(z.next_in)>(const_cast<std::byte*>(in.data() + step.in));
    z.avail_in = static_cast<unsigned>(give);
    z.next_out = reinterpret_cast<decltype(z.next_out)>(out.at() + step.out);
    z.avail_out = static_cast<unsigned>(take);
    Said said = call(&z);
    if (give > z.avail_in) sound = step.out;
    step.in += give - z.avail_in;
    step.out += take - z.avail_out;
    if (said == Said::bad && checked) step.out = sound;
    if (said == Said::end) step.end = End::complete;
    if (said != Said::more) return step;
    if (step.in == in.size() && z.avail_out > 0) {
      step.end = End::truncated;
      return step;
    }
  }
}

/// zlib delivers what inflates before damage, which libdeflate does not.
Step salvage_zlib(Bytes in, Output& out) {
  z_stream z{};
  if (inflateInit(&z) != Z_OK) throw std::bad_alloc();
  std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&z, inflateEnd);
  return pump(z, in, out, std::size_t{1} << 30, false, [](z_stream* stream) {
    int status = ::inflate(stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    return status == Z_STREAM_END ? Said::end : status == Z_OK || status == Z_BUF_ERROR ? Said::more : Said::bad;
  });
}

}  // namespace

std::size_t likely_size(std::span<const std::byte> in) {
  constexpr std::size_t sample = std::size_t{4} << 10, room = std::size_t{64} << 10;
  if (in.size() < 4 * sample || !starts_zlib(in)) return 0;
  z_stream z{};
  if (inflateInit(&z) != Z_OK) throw std::bad_alloc();
  std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&z, inflateEnd);
  Block out(room);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
  z.avail_in = sample;
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = room;
  ::inflate(&z, Z_NO_FLUSH);
  double taken = static_cast<double>(sample - z.avail_in) + 1, given = static_cast<double>(room - z.avail_out);
  return static_cast<std::size_t>(0.9 * static_cast<double>(in.size()) * given / taken);
}

namespace {

struct ZlibDecoder {
  std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor{
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor};

  Step operator()(Bytes in, Output& out) {
    if (!decompressor) throw std::bad_alloc();
    if (!starts_zlib(in))
      return {in.size() < 2 && may_start(in, "\x78\x9c") ? End::truncated : End::not_a_stream, 0, 0};
    for (;;) {
      std::size_t taken = 0, given = 0;
      auto status =
          libdeflate_zlib_decompress_ex(decompressor.get(), in.data(), in.size(), out.at(), out.room(), &taken, &given);
      if (status == LIBDEFLATE_SUCCESS) return {End::complete, taken, given};
      if (status == LIBDEFLATE_INSUFFICIENT_SPACE && out.grow()) continue;
      if (status == LIBDEFLATE_INSUFFICIENT_SPACE && out.all_or_nothing) return {End::full, 0, 0};
      return salvage_zlib(in, out);
    }
  }
};

#ifdef DARROW_HAVE_BZIP2
struct Bzip2Decoder {
  Step operator()(Bytes in, Output& out) {
    if (!starts_bzip2(in)) return {may_start(in, "BZh9") ? End::truncated : End::not_a_stream, 0, 0};
    bz_stream z{};
    if (BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK) throw std::bad_alloc();
    std::unique_ptr<bz_stream, int (*)(bz_stream*)> guard(&z, BZ2_bzDecompressEnd);
    return pump(z, in, out, std::size_t{1} << 16, true, [](bz_stream* stream) {
      int status = BZ2_bzDecompress(stream);
      if (status == BZ_MEM_ERROR) throw std::bad_alloc();
      return status == BZ_STREAM_END ? Said::end : status == BZ_OK ? Said::more : Said::bad;
    });
  }
};
#endif

template <typename Decoder>
std::optional<Buffer> inflate_streams(Bytes in, std::uint64_t offset, Output& out, Decoder decode,
                                      ProblemSink& problems) {
  std::size_t done = 0;
  for (int stream = 1; done < in.size(); ++stream) {
    Step step = decode(in.subspan(done), out);
    if (step.end == End::full && out.all_or_nothing) return {};
    report_end(step, {stream, offset + done, in.size() - done, in.size(), out.used, out.limit}, problems);
    out.used += step.out;
    done += step.in;
    if (step.end != End::complete) break;
  }
  return std::move(out.block).freeze(out.used);
}

}  // namespace

bool can_inflate([[maybe_unused]] Compression compression) {
#ifdef DARROW_HAVE_BZIP2
  return true;
#else
  return compression != Compression::bzip2;
#endif
}

namespace {

/// Nothing only if it is all or nothing.
std::optional<Buffer> inflate_any(const Buffer& file, std::uint64_t offset, std::uint64_t length,
                                  Compression compression, std::uint64_t limit, bool all_or_nothing,
                                  ProblemSink& problems) {
  if (compression == Compression::none) {
    std::uint64_t size = std::min(length, limit);
    if (size < length && all_or_nothing) return {};
    if (size < length)
      problems.at_file(ProblemKind::region_too_large, offset, fmt::format("larger than the limit of {} bytes", limit),
                       static_cast<std::int64_t>(size));
    return Buffer{file.owner, file.data + offset, static_cast<std::size_t>(size)};
  }
  Bytes in = file.bytes().subspan(offset, length);
  if (in.empty()) return Buffer{};
  std::size_t most = static_cast<std::size_t>(std::max<std::uint64_t>(limit, 1));
  Output out{Block(std::min(first_guess(in.size()), most)), 0, most, all_or_nothing};
  if (compression == Compression::zlib) {
    populate_pages(out.block.data(), std::min(likely_size(in), out.block.size()));
    return inflate_streams(in, offset, out, ZlibDecoder{}, problems);
  }
#ifdef DARROW_HAVE_BZIP2
  return inflate_streams(in, offset, out, Bzip2Decoder{}, problems);
#else
  return Buffer{};  // can_inflate() tells
#endif
}

}  // namespace

Buffer inflate(const Buffer& file, std::uint64_t offset, std::uint64_t length, Compression compression,
               std::uint64_t limit, ProblemSink& problems) {
  return *inflate_any(file, offset, length, compression, limit, false, problems);
}

std::optional<Buffer> inflate_small(const Buffer& file, std::uint64_t offset, std::uint64_t length,
                                    Compression compression, std::uint64_t most, ProblemSink& problems) {
  return inflate_any(file, offset, length, compression, most, true, problems);
}

}  // namespace darrow

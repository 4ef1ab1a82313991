#include "format/region_stream.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "base/memory.hpp"
#include "format/inflate.hpp"
#include "format/stream_end.hpp"

namespace darrow {
namespace {

/// Regions that likely inflate to more than this are not inflated at once.
constexpr std::size_t large = std::size_t{48} << 20;
/// Memory is given back in pieces of this size.
constexpr std::size_t drop_bytes = std::size_t{4} << 20;

}  // namespace

/// The part of a large region that was inflated and not skipped yet.
struct RegionStream::Window {
  Window(const Buffer& log, std::uint64_t at, std::span<const std::byte> compressed, std::uint64_t most,
         ProblemSink& sink)
      : file(log), offset(at), in(compressed), limit(most), problems(sink) {}
  ~Window() {
    if (is_open) inflateEnd(&z);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  std::size_t bytes() const { return end - begin; }
  void fill(std::size_t n);
  void inflate_some();
  void open_stream();
  void end_stream(End how);

  const Buffer& file;
  std::uint64_t offset;
  std::span<const std::byte> in;
  std::uint64_t limit;
  ProblemSink& problems;
  std::vector<std::byte> block = std::vector<std::byte>(std::size_t{1} << 20);
  std::size_t begin = 0, end = 0;  ///< of what is in `block`
  z_stream z{};
  bool is_open = false, is_done = false;
  int number = 0;                                        ///< of the stream
  std::size_t taken = 0, stream_begin = 0, dropped = 0;  ///< compressed bytes
  std::uint64_t given = 0, given_before = 0;             ///< inflated bytes, and those of the streams before
};

void RegionStream::Window::fill(std::size_t n) {
  if (begin > 0 && block.size() - begin < n) {
    std::memmove(block.data(), block.data() + begin, bytes());
    end -= begin;
    begin = 0;
  }
  if (block.size() < n) block.resize(n);
  while (bytes() < n && !is_done) inflate_some();
}

void RegionStream::Window::open_stream() {
  ++number;
  stream_begin = taken;
  given_before = given;
  if (auto rest = in.subspan(taken); !starts_zlib(rest))
    return end_stream(rest.size() < 2 ? End::truncated : End::not_a_stream);
  if (inflateInit(&z) != Z_OK) throw std::bad_alloc();
  is_open = true;
}

void RegionStream::Window::end_stream(End how) {
  if (is_open) inflateEnd(&z);
  z = {};
  is_open = false;
  const Step step{how, taken - stream_begin, static_cast<std::size_t>(given - given_before)};
  report_end(step, {number, offset + stream_begin, in.size() - stream_begin, in.size(), given_before, limit}, problems);
  is_done = how != End::complete || taken == in.size();
}

void RegionStream::Window::inflate_some() {
  if (!is_open) open_stream();
  if (!is_open) return;
  const std::size_t give = std::min(in.size() - taken, drop_bytes);
  const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(block.size() - end, limit - given));
  if (room == 0) return end_stream(End::full);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data() + taken));
  z.avail_in = static_cast<unsigned>(give);
  z.next_out = reinterpret_cast<Bytef*>(block.data() + end);
  z.avail_out = static_cast<unsigned>(std::min(room, drop_bytes));
  const unsigned offered = z.avail_out;
  const int status = ::inflate(&z, Z_NO_FLUSH);
  taken += give - z.avail_in;
  given += offered - z.avail_out;
  end += offered - z.avail_out;
  if (file.mapped_file && taken - dropped >= drop_bytes) {
    drop_pages(in.data() + dropped, taken - dropped);
    dropped = taken;
  }
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status == Z_STREAM_END) return end_stream(End::complete);
  if (status != Z_OK && status != Z_BUF_ERROR) return end_stream(End::damaged);
  if (taken == in.size() && z.avail_out > 0) end_stream(End::truncated);
}

RegionStream::RegionStream(const Buffer& file, std::uint64_t offset, std::uint64_t length, Compression compression,
                           std::uint64_t limit, ProblemSink& problems) {
  auto in = file.bytes().subspan(offset, length);
  if (compression == Compression::zlib && likely_size(in) > large) {
    window_ = std::make_unique<Window>(file, offset, in, std::max<std::uint64_t>(limit, 1), problems);
    return;
  }
  whole_ = inflate(file, offset, length, compression, limit, problems);
  if (compression == Compression::none) dropped_ = UINT64_MAX;  // it is the file's own
  else if (file.mapped_file) drop_pages(in.data(), in.size());
}

RegionStream::~RegionStream() = default;

std::optional<std::uint64_t> RegionStream::rest() const {
  if (window_) return {};
  return whole_.size - position_;
}

std::span<const std::byte> RegionStream::peek(std::size_t n) {
  if (window_) {
    if (window_->bytes() < n) window_->fill(n);
    return {window_->block.data() + window_->begin, std::min(n, window_->bytes())};
  }
  return whole_.bytes().subspan(position_, std::min<std::size_t>(n, whole_.size - position_));
}

void RegionStream::skip(std::size_t n) {
  position_ += n;
  if (window_) {
    window_->begin += n;
  } else if (dropped_ != UINT64_MAX && position_ - dropped_ >= drop_bytes) {
    drop_pages(whole_.data + dropped_, position_ - dropped_);
    dropped_ = position_;
  }
}

}  // namespace darrow

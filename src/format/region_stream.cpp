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

/// Most of a window to begin with, and the least.
constexpr std::size_t usual_window = std::size_t{1} << 20, least_window = 256;
/// Memory is given back in pieces of this size.
constexpr std::size_t drop_bytes = std::size_t{4} << 20;

}  // namespace

/// The part of a large region that was inflated and not skipped yet.
struct RegionStream::Window {
  Window(const Buffer& log, std::uint64_t at, std::span<const std::byte> compressed, std::uint64_t most,
         std::size_t size, ProblemSink& sink)
      : file(log), offset(at), in(compressed), limit(most), problems(sink), block(size) {}
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
  Block block;
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
  while (bytes() < n && !is_done) {
    // `n` may be a number that is in no file: memory grows with what really comes.
    if (end == block.size()) block.resize(std::max(2 * end, least_window), end);
    inflate_some();
  }
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
  Bytef no_room;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data() + taken));
  z.avail_in = static_cast<unsigned>(give);
  z.next_out = room ? reinterpret_cast<Bytef*>(block.data() + end) : &no_room;
  z.avail_out = room ? static_cast<unsigned>(std::min(room, drop_bytes)) : 1;  // the end may need no room
  const unsigned offered = z.avail_out;
  const int status = ::inflate(&z, Z_NO_FLUSH);
  taken += give - z.avail_in;
  const unsigned got = offered - z.avail_out;
  if (room == 0 && got > 0) return end_stream(End::full);
  given += got;
  end += got;
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
                           std::uint64_t limit, std::uint64_t whole_bytes, ProblemSink& problems) {
  auto in = file.bytes().subspan(offset, length);
  limit = std::max<std::uint64_t>(limit, 1);
  if (compression == Compression::zlib && whole_bytes < limit && !in.empty()) {
    // How large it is turns out when it was inflated; where that would be in vain is not tried.
    std::optional<Buffer> small;
    if (whole_bytes > 0 && likely_size(in) <= whole_bytes)
      small = inflate_small(file, offset, length, compression, whole_bytes, problems);
    if (!small) {
      const auto size = static_cast<std::size_t>(std::clamp<std::uint64_t>(whole_bytes, least_window, usual_window));
      window_ = std::make_unique<Window>(file, offset, in, limit, size, problems);
      return;
    }
    whole_ = std::move(*small);
  } else {
    whole_ = inflate(file, offset, length, compression, limit, problems);
  }
  is_kept_ = compression == Compression::none && !file.mapped_file;  // it is the file's own
  if (compression != Compression::none && file.mapped_file) drop_pages(in.data(), in.size());
}

RegionStream::RegionStream(Buffer bytes) : whole_(std::move(bytes)), is_kept_(true) {}
RegionStream::~RegionStream() = default;
RegionStream::RegionStream(RegionStream&&) noexcept = default;
RegionStream& RegionStream::operator=(RegionStream&&) noexcept = default;

std::optional<std::uint64_t> RegionStream::rest() const {
  if (!window_) return whole_.size - position_;
  if (window_->is_done) return window_->bytes();
  return {};
}

std::uint64_t RegionStream::count_rest() {
  if (auto known = rest()) return *known;
  if (!total_) {
    std::vector<Problem> told_later;
    ProblemSink told_nowhere("", "", told_later);
    Window again(window_->file, window_->offset, window_->in, window_->limit, usual_window, told_nowhere);
    for (; !again.is_done; again.begin = again.end) again.fill(again.block.size());
    total_ = counted_ = again.given;
  }
  return *total_ - position_;
}

std::uint64_t RegionStream::drain() {
  const std::uint64_t before = position_;
  for (auto left = at_least(1); !left.empty(); left = at_least(1)) skip(left.size());
  return position_ - before;
}

void RegionStream::close() {
  closed_ = inflated();
  whole_ = {};
  window_.reset();
  position_ = dropped_ = 0;
}

std::uint64_t RegionStream::inflated() const { return closed_ + (window_ ? window_->given : whole_.size); }

std::span<const std::byte> RegionStream::at_least(std::size_t n) {
  if (!window_) return whole_.bytes().subspan(position_);
  if (window_->bytes() < n) window_->fill(n);
  return {window_->block.data() + window_->begin, window_->bytes()};
}

std::span<const std::byte> RegionStream::peek(std::size_t n) {
  auto bytes = at_least(n);
  return bytes.first(std::min(n, bytes.size()));
}

void RegionStream::skip(std::size_t n) {
  position_ += n;
  if (window_) {
    window_->begin += n;
  } else if (!is_kept_ && position_ - dropped_ >= drop_bytes) {
    drop_pages(whole_.data + dropped_, position_ - dropped_);
    dropped_ = position_;
  }
}

}  // namespace darrow

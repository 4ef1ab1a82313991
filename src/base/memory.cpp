#include "base/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace darrow {
namespace {

// Blocks from this size on are mapped: growing one moves its pages, not its bytes.
constexpr std::size_t mapped_from = std::size_t{4} << 20;

// Pieces of this size and more may have huge pages of their own.
[[maybe_unused]] constexpr std::size_t huge_from = std::size_t{4} << 20;

// What is used of a mapped block that shrinks below that size is copied only if it is no more than this.
constexpr std::size_t copied_up_to = std::size_t{64} << 10;

// Fewer pages than these are as well fetched one by one.
[[maybe_unused]] constexpr std::size_t populated_from = std::size_t{256} << 10;

// The whole pages within a piece of memory, for madvise.
std::pair<void*, std::size_t> pages_within(const std::byte* begin, std::size_t size) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  auto at = reinterpret_cast<std::uintptr_t>(begin);
  auto first = (at + page - 1) / page * page, last = (at + size) / page * page;
  return {reinterpret_cast<void*>(first), first < last ? last - first : 0};
}

std::byte* map(std::size_t size) {
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(p);
}

// Aligned memory from malloc, whose lists of free small pieces aligned_alloc does not use: it takes several times as long. The address to
// free stands in front.
std::byte* allocate(std::size_t size) {
  auto* begin = static_cast<std::byte*>(std::malloc(align_up(size) + buffer_alignment));
  if (!begin) throw std::bad_alloc();
  std::byte* data = begin + buffer_alignment - reinterpret_cast<std::uintptr_t>(begin) % buffer_alignment;
  static_assert(alignof(std::max_align_t) >= sizeof begin);
  std::memcpy(data - sizeof begin, &begin, sizeof begin);
  return data;
}

void free_allocated(const std::byte* data) {
  if (!data) return;
  void* begin;
  std::memcpy(&begin, data - sizeof begin, sizeof begin);
  std::free(begin);
}

}  // namespace

Block::Block(std::size_t size) : size_(size), mapped_(size >= mapped_from) {
  if (mapped_) {
    data_ = map(size);
  } else {
    data_ = allocate(size);
  }
}

Block::~Block() {
  if (mapped_) munmap(data_, size_);
  else free_allocated(data_);
}

void Block::resize(std::size_t size, std::size_t used) {
  // Moving pages beats copying bytes, but for a few.
  if (mapped_ && (size >= mapped_from || used >= copied_up_to)) {
    void* p = mremap(data_, size_, size, MREMAP_MAYMOVE);
    if (p == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(p);
    size_ = size;
    return;
  }
  Block other(size);
  if (used) std::memcpy(other.data_, data_, used);
  swap(other);
}

Buffer Block::freeze(std::size_t used) && {
  if (used != size_ && align_up(used, 4096) + 4096 < size_) resize(used ? used : 1, used);
  auto owner = std::make_shared<Block>(std::move(*this));
  return {owner, owner->data(), used};
}

void populate_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t size) {
#ifdef MADV_POPULATE_WRITE
  if (size < populated_from) return;
  auto [first, bytes] = pages_within(static_cast<const std::byte*>(begin), size);
  madvise(first, bytes, MADV_POPULATE_WRITE);
#endif
}

void drop_pages(const std::byte* begin, std::size_t size) {
  auto [first, bytes] = pages_within(begin, size);
  madvise(first, bytes, MADV_DONTNEED);
}

Arena::Arena(std::size_t bytes) : block_(std::make_shared<Block>(bytes)) {}

Arena::Arena(std::size_t bytes, std::shared_ptr<Block>& spare) {
  if (!spare || spare.use_count() > 1 || spare->size() < bytes) spare = std::make_shared<Block>(bytes);
  else is_used_ = true;
  block_ = spare;
}

void Arena::use_huge_pages([[maybe_unused]] std::size_t piece) {
#ifdef MADV_HUGEPAGE
  if (piece < huge_from || !zeroed()) return;
  auto [first, bytes] = pages_within(block_->data(), block_->size());
  madvise(first, bytes, MADV_HUGEPAGE);
#endif
}

std::byte* Arena::take(std::size_t bytes) {
  std::byte* piece = block_->data() + used_;
  used_ += align_up(bytes);
  assert(used_ <= align_up(block_->size()));
  return piece;
}

}  // namespace darrow

/// Memory for columns and inflated regions.
#pragma once

#include <cstddef>
#include <memory>

#include "darrow/buffer.hpp"

namespace darrow {

/// Every column buffer starts at a multiple of this many bytes, as Arrow recommends.
inline constexpr std::size_t buffer_alignment = 64;

constexpr std::size_t align_up(std::size_t n, std::size_t to = buffer_alignment) { return (n + to - 1) / to * to; }

/// A block of writable, uninitialised memory, aligned to buffer_alignment. Large blocks are mapped
/// and take real memory only where they are touched.
class Block {
 public:
  Block() = default;
  /// Throws std::bad_alloc.
  explicit Block(std::size_t size);
  Block(Block&& other) noexcept { swap(other); }
  Block& operator=(Block&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Block();

  std::byte* data() const { return data_; }
  /// Whether all of it is 0 before it is first written: mapped memory is.
  bool zeroed() const { return mapped_; }
  std::size_t size() const { return size_; }
  /// Changes the size, keeping the first `used` bytes. May move. Throws std::bad_alloc.
  void resize(std::size_t size, std::size_t used);
  /// Makes the first `used` bytes an immutable Buffer and gives the rest back.
  Buffer freeze(std::size_t used) &&;

 private:
  void swap(Block& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_);
  }
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
};

/// Fetches the pages of a piece of private memory at once, which costs a third of what touching them one by one does.
/// For what will be written anyway. Does nothing for small pieces, or where the system cannot.
void populate_pages(void* begin, std::size_t size);

/// Gives the whole pages within that piece of private memory back; whoever reads them later finds zeros.
void drop_pages(const std::byte* begin, std::size_t size);

/// One block cut into aligned pieces: all columns of a table share it.
class Arena {
 public:
  /// `bytes`: the sum of align_up(size) over the pieces to come. Throws std::bad_alloc.
  explicit Arena(std::size_t bytes);
  /// The same in the block of `spare`, if it is large enough and nobody else holds it any more; else `spare` becomes the new one.
  Arena(std::size_t bytes, std::shared_ptr<Block>& spare);
  /// Whether pieces hold zeros before they are written.
  bool zeroed() const { return block_->zeroed() && !is_used_; }
  /// Asks for pages of 2 MiB, if pieces of that size span several of them: memory is fetched and read in fewer steps then. Smaller
  /// pieces that stay zero would share such pages with others, and take memory.
  void use_huge_pages(std::size_t piece);
  /// The next piece of `bytes` bytes, uninitialised. REQUIRES: it fits.
  std::byte* take(std::size_t bytes);
  /// A piece taken before, as a Buffer that keeps the arena alive.
  Buffer buffer(const std::byte* piece, std::size_t bytes) const { return {block_, piece, bytes}; }

 private:
  std::shared_ptr<Block> block_;
  bool is_used_ = false;  ///< held something before
  std::size_t used_ = 0;
};

/// A buffer of its own for `bytes` bytes and the pointer to fill it. Throws std::bad_alloc.
struct NewBuffer {
  explicit NewBuffer(std::size_t bytes) : arena(align_up(bytes)), data(arena.take(bytes)), size(bytes) {}
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(data);
  }
  Buffer buffer() const { return arena.buffer(data, size); }
  Arena arena;
  std::byte* data;
  std::size_t size;
};

}  // namespace darrow

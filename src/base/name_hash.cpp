// Both hashes are Bob Jenkins's, who gave them to the public domain: lookup8 with level 0, and hashlittle of lookup3.
#include "darrow/name_hash.hpp"

#include <bit>
#include <cstddef>

#include "base/byte_order.hpp"

namespace darrow {
namespace {

/// Both read numbers with the lowest byte first, whatever the machine.
template <typename T>
T little(const char* at) {
  return load<T>(reinterpret_cast<const std::byte*>(at), !native_little);
}

struct Lookup8 {
  std::uint64_t a = 0, b = 0, c = 0x9e3779b97f4a7c13u;

  void add(const char* block) {
    a += little<std::uint64_t>(block);
    b += little<std::uint64_t>(block + 8);
    c += little<std::uint64_t>(block + 16);
  }
  void mix() {
    mix(43, 9, 8);
    mix(38, 23, 5);
    mix(35, 49, 11);
    mix(12, 18, 22);
  }

 private:
  void mix(int right, int left, int right_again) {
    a = (a - b - c) ^ (c >> right);
    b = (b - c - a) ^ (a << left);
    c = (c - a - b) ^ (b >> right_again);
  }
};

struct Lookup3 {
  std::uint32_t a, b, c;

  explicit Lookup3(std::uint32_t start) : a(start), b(start), c(start) {}
  void add(const char* block) {
    a += little<std::uint32_t>(block);
    b += little<std::uint32_t>(block + 4);
    c += little<std::uint32_t>(block + 8);
  }
  void mix() {
    mix(a, b, c, 4);
    mix(b, c, a, 6);
    mix(c, a, b, 8);
    mix(a, b, c, 16);
    mix(b, c, a, 19);
    mix(c, a, b, 4);
  }
  void finish() {
    finish(c, b, 14);
    finish(a, c, 11);
    finish(b, a, 25);
    finish(c, b, 16);
    finish(a, c, 4);
    finish(b, a, 14);
    finish(c, b, 24);
  }

 private:
  static void mix(std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int turn) {
    x = (x - z) ^ std::rotl(z, turn);
    z += y;
  }
  static void finish(std::uint32_t& x, std::uint32_t y, int turn) { x = (x ^ y) - std::rotl(y, turn); }
};

}  // namespace

std::uint64_t record_id(std::string_view name) {
  constexpr std::size_t block = 24;
  Lookup8 hash;
  std::string_view rest = name;
  for (; rest.size() >= block; rest.remove_prefix(block)) {
    hash.add(rest.data());
    hash.mix();
  }
  // The lowest byte of the last number is that of the length: the rest, up to 23 bytes, goes around it.
  char last[block] = {};
  rest.copy(last, 16);
  if (rest.size() > 16) rest.copy(last + 17, 7, 16);
  hash.add(last);
  hash.c += name.size();
  hash.mix();
  return hash.c;
}

std::uint32_t obfuscated(std::string_view bytes, std::uint32_t key) {
  constexpr std::size_t block = 12;
  Lookup3 hash(0xdeadbeef + static_cast<std::uint32_t>(bytes.size()) + key);
  if (bytes.empty()) return hash.c;
  for (; bytes.size() > block; bytes.remove_prefix(block)) {
    hash.add(bytes.data());
    hash.mix();
  }
  char last[block] = {};
  bytes.copy(last, block);
  hash.add(last);
  hash.finish();
  return hash.c;
}

}  // namespace darrow

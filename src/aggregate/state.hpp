/// The bytes of an accumulator's state: little-endian words, every count checked against what is left.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace darrow {

static_assert(std::endian::native == std::endian::little, "states are written in memory order");

/// More records than any log has, and more values than these can have of one kind: a state with more is damaged. Sums of
/// such numbers over many states stay far from the end of 64 bits.
inline constexpr std::int64_t most_records = std::int64_t{1} << 47, most_terms = most_records << 6;

class StateWriter {
 public:
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>);
    append(&value, sizeof value);
  }
  void put(double value) { append(&value, sizeof value); }
  void put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    append(text.data(), text.size());
  }
  std::vector<std::byte> finish() && { return std::move(bytes_); }

 private:
  void append(const void* from, std::size_t size) {
    if (size == 0) return;
    auto at = bytes_.size();
    bytes_.resize(at + size);
    std::memcpy(bytes_.data() + at, from, size);
  }
  std::vector<std::byte> bytes_;
};

/// Reads what StateWriter wrote. Once something does not fit, everything more is 0 and ok() false.
class StateReader {
 public:
  explicit StateReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  bool ok() const { return ok_; }
  /// Whether all was read and nothing is left.
  bool done() const { return ok_ && rest_.empty(); }
  void fail() { ok_ = false; }

  template <typename T>
  T get() {
    T value{};
    if (sizeof value > rest_.size()) ok_ = false;
    if (!ok_) return value;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  /// A flag: anything but 0 and 1 is wrong.
  bool get_bool() {
    auto value = get<std::uint8_t>();
    if (value > 1) ok_ = false;
    return value == 1;
  }
  /// How many elements of at least `element_bytes` follow: never more than there are bytes for.
  std::size_t get_count(std::size_t element_bytes) {
    auto count = get<std::uint64_t>();
    if (count > rest_.size() / element_bytes) ok_ = false;
    return ok_ ? static_cast<std::size_t>(count) : 0;
  }
  /// How many records or values went into something: 0 to `most`.
  std::int64_t get_terms(std::int64_t most) {
    auto terms = get<std::int64_t>();
    if (terms < 0 || terms > most) ok_ = false;
    return ok_ ? terms : 0;
  }
  std::string_view get_text() {
    auto size = get_count(1);
    std::string_view text(reinterpret_cast<const char*>(rest_.data()), size);
    rest_ = rest_.subspan(size);
    return text;
  }

 private:
  std::span<const std::byte> rest_;
  bool ok_ = true;
};

}  // namespace darrow

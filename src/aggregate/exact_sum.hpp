/// Sums that do not depend on the order of their terms: adding, merging and splitting give the same to the last digit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>

#include "darrow/module.hpp"

namespace darrow {

/// Shorter ones count as none: sums have no digits for them.
inline constexpr double shortest_time = 0x1p-176;

/// Whether a stored time (in seconds) can be true. NaN, infinities and negative ones cannot.
inline bool is_time(double seconds) { return seconds >= 0 && seconds <= longest_time; }

/// A sum of counts, none of them negative: exact, or known not to fit.
struct CountSum {
  std::int64_t sum = 0;
  std::int64_t terms = 0;
  bool overflow = false;

  void add(std::int64_t value, std::int64_t of_terms = 1) {
    overflow |= __builtin_add_overflow(sum, value, &sum);
    terms += of_terms;
  }
  void merge(const CountSum& other) {
    add(other.sum, other.terms);
    overflow |= other.overflow;
  }
  /// Nothing if there were no terms, or if they do not fit.
  std::optional<std::int64_t> value() const { return terms && !overflow ? std::optional(sum) : std::nullopt; }
};

/// A sum of times: a fixed-point number of 256 bits in units of 2^-176 s.
/// Exact for times from 1e-37 s to longest_time (smaller ones are cut at the unit), and for 10^12 terms.
class TimeSum {
 public:
  /// REQUIRES: is_time(seconds).
  void add(double seconds) {
    auto bits = std::bit_cast<std::uint64_t>(seconds);
    int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1075 + fraction_bits;  // of the lowest bit of the mantissa
    std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
    if (exponent < 0) {  // zero and denormals as well
      if (exponent <= -53) return;
      mantissa >>= -exponent;
      exponent = 0;
    }
    add_at(exponent, mantissa);
  }
  /// Adds all of them, if all are times; else none. Faster than one by one.
  bool add_all(std::span<const double> times) {
    TimeSum sum = *this;
    while (!times.empty()) {
      auto chunk = times.first(std::min<std::size_t>(times.size(), 1024));
      times = times.subspan(chunk.size());
      Wide usual = 0;  // times of 64 neighbouring exponents: 53 bits, shifted by up to 63, 2^10 times
      for (double time : chunk) {
        auto bits = std::bit_cast<std::uint64_t>(time);
        auto exponent = static_cast<std::uint32_t>(bits >> 52) - usual_exponent;  // huge for all that are no times
        if (exponent < 64) {
          auto mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
          usual += Wide{mantissa} << exponent;
        } else if (!is_time(time)) {
          return false;
        } else if (time != 0) {
          sum.add(time);
        }
      }
      constexpr int position = static_cast<int>(usual_exponent) - 1075 + fraction_bits;
      sum.add_at(position, static_cast<std::uint64_t>(usual));
      sum.add_at(position + 64, static_cast<std::uint64_t>(usual >> 64));
    }
    *this = sum;
    return true;
  }
  void add(const TimeSum& other) {
    Wide carry = 0;
    for (std::size_t i = 0; i < words_.size(); ++i, carry >>= 64) {
      carry += Wide{words_[i]} + other.words_[i];
      words_[i] = static_cast<std::uint64_t>(carry);
    }
  }
  /// The double next to the exact sum (half-way: the even one).
  double value() const {
    int top = 3;
    while (top >= 0 && words_[static_cast<std::size_t>(top)] == 0) --top;
    if (top < 0) return 0;
    int highest = top * 64 + 63 - std::countl_zero(words_[static_cast<std::size_t>(top)]);
    int lowest = highest - 63;  // 64 bits from here on, and whether anything is below
    std::uint64_t kept = bits_from(lowest);
    bool below = any_below(lowest);
    // A sticky lowest bit makes the rounding of 64 to 53 bits that of the whole number.
    return std::ldexp(static_cast<double>(kept | static_cast<std::uint64_t>(below)), lowest - fraction_bits);
  }
  auto operator<=>(const TimeSum& other) const {
    for (std::size_t i = words_.size(); i-- > 1;)
      if (words_[i] != other.words_[i]) return words_[i] <=> other.words_[i];
    return words_[0] <=> other.words_[0];
  }
  bool operator==(const TimeSum&) const = default;

  std::array<std::uint64_t, 4>& words() { return words_; }
  const std::array<std::uint64_t, 4>& words() const { return words_; }

 private:
  __extension__ typedef unsigned __int128 Wide;
  static constexpr int fraction_bits = 176;
  static constexpr std::uint32_t usual_exponent = 1023 - 40;  ///< 2^-40 s is a picosecond; 2^23 s are 97 days

  /// Adds a number whose lowest bit is at that position. REQUIRES: the sum has room for it.
  void add_at(int position, std::uint64_t number) {
    if (number == 0) return;
    auto word = static_cast<std::size_t>(position) / 64;
    Wide shifted = Wide{number} << (position % 64);
    bool carry = __builtin_add_overflow(words_[word], static_cast<std::uint64_t>(shifted), &words_[word]);
    Wide high = (shifted >> 64) + carry;
    while (high && ++word < words_.size()) {
      carry = __builtin_add_overflow(words_[word], static_cast<std::uint64_t>(high), &words_[word]);
      high = (high >> 64) + carry;
    }
  }
  /// Whether any bit before position `i` is set.
  bool any_below(int i) const {
    if (i <= 0) return false;
    auto word = static_cast<std::size_t>(i) / 64;
    std::uint64_t found = words_[word] & ((std::uint64_t{1} << (i % 64)) - 1);
    while (word-- > 0) found |= words_[word];
    return found != 0;
  }
  /// The 64 bits from position `i` on; below 0 lies nothing.
  std::uint64_t bits_from(int i) const {
    if (i < 0) return words_[0] << -i;
    auto word = static_cast<std::size_t>(i) / 64;
    std::uint64_t low = words_[word] >> (i % 64);
    std::uint64_t high = word + 1 < words_.size() && i % 64 ? words_[word + 1] << (64 - i % 64) : 0;
    return low | high;
  }

  std::array<std::uint64_t, 4> words_{};  ///< the lowest first
};

}  // namespace darrow

#include "text/number_text.hpp"

#include <bit>
#include <cmath>

namespace darrow::util_text {
namespace {

/// 10^6 fills 20 bits, so that a significand of 53 bits times it fits 73.
__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t power_of_ten(int digits) { return digits == 0 ? 1 : 10 * power_of_ten(digits - 1); }

/// `digits` decimal digits of a number below 10^digits, leading zeros included.
template <int digits>
char* put_digits(char* to, std::uint64_t value) {
  for (int i = digits - 1; i >= 0; --i) {
    to[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return to + digits;
}

/// Exact: a double is significand × 2^-shift, so value × 10^digits is an integer times 2^-shift, and rounding it to the
/// nearest (ties to even, as printf does) looks at the bits that the shift drops.
template <int digits>
char* put_fixed(char* to, double value) {
  constexpr std::uint64_t scale = power_of_ten(digits);
  constexpr int significand_bits = 52, bias = 1075;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (bits >> 63) *to++ = '-';
  const auto exponent = static_cast<int>(bits >> significand_bits & 0x7FF);
  if (exponent == 0x7FF) {
    std::memcpy(to, bits << 12 ? "nan" : "inf", 3);
    return to + 3;
  }
  std::uint64_t significand = bits & ((std::uint64_t{1} << significand_bits) - 1), whole = 0, part = 0;
  if (exponent > 0) significand |= std::uint64_t{1} << significand_bits;
  const int shift = bias - (exponent > 0 ? exponent : 1);
  if (shift < -10)
    return std::to_chars(to, to + longest_number, std::fabs(value), std::chars_format::fixed, digits).ptr;
  if (shift <= 0) {
    whole = significand << -shift;
  } else if (shift < 80) {  // else it is below 2^-27, far from half a unit of the last digit
    whole = shift <= significand_bits ? significand >> shift : 0;
    const std::uint64_t rest =
        shift <= significand_bits ? significand & ((std::uint64_t{1} << shift) - 1) : significand;
    const Wide scaled = Wide{rest} * scale, half = Wide{1} << (shift - 1), dropped = scaled & ((half << 1) - 1);
    part = static_cast<std::uint64_t>(scaled >> shift);
    if (dropped > half || (dropped == half && part % 2 == 1)) ++part;
    if (part == scale) {
      ++whole;
      part = 0;
    }
  }
  to = put_integer(to, whole);
  *to++ = '.';
  return put_digits<digits>(to, part);
}

}  // namespace

char* put_fixed6(char* to, double value) { return put_fixed<6>(to, value); }
char* put_fixed4(char* to, double value) { return put_fixed<4>(to, value); }

}  // namespace darrow::util_text

#include "base/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace darrow {

std::size_t utf8_sequence(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  auto tail = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  if (text.empty()) return 0;
  unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return tail(1) ? 2 : 0;
  if (first < 0xf0) {  // no overlong forms, no surrogates
    bool ok = tail(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && tail(2);
    return ok ? 3 : 0;
  }
  if (first < 0xf5) {  // no overlong forms, nothing above U+10FFFF
    bool ok = tail(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && tail(2) && tail(3);
    return ok ? 4 : 0;
  }
  return 0;
}

namespace {

bool has_high_bits(const char* eight) {
  std::uint64_t word;
  std::memcpy(&word, eight, 8);
  return word & 0x8080808080808080u;
}

// Plain ASCII, looked at by eight bytes, the last ones maybe twice. Short texts are not worth it.
bool is_ascii(std::string_view text) {
  if (text.size() < 8) return false;
  for (std::size_t i = 0; i + 8 <= text.size(); i += 8)
    if (has_high_bits(text.data() + i)) return false;
  return !has_high_bits(text.data() + text.size() - 8);
}

}  // namespace

bool is_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  while (!text.empty()) {
    std::size_t n = utf8_sequence(text);
    if (n == 0) return false;
    text.remove_prefix(n);
  }
  return true;
}

std::string escape_utf8(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (std::size_t n = utf8_sequence(text)) {
      out.append(text.substr(0, n));
      text.remove_prefix(n);
    } else {
      auto byte = static_cast<unsigned char>(text[0]);
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace darrow

#include "render/text.hpp"

#include <algorithm>
#include <iterator>

#include "base/utf8.hpp"

namespace darrow::render {
namespace {

struct Range {
  char32_t first, last;
};

// Characters that take two cells: East Asian Wide and Fullwidth blocks, and emoji.
constexpr Range wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2e80, 0x303e},   {0x3041, 0x33ff},
    {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xa960, 0xa97c},   {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18cff},
    {0x1b000, 0x1b2ff}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
};

// Characters that take none: combining marks, variation selectors, conjoining vowels.
constexpr Range narrow[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},   {0x06d6, 0x06dc},
    {0x0900, 0x0902}, {0x093c, 0x093c}, {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0e31, 0x0e31},   {0x0e34, 0x0e3a},
    {0x0e47, 0x0e4e}, {0x1160, 0x11ff}, {0x135d, 0x135f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},   {0x20d0, 0x20ff},
    {0x302a, 0x302d}, {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef},
};

// Format characters that reorder or hide text.
constexpr Range hidden[] = {
    {0x007f, 0x009f}, {0x00ad, 0x00ad}, {0x061c, 0x061c}, {0x180e, 0x180e}, {0x200b, 0x200f},
    {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
};

bool in(char32_t c, auto& ranges) {
  auto at =
      std::upper_bound(std::begin(ranges), std::end(ranges), c, [](char32_t v, const Range& r) { return v < r.first; });
  return at != std::begin(ranges) && c <= std::prev(at)->last;
}

std::size_t cells_of(char32_t c) {
  if (c < 0x300) return 1;
  return in(c, narrow) ? 0 : in(c, wide) ? 2 : 1;
}

void append_hex(std::string& out, char32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[(value >> shift) & 15];
}

void append_control(std::string& out, char32_t c) {
  if (c == '\n') out += "\\n";
  else if (c == '\t') out += "\\t";
  else if (c == '\r') out += "\\r";
  else if (c < 0x80) out += "\\x", append_hex(out, c, 2);
  else if (c < 0x10000) out += "\\u", append_hex(out, c, 4);
  else out += "\\U", append_hex(out, c, 8);
}

// Bytes of the longest beginning of `text` with at most `width` cells; combining marks stay with their letter.
std::size_t prefix(std::string_view text, std::size_t width) {
  std::size_t bytes = 0, used = 0;
  while (bytes < text.size()) {
    auto c = first_character(text.substr(bytes));
    used += cells_of(c.value);
    if (used > width) break;
    bytes += c.bytes;
  }
  return bytes;
}

// Where the shortest end of `text` starts that leaves at most `width` cells.
std::size_t suffix(std::string_view text, std::size_t width) {
  std::size_t total = cells(text), bytes = 0;
  while (bytes < text.size() && total > width) {
    auto c = first_character(text.substr(bytes));
    total -= cells_of(c.value);
    bytes += c.bytes;
  }
  return bytes;
}

}  // namespace

Character first_character(std::string_view text) {
  std::size_t bytes = utf8_sequence(text);
  char32_t lead = static_cast<unsigned char>(text[0]);
  if (bytes <= 1) return {lead, 1, bytes == 1};
  char32_t value = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  return {value, bytes, true};
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && in(c, hidden)); }

std::string printable(std::string_view text) {
  std::string valid = escape_utf8(text), out;
  for (text = valid; !text.empty();) {
    auto c = first_character(text);
    if (is_control(c.value)) append_control(out, c.value);
    else out.append(text.substr(0, c.bytes));
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::size_t cells(std::string_view text) {
  std::size_t total = 0;
  while (!text.empty()) {
    auto c = first_character(text);
    total += cells_of(c.value);
    text.remove_prefix(c.bytes);
  }
  return total;
}

std::string cut_end(std::string_view text, std::size_t width) {
  if (cells(text) <= width) return std::string(text);
  if (width == 0) return {};
  return std::string(text.substr(0, prefix(text, width - 1))) + "…";
}

std::string cut_middle(std::string_view text, std::size_t width) {
  if (cells(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t tail = (width - 1) / 2;
  return std::string(text.substr(0, prefix(text, width - 1 - tail))) + "…" +
         std::string(text.substr(suffix(text, tail)));
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  width = std::max<std::size_t>(width, 2);
  while (cells(text) > width) {
    std::size_t bytes = prefix(text, width);
    std::size_t blank = text.substr(0, bytes + 1).rfind(' ');
    bool at_blank = blank != text.npos && blank > 0;
    if (at_blank) bytes = blank;
    lines.emplace_back(text.substr(0, bytes));
    text.remove_prefix(bytes + (at_blank ? 1 : 0));
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace darrow::render

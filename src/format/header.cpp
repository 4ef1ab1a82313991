#include "format/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/byte_order.hpp"
#include "base/utf8.hpp"

namespace darrow {
namespace {

constexpr std::int64_t magic = 6567223;
constexpr std::size_t magic_at = 8, compression_at = 16, shortest = 17;

/// The header of one log format.
struct Layout {
  int minor;
  int slots;
  std::size_t size, partial_at, partial_bytes, names_at, map_at, versions_at;
  int (*id)(int slot);  ///< module id of format 3.41
};

// Modules that did not exist yet had no slot: later ones stood lower.
constexpr Layout layouts[] = {
    {0, 16, 360, 20, 4, 24, 40, 296, [](int s) { return s < 4    ? s
                                                        : s == 4 ? 5
                                                                 : s + 2; }},
    {10, 16, 360, 20, 4, 24, 40, 296, [](int s) { return s < 4    ? s
                                                         : s == 4 ? 5
                                                                  : s + 2; }},
    {20, 16, 360, 20, 4, 24, 40, 296, [](int s) { return s < 6 ? s : s + 1; }},
    {21, 16, 360, 20, 4, 24, 40, 296, [](int s) { return s < 6 ? s : s + 1; }},
    {41, 64, 1328, 24, 8, 32, 48, 1072, [](int s) { return s; }},
};
constexpr const Layout& newest = std::end(layouts)[-1];

Error failure(ErrorCode code, std::string message, std::uint64_t offset) {
  return {.code = code, .message = std::move(message), .file = {}, .region = "header", .offset = offset};
}

struct VersionNumber {
  int major, minor;
};

/// "MAJOR.MINOR", blanks before either number allowed; what follows is ignored.
std::optional<VersionNumber> parse_version(std::string_view text) {
  auto number = [&](int& out) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
    if (text.starts_with('+')) text.remove_prefix(1);
    auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (status != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
  };
  VersionNumber v{};
  if (!number(v.major) || !text.starts_with('.')) return {};
  text.remove_prefix(1);
  if (!number(v.minor)) return {};
  return v;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

bool is_gzip(std::span<const std::byte> file) {
  return file.size() >= 2 && file[0] == std::byte{0x1f} && file[1] == std::byte{0x8b};
}

}  // namespace

std::string_view to_string(ByteOrder order) { return order == ByteOrder::little ? "little" : "big"; }

std::string_view to_string(Compression compression) {
  switch (compression) {
    case Compression::zlib: return "zlib";
    case Compression::bzip2: return "bzip2";
    case Compression::none: return "none";
  }
  return "unknown";
}

bool swapped(ByteOrder order) { return (order == ByteOrder::little) != native_little; }

Result<Header> parse_header(std::span<const std::byte> file) {
  if (file.empty()) return failure(ErrorCode::not_a_log, "the file is empty", 0);
  if (is_gzip(file))
    return failure(
        ErrorCode::unsupported_version,
        "a gzip file: unpack it if it holds a log of Darshan 3; logs of Darshan 2, which are gzip files, are not read",
        0);
  auto start = file.first(std::min<std::size_t>(file.size(), 360));
  if (std::all_of(start.begin(), start.end(), [](std::byte b) { return b == std::byte{0}; }))
    return failure(ErrorCode::unfinished, "the header is all zeros: the process died while the log was written", 0);
  if (file.size() < shortest)
    return failure(ErrorCode::truncated, fmt::format("{} bytes: too short for a log header", file.size()), file.size());

  Header header;
  std::string_view text = text_of(file.first(8));
  header.version_text = escape_utf8(text);
  const std::byte* at = file.data();
  bool little = load<std::int64_t>(at + magic_at, !native_little) == magic;
  bool big = load<std::int64_t>(at + magic_at, native_little) == magic;
  if (!little && !big)
    return failure(ErrorCode::not_a_log,
                   fmt::format("not a Darshan log: magic number {} expected in either byte order", magic), magic_at);
  header.byte_order = little ? ByteOrder::little : ByteOrder::big;

  auto number = parse_version(text);
  const Layout* layout = nullptr;
  if (number && number->major == 3)
    for (const auto& l : layouts)
      if (l.minor == number->minor) layout = &l;
  if (!layout)
    return failure(
        ErrorCode::unsupported_version,
        fmt::format("log format \"{}\" is not known: 3.00, 3.10, 3.20, 3.21 or 3.41 expected", header.version_text), 0);
  header.minor = layout->minor;
  header.size = layout->size;

  auto type = std::to_integer<unsigned>(file[compression_at]);
  if (type > 2)
    return failure(ErrorCode::unsupported_compression,
                   fmt::format("compression type {} is not known: 0 (zlib), 1 (bzip2) or 2 (none) expected", type),
                   compression_at);
  header.compression = static_cast<Compression>(type);
  if (file.size() < layout->size)
    return failure(ErrorCode::truncated,
                   fmt::format("{} bytes: shorter than its header of {} bytes", file.size(), layout->size),
                   file.size());

  bool swap = header.swapped();
  auto region = [&](std::size_t offset) {
    return Region{load<std::uint64_t>(at + offset, swap), load<std::uint64_t>(at + offset + 8, swap)};
  };
  std::uint64_t partial = layout->partial_bytes == 4 ? load<std::uint32_t>(at + layout->partial_at, swap)
                                                     : load<std::uint64_t>(at + layout->partial_at, swap);
  header.names = region(layout->names_at);
  for (int s = 0; s < layout->slots; ++s) {
    auto index = static_cast<std::size_t>(s);
    Slot slot{layout->id(s), region(layout->map_at + 16 * index),
              load<std::uint32_t>(at + layout->versions_at + 4 * index, swap), ((partial >> s) & 1) != 0};
    if (header.first_module_offset == 0) header.first_module_offset = slot.region.offset;
    if (slot.region.length > 0 || slot.partial) header.slots.push_back(slot);
  }
  std::uint64_t unswapped = layout->partial_bytes == 4 ? load<std::uint32_t>(at + layout->partial_at, false)
                                                       : load<std::uint64_t>(at + layout->partial_at, false);
  for (int s = 0; s < static_cast<int>(8 * layout->partial_bytes); ++s) {  // bits behind the last slot count, too
    Slot slot{.id = layout->id(s), .region = {}, .version = 0, .partial = ((unswapped >> s) & 1) != 0};
    if (auto index = static_cast<std::size_t>(s); s < layout->slots) {
      slot.region = region(layout->map_at + 16 * index);
      slot.version = load<std::uint32_t>(at + layout->versions_at + 4 * index, swap);
    }
    if (slot.region.length > 0 || slot.partial) header.upstream_slots.push_back(slot);
  }
  return header;
}

std::vector<std::byte> encode_header(const Header& header) {
  std::vector<std::byte> bytes(newest.size);
  std::byte* at = bytes.data();
  bool swap = header.swapped();
  auto region = [&](std::size_t offset, const Region& r) {
    store(at + offset, r.offset, swap);
    store(at + offset + 8, r.length, swap);
  };
  fmt::format_to(reinterpret_cast<char*>(at), "3.{:02}", newest.minor);
  store(at + magic_at, magic, swap);
  bytes[compression_at] = static_cast<std::byte>(header.compression);
  region(newest.names_at, header.names);
  std::uint64_t partial = 0;
  for (const Slot& slot : header.slots) {
    auto index = static_cast<std::size_t>(slot.id);  // slots are module ids in this format
    region(newest.map_at + 16 * index, slot.region);
    store(at + newest.versions_at + 4 * index, slot.version, swap);
    partial |= std::uint64_t{slot.partial} << index;
  }
  store(at + newest.partial_at, partial, swap);
  return bytes;
}

}  // namespace darrow

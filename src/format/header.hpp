/// The header of a log: format version, byte order, compression, and where each region lies.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "darrow/job.hpp"
#include "darrow/result.hpp"

namespace darrow {

/// Whether numbers in that order must be swapped on this machine.
bool swapped(ByteOrder order);

/// A region of the file, as the header tells: compressed bytes.
struct Region {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// An entry of the module map that has data or a partial flag.
struct Slot {
  int id = 0;  ///< module id of format 3.41, whatever the format
  Region region;
  std::uint32_t version = 0;
  bool partial = false;
};

struct Header {
  std::string version_text;  ///< as stored, e.g. "3.41"
  int minor = 0;             ///< 0, 10, 20, 21 or 41
  ByteOrder byte_order = ByteOrder::little;
  Compression compression = Compression::zlib;
  std::uint64_t size = 0;  ///< 360 or 1328 bytes
  Region names;
  std::vector<Slot> slots;                ///< ascending id
  std::vector<Slot> upstream_slots;       ///< as darshan-util takes them: it never swaps the partial flags
  std::uint64_t first_module_offset = 0;  ///< offset of the first slot that has one, else 0

  /// Whether numbers must be swapped on this machine.
  bool swapped() const { return darrow::swapped(byte_order); }
  /// Job times have nanoseconds (3.41).
  bool nanoseconds() const { return minor >= 41; }
  /// Names carry their length instead of a terminator (3.00).
  bool counted_names() const { return minor == 0; }
};

/// Errors: not_a_log, truncated, unfinished, unsupported_version, unsupported_compression.
Result<Header> parse_header(std::span<const std::byte> file);

/// The header of a log of format 3.41: byte order, compression, names and slots of `header`; what else it tells is left alone.
/// REQUIRES: ids of 0 to 63, each once.
std::vector<std::byte> encode_header(const Header& header);

}  // namespace darrow

/// The name table of a log.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace darrow {

/// Which files a log has names for, and where they lie; their names themselves may not be in memory.
class NamePlaces {
 public:
  virtual ~NamePlaces() = default;
  virtual std::int64_t size() const = 0;
  /// Positions of ids, −1 for those without a name.
  virtual std::vector<std::int64_t> find_all(std::span<const std::uint64_t> ids) const = 0;
  /// Position in Log::mounts() of the file system a name lies on (longest path, whole components), or −1.
  virtual std::int32_t mount(std::int64_t i) const = 0;
  /// Whether it is the name of a standard stream, "<STDIN>", "<STDOUT>" or "<STDERR>", and not of a file.
  virtual bool is_stream(std::int64_t i) const = 0;
};

class Names : public NamePlaces {
 public:
  /// By position. REQUIRES: 0 <= i < size().
  virtual std::uint64_t id(std::int64_t i) const = 0;
  /// Bytes as stored, maybe not UTF-8. REQUIRES: 0 <= i < size().
  virtual std::string_view name(std::int64_t i) const = 0;
  /// Position of an id, or −1.
  virtual std::int64_t find(std::uint64_t id) const = 0;
};

}  // namespace darrow

/// Where the files of records lie.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/id_index.hpp"
#include "darrow/log.hpp"

namespace darrow {

/// Gives each record the group of its file's mount.
class MountGroups {
 public:
  struct Mounted {
    std::optional<std::string> path, fs_type;
    auto operator<=>(const Mounted&) const = default;
  };
  MountGroups(const Log& log, std::shared_ptr<const NamePlaces> names);

  /// The group of each row of a table; modules with uuids (DFS) go by those that an id came with first. `numbers`: of the
  /// rows' names.
  std::vector<std::uint32_t> of(const Table& records, std::span<const std::int64_t> numbers);
  /// What each group stands for.
  const std::vector<Mounted>& mounts() const { return mounts_; }

 private:
  std::uint32_t group(const Mounted& mounted);
  std::uint32_t group_of_name(std::int64_t position);

  const Log& log_;
  std::shared_ptr<const NamePlaces> names_;
  std::map<Mounted, std::uint32_t> groups_;
  std::vector<Mounted> mounts_;
  IdIndex placed_;                            ///< ids with uuids
  std::vector<std::uint32_t> group_of_id_;    ///< of each of them
  std::vector<std::int64_t> group_of_mount_;  ///< by position in Log::mounts(), −1: none yet
};

}  // namespace darrow

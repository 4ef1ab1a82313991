#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "log/state.hpp"

namespace darrow {
namespace {

/// Whether `mount` characters of the path are whole components, so that /home does not claim /homework.
bool ends_component(std::string_view path, std::size_t mount) {
  return path.size() == mount || path[mount] == '/' || (mount > 0 && path[mount - 1] == '/');
}

}  // namespace

MountedNames::MountedNames(NameTable table, std::span<const Mount> mounts) : table_(std::move(table)) {
  // Mounts by the length of their path, longest first; of equal paths the first.
  std::map<std::size_t, std::vector<std::int32_t>, std::greater<>> by_length;
  for (std::size_t m = 0; m < mounts.size(); ++m)
    by_length[mounts[m].path.size()].push_back(static_cast<std::int32_t>(m));
  auto mount_of = [&](std::string_view path) -> std::int32_t {
    for (const auto& [length, candidates] : by_length) {
      if (length > path.size() || !ends_component(path, length)) continue;
      for (auto m : candidates)
        if (path.starts_with(mounts[static_cast<std::size_t>(m)].path)) return m;
    }
    return -1;
  };
  mounts_.reserve(static_cast<std::size_t>(table_.size()));
  for (std::int64_t i = 0; i < table_.size(); ++i) mounts_.push_back(mount_of(table_.name(i)));
}

}  // namespace darrow

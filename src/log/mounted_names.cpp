#include <algorithm>
#include <numeric>

#include "log/state.hpp"

namespace darrow {
namespace {

/// Whether the path lies on the mount: whole components only, so /home does not claim /homework.
bool lies_on(std::string_view path, std::string_view mount) {
  return path.starts_with(mount) && (path.size() == mount.size() || mount.ends_with('/') || path[mount.size()] == '/');
}

}  // namespace

MountedNames::MountedNames(NameTable table, std::span<const Mount> mounts) : table_(std::move(table)) {
  std::vector<std::int32_t> longest(mounts.size());
  std::iota(longest.begin(), longest.end(), 0);
  auto length = [&](std::int32_t m) { return mounts[static_cast<std::size_t>(m)].path.size(); };
  std::stable_sort(longest.begin(), longest.end(), [&](auto a, auto b) { return length(a) > length(b); });
  mounts_.reserve(static_cast<std::size_t>(table_.size()));
  for (std::int64_t i = 0; i < table_.size(); ++i) {
    auto on = std::find_if(longest.begin(), longest.end(),
                           [&](auto m) { return lies_on(table_.name(i), mounts[static_cast<std::size_t>(m)].path); });
    mounts_.push_back(on == longest.end() ? -1 : *on);
  }
}

}  // namespace darrow

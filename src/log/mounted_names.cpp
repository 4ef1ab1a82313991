#include <algorithm>
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
  // The longest path counts, of equal ones the first.
  std::vector<std::int32_t> longest_first;
  for (std::size_t m = 0; m < mounts.size(); ++m) longest_first.push_back(static_cast<std::int32_t>(m));
  auto path_of = [&](std::int32_t m) -> std::string_view { return mounts[static_cast<std::size_t>(m)].path; };
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](auto a, auto b) { return path_of(a).size() > path_of(b).size(); });
  auto mount_of = [&](std::string_view path) -> std::int32_t {
    for (auto m : longest_first) {
      auto mount = path_of(m);
      if (mount.size() <= path.size() && ends_component(path, mount.size()) && path.starts_with(mount)) return m;
    }
    return -1;
  };
  mounts_.reserve(static_cast<std::size_t>(table_.size()));
  for (std::int64_t i = 0; i < table_.size(); ++i) mounts_.push_back(mount_of(table_.name(i)));
}

}  // namespace darrow

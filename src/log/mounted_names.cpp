#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "log/state.hpp"

namespace darrow {
namespace {

/// Whether `mount` characters of the path are whole components, so that /home does not claim /homework.
bool ends_component(std::string_view path, std::size_t mount) {
  return path.size() == mount || path[mount] == '/' || (mount > 0 && path[mount - 1] == '/');
}

}  // namespace

MountedNames::MountedNames(NameTable table, std::span<const Mount> mounts) : table_(std::move(table)) {
  // Mounts by path (the first of equal ones) and their lengths, longest first: a look-up for each length.
  std::unordered_map<std::string_view, std::int32_t> by_path;
  std::set<std::size_t, std::greater<>> lengths;
  for (std::size_t m = 0; m < mounts.size(); ++m) {
    by_path.try_emplace(mounts[m].path, static_cast<std::int32_t>(m));
    lengths.insert(mounts[m].path.size());
  }
  auto mount_of = [&](std::string_view path) -> std::int32_t {
    for (auto length : lengths) {
      if (length > path.size() || !ends_component(path, length)) continue;
      if (auto at = by_path.find(path.substr(0, length)); at != by_path.end()) return at->second;
    }
    return -1;
  };
  mounts_.reserve(static_cast<std::size_t>(table_.size()));
  for (std::int64_t i = 0; i < table_.size(); ++i) mounts_.push_back(mount_of(table_.name(i)));
}

}  // namespace darrow

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/utf8.hpp"
#include "log/state.hpp"

namespace darrow {
namespace {

/// Whether `mount` characters of the path are whole components, so that /home does not claim /homework.
bool ends_component(std::string_view path, std::size_t mount) {
  return path.size() == mount || path[mount] == '/' || (mount > 0 && path[mount - 1] == '/');
}

/// Standard streams have names, but no place.
bool is_stream_name(std::string_view name) { return name.starts_with("<STD") && name.ends_with('>'); }

/// Finds the mount of a path: the longest one counts, of equal ones the first.
class MountFinder {
 public:
  explicit MountFinder(std::span<const Mount> mounts) : mounts_(mounts) {
    for (std::size_t m = 0; m < mounts.size(); ++m) longest_first_.push_back(static_cast<std::int32_t>(m));
    std::stable_sort(longest_first_.begin(), longest_first_.end(),
                     [this](auto a, auto b) { return path_of(a).size() > path_of(b).size(); });
  }
  std::int32_t of(std::string_view path) const {
    for (auto m : longest_first_) {
      auto mount = path_of(m);
      if (mount.size() <= path.size() && ends_component(path, mount.size()) && path.starts_with(mount)) return m;
    }
    return -1;
  }

 private:
  std::string_view path_of(std::int32_t m) const { return mounts_[static_cast<std::size_t>(m)].path; }
  std::span<const Mount> mounts_;
  std::vector<std::int32_t> longest_first_;
};

}  // namespace

MountedNames::MountedNames(NameTable table, std::span<const Mount> mounts) : table_(std::move(table)) {
  const MountFinder finder(mounts);
  mounts_.reserve(static_cast<std::size_t>(table_.size()));
  for (std::int64_t i = 0; i < table_.size(); ++i) mounts_.push_back(finder.of(table_.name(i)));
}

bool MountedNames::is_stream(std::int64_t i) const { return is_stream_name(name(i)); }

std::shared_ptr<const PlacesOnly> PlacesOnly::of(RegionStream& region, const Header& header,
                                                 std::span<const Mount> mounts, ProblemSink& problems) {
  const MountFinder finder(mounts);
  auto places = std::make_shared<PlacesOnly>();
  bool unique = true;
  std::int64_t not_utf8 = 0;
  each_name(region, header, problems, [&](const NameEntry& entry) {
    if (unique) unique = places->index_.insert(entry.id).second;
    if (!unique) return;
    const auto mount = finder.of(entry.name);
    places->mounts_.push_back(mount < 0 && is_stream_name(entry.name) ? stream : mount);
    not_utf8 += !is_utf8(entry.name);
  });
  if (!unique) return {};
  report_not_utf8(not_utf8, problems);
  return places;
}

}  // namespace darrow

#include "aggregate/mount_groups.hpp"

#include "darrow/summary.hpp"

namespace darrow {
MountGroups::MountGroups(const Log& log, std::shared_ptr<const NamePlaces> names)
    : log_(log), names_(std::move(names)), group_of_mount_(log.mounts().size(), -1) {}

std::uint32_t MountGroups::group(const Mounted& mounted) {
  auto [at, is_new] = groups_.try_emplace(mounted, static_cast<std::uint32_t>(mounts_.size()));
  if (is_new) mounts_.push_back(mounted);
  return at->second;
}

std::uint32_t MountGroups::group_of_name(std::int64_t position) {
  if (position >= 0) {
    auto mount = names_->mount(position);
    if (mount < 0 && names_->is_stream(position)) return group({std::string(stream_mount), {}});
    if (mount >= 0) {
      auto& known = group_of_mount_[static_cast<std::size_t>(mount)];
      if (known < 0) {
        const Mount& m = log_.mounts()[static_cast<std::size_t>(mount)];
        known = group({m.path, m.fs_type});
      }
      return static_cast<std::uint32_t>(known);
    }
  }
  return group({});
}

std::vector<std::uint32_t> MountGroups::of(const Table& records, std::span<const std::int64_t> numbers) {
  std::vector<const Column*> uuids;
  for (const auto& c : records.columns)
    if (c.field && c.field->type == Type::uuid) uuids.push_back(&c);
  std::vector<std::uint32_t> groups;
  groups.reserve(static_cast<std::size_t>(records.rows));
  if (uuids.empty()) {
    for (auto number : numbers) groups.push_back(group_of_name(number));
    return groups;
  }
  auto ids = records.find("id")->values<std::uint64_t>();
  for (std::int64_t r = 0; r < records.rows; ++r) {
    auto [position, is_new] = placed_.insert(ids[static_cast<std::size_t>(r)]);
    if (is_new) {
      std::string place;
      for (const Column* c : uuids) place.append(place.empty() ? "" : ":").append(c->text(r));
      group_of_id_.push_back(group({std::move(place), "daos"}));
    }
    groups.push_back(group_of_id_[static_cast<std::size_t>(position)]);
  }
  return groups;
}

}  // namespace darrow

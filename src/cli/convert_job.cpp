#include "cli/convert_job.hpp"

#include <algorithm>
#include <array>

#include "darrow/name_hash.hpp"

namespace darrow::cli {
namespace {

/// Of a number's eight bytes, in the order of little-endian machines.
std::int64_t obfuscated_number(std::int64_t number, std::uint32_t key) {
  std::array<char, 8> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(static_cast<std::uint64_t>(number) >> 8 * i);
  return obfuscated({bytes.data(), bytes.size()}, key);
}

void set_metadata(Job& job, const std::string& key, const std::string& value) {
  auto there = std::find_if(job.metadata.begin(), job.metadata.end(), [&](auto& m) { return m.first == key; });
  if (there == job.metadata.end()) job.metadata.emplace_back(key, value);
  else there->second = value;
}

}  // namespace

Job changed(Job job, const JobChanges& changes) {
  if (changes.reset_metadata) job.metadata.clear();
  if (changes.obfuscate_jobid && job.jobid != 0) job.jobid = obfuscated_number(job.jobid, changes.key);
  if (changes.obfuscate_uid) job.uid = obfuscated_number(job.uid, changes.key);
  if (changes.obfuscate_exe) job.exe = std::to_string(obfuscated(job.exe, changes.key));
  for (auto& [key, value] : changes.metadata) set_metadata(job, key, value);
  return job;
}

std::string obfuscated_name(std::string_view name, const Mount* mount, std::uint32_t key) {
  for (std::string_view start : {"<STDIN>", "<STDOUT>", "<STDERR>", "heatmap:"})
    if (name.starts_with(start)) return std::string(name);
  auto hash = std::to_string(obfuscated(name, key));
  return mount ? mount->path + "/" + hash : hash;
}

bool fits(const Job& job, const std::vector<Mount>& mounts) {
  constexpr std::size_t most = 4096 - 1080;  // of a job record, behind its numbers and the metadata
  std::size_t bytes = job.exe.size() + 1;    // a NUL ends it
  for (auto& mount : mounts) bytes += mount.fs_type.size() + mount.path.size() + 2;
  return bytes <= most;
}

std::size_t drop_mounts(const Job& job, std::vector<Mount>& mounts, const std::vector<bool>& used) {
  std::size_t before = mounts.size();
  for (std::size_t i = before; i-- > 0 && !fits(job, mounts);)
    if (!used[i]) mounts.erase(mounts.begin() + static_cast<std::ptrdiff_t>(i));
  return before - mounts.size();
}

}  // namespace darrow::cli

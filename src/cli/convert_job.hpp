/// What `darrow convert` makes of job, names and mounts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "darrow/job.hpp"

namespace darrow::cli {

struct JobChanges {
  bool reset_metadata = false;
  bool obfuscate_jobid = false, obfuscate_uid = false, obfuscate_exe = false;  ///< put hashes in their places
  std::uint32_t key = 0;                                                       ///< of all hashes
  std::vector<std::pair<std::string, std::string>> metadata;  ///< to be added, or put in the place of what is there
};
Job changed(Job job, const JobChanges& changes);

/// A hash in the place of a name, behind the path of the mount on which it lies (null: none); names of no files stay.
std::string obfuscated_name(std::string_view name, const Mount* mount, std::uint32_t key);

/// Whether the command line and the mounts fit into a job record.
bool fits(const Job& job, const std::vector<Mount>& mounts);
/// Takes out mounts that are not `used` until the rest fits, from the end of the list. Returns how many.
std::size_t drop_mounts(const Job& job, std::vector<Mount>& mounts, const std::vector<bool>& used);

}  // namespace darrow::cli

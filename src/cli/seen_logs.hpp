/// Logs that were read, by what they hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/group_summary.hpp"

namespace darrow::cli {

/// Remembers millions of logs: in flat tables, as memory for single ones would come to lie between that of their records.
class SeenLogs {
 public:
  /// The path of the log that came first with the same content; nothing if none did, then this one is it.
  std::optional<std::string_view> add(const LogIdentity& identity, std::string_view path);

 private:
  std::string_view path(std::size_t log) const;
  void grow();
  std::vector<LogIdentity> logs_;
  std::vector<std::uint64_t> ends_;  ///< of each log's path in `paths_`
  std::string paths_;
  std::vector<std::uint32_t> slots_;  ///< position in `logs_`, and 1; 0: free
};

}  // namespace darrow::cli

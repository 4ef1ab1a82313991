/// Which part of a log `darrow convert` takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/name_filter.hpp"
#include "darrow/log.hpp"
#include "darrow/write.hpp"

namespace darrow::cli {

struct RankRange {
  std::int64_t first, last;  ///< inclusive
};

/// Records that meet all conditions; those that are empty are met by all.
struct RecordChoice {
  std::vector<std::string> modules;  ///< as logs call them
  std::vector<std::uint64_t> ids;
  std::vector<RankRange> ranks;
  NameFilter names;

  bool by_id() const { return !ids.empty() || !names.empty(); }
  /// Whether it takes single records out of modules.
  bool by_record() const { return by_id() || !ranks.empty(); }
  bool everything() const { return modules.empty() && !by_record(); }
};

/// What a log has of a choice.
struct ChosenPart {
  struct Records {
    const ModuleInfo* module;
    RecordSelection which;
  };
  std::vector<Records> modules;     ///< those of which something was chosen
  std::vector<std::int64_t> names;  ///< positions in the name table
  std::vector<Error> unmet;         ///< what was asked for in vain
};

/// Names follow the conditions too; those on ranks and modules are met by the names of records that are taken.
/// Errors: not_found (none of the modules asked for is there); those of Log::names() and Log::scan().
Result<ChosenPart> choose(const Log& log, const RecordChoice& choice);

}  // namespace darrow::cli

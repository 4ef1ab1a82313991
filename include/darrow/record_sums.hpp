/// The records of one module in many logs as one, or as one for each group.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "darrow/aggregate.hpp"
#include "darrow/grouping.hpp"
#include "darrow/log.hpp"
#include "darrow/result.hpp"

namespace darrow {

/// Adds up the records of logs, one log after the other. Memory: what one log takes, and the groups.
///
/// Files of several jobs with the same id and name are one group where files are a key. Sums do not depend on how logs are divided
/// among several RecordSums that are merged in the order of the logs.
class RecordSums {
 public:
  /// `keys`, `patterns`: as of a Grouping; none: all records are of one group.
  /// Errors: invalid_argument (no module of that name, one whose records do not combine, two keys that tell the same column).
  static Result<RecordSums> create(std::string_view module, std::vector<GroupKey> keys = {},
                                   std::vector<NamedPattern> patterns = {});
  RecordSums(RecordSums&&) noexcept;
  RecordSums& operator=(RecordSums&&) noexcept;
  ~RecordSums();

  /// Adds the records of a log, those that `rows` leaves (its columns do not matter). Returns how many; 0 if the log does not have
  /// the module. Errors: those of Log::scan(), and invalid_argument for too many groups; then nothing of it was added.
  Result<std::int64_t> add(const Log& log, const TableOptions& rows = {});
  /// Adds another one of the same module and keys, whose logs come later. Error: invalid_argument for too many groups.
  Result<std::int64_t> merge(const RecordSums& other);

  /// Groups in the order of their first record.
  Aggregate result() const;

  struct State;  ///< internal

 private:
  explicit RecordSums(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

}  // namespace darrow

/// The table of one module, batch by batch.
#pragma once

#include <optional>

#include "log/name_columns.hpp"
#include "log/record_reader.hpp"

namespace darrow {

/// Hands out the table of a module in batches that are not empty, or else one that is.
class ModuleReader {
 public:
  /// `selection`: of these options, as State::selection_of() has it. `read`: false gives the columns without rows and touches nothing. The
  /// state and the info have to outlive the reader.
  ModuleReader(Log::State& state, const ModuleInfo& info, TableOptions options, Selection selection, Slice batch,
               bool read = true);
  ModuleReader(const ModuleReader&) = delete;
  ModuleReader& operator=(const ModuleReader&) = delete;

  /// The next batch; none once there are no more: then the log knows the problems. Errors: strict: corrupt.
  Result<std::optional<Table>> next();
  /// Rows so far.
  std::int64_t rows() const { return rows_; }
  /// Records so far, or those of the filter.
  std::int64_t records() const { return reader_.records(); }
  /// Bytes of the inflated region; of a large one as many as were read.
  std::uint64_t region_bytes() const { return reader_.inflated(); }

 private:
  /// The batch of the next records.
  Result<Table> read_batch();
  Table hand_out(Table table);
  /// Reads the names, if a column needs them. Not earlier than the first batch: a region that is read in one piece is gone by then.
  std::optional<Error> begin_names(const Records& records);

  Log::State& state_;
  TableOptions options_;
  Selection selection_;
  Slice batch_;
  bool read_, wants_names_, is_finished_ = false, handed_out_ = false;
  RecordReader reader_;
  std::shared_ptr<const MountedNames> names_of_log_;
  std::optional<NameColumns> names_of_rows_;
  std::int64_t rows_ = 0;
};

}  // namespace darrow

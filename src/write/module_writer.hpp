/// The region of one module while records are added to it.
#pragma once

#include <optional>

#include "base/growing_bytes.hpp"
#include "base/id_index.hpp"
#include "base/problem_counts.hpp"
#include "codec/encode.hpp"
#include "log/value_checks.hpp"
#include "write/release.hpp"

namespace darrow {

class ModuleWriter {
 public:
  /// `version`: the one asked for, or 0. `expend`: leave out what it has no place for, if the table calls it expendable.
  ModuleWriter(const Module& module, int version, bool expend, std::optional<Release> target, bool swap,
               const Job& job);

  /// Appends records in the form of tables.
  std::optional<Error> add(Records records);
  std::optional<Error> add_header(const Records& header);
  /// Nothing more comes: the region.
  Result<Buffer> finish();

  int version() const { return version_ ? version_ : empty_version_; }
  std::int64_t records() const { return records_; }
  bool has_header() const { return has_header_; }
  /// Ids of the records so far.
  const IdIndex& ids() const { return ids_; }
  /// What is odd about the records.
  void report(ProblemSink& sink) const;

 private:
  /// Decides the version, with the first records.
  std::optional<Error> choose_version(const Records& records);

  const Module& module_;
  int version_;            ///< 0: not known yet
  int empty_version_ = 0;  ///< if no record comes
  std::optional<Release> target_;
  bool swap_, has_header_ = false;
  std::int64_t records_ = 0;
  std::size_t header_bytes_ = 0;
  std::optional<Encoder> encoder_;
  GrowingBytes region_;
  IdIndex ids_;
  ValueChecks checks_;
  ProblemCounts counts_;
};

}  // namespace darrow

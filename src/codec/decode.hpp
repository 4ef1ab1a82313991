/// Generic decoding: an inflated module region becomes columns, slice by slice. Knows no module, only tables.
#pragma once

#include <optional>
#include <vector>

#include "base/memory.hpp"
#include "base/problem_sink.hpp"
#include "codec/defaults.hpp"
#include "codec/selection.hpp"
#include "codec/walk.hpp"
#include "format/region_stream.hpp"
#include "table/records.hpp"

namespace darrow {

/// Decodes the whole records of a region, in the stored layout of `version`, every field under its own name.
///
/// Ids, ranks, hidden fields, counts and fields of old versions are always decoded, others if selected. Fields that the version
/// lacks get their default value. Counts are checked against the bytes that are there before anything is allocated.
/// Problems: record_fragment, record_malformed, header_record_missing, each once, when it is reached.
class Decoder {
 public:
  /// Reads `region` from its begin. REQUIRES: module.has_version(version). All that is handed over by reference has to outlive
  /// the decoder.
  Decoder(const Module& module, int version, bool swap, RegionStream& region, const Selection& selection,
          const RowFilter& filter, ProblemSink& problems);
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// The record that opens the region (APMPI, APXC): 0 or 1 rows.
  const Records& header() const { return header_; }
  /// The next records, as many as the slice takes. They are copied: memory of the region is given back.
  /// REQUIRES: slices are split only of modules whose rows are segments, then all of them; a filter of times needs it.
  Records next(Slice most = {});
  /// Whether all records were decoded.
  bool done() const { return walker_->done(); }
  /// How many columns are made of the stored bytes.
  std::size_t columns() const;

 private:
  /// Goes behind the header record, if there is one.
  void decode_header(ProblemSink& problems);
  std::optional<TimedElements> timed(const RowFilter& filter) const;
  Elements decode_elements(const Walk& walk, std::size_t k);

  const Module& module_;
  int version_;
  bool swap_;
  bool as_stored_;  ///< texts keep bytes that are not UTF-8
  RegionStream& region_;
  std::vector<PlacedField> fields_;
  std::size_t text_bytes_ = 0;  ///< width of the last field, if it is text whose width varies
  std::vector<PlacedRepeat> repeats_;
  std::vector<std::vector<PlacedField>> element_fields_;  ///< per repeat; empty if no list is wanted
  Records header_;
  Defaults defaults_;
  std::shared_ptr<Block> spare_;  ///< of the numbers of the last batch
  std::optional<Walker> walker_;
};

/// Marks as null, by the rules of the table, what means "not recorded". Runs after the fix-ups.
void mark_nulls(Records& records);

}  // namespace darrow

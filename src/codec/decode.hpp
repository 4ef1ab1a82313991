/// Generic decoding: an inflated module region becomes columns. Knows no module, only tables.
#pragma once

#include "base/problem_sink.hpp"
#include "codec/selection.hpp"
#include "table/records.hpp"

namespace darrow {

struct Decoded {
  Records records;
  Records header;  ///< the record that opens the region (APMPI, APXC): 0 or 1 rows
};

/// Decodes all whole records of `region`, in the stored layout of `version`, every field under its own name.
///
/// Ids, ranks, hidden fields, counts and fields of old versions are always decoded, others if selected. Fields that the version
/// lacks get their default value. Counts are checked against the bytes that are there before anything is allocated.
/// Problems: record_fragment, record_malformed, header_record_missing.
/// REQUIRES: module.has_version(version).
Decoded decode(const Module& module, int version, bool swap, std::span<const std::byte> region,
               const Selection& selection, const RowFilter& filter, ProblemSink& problems);

/// Marks as null, by the rules of the table, what means "not recorded". Runs after the fix-ups.
void mark_nulls(Records& records);

}  // namespace darrow

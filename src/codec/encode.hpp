/// Generic encoding: columns become the packed records of a module region. The reverse of decode.hpp, from the same tables.
#pragma once

#include <optional>
#include <string>

#include "base/growing_bytes.hpp"
#include "codec/defaults.hpp"
#include "codec/layout.hpp"
#include "darrow/result.hpp"
#include "table/records.hpp"

namespace darrow {

/// Encodes records in the stored layout of one version.
///
/// Fields are taken from the columns of their names; what the version does not store must be as absent, or nothing is written.
class Encoder {
 public:
  /// REQUIRES: module.has_version(version). `expend`: leave out fields that the table calls expendable.
  Encoder(const Module& module, int version, bool swap, bool expend = false);

  /// Appends records in stored form: their counts tell how many elements follow each.
  /// Errors (invalid_argument): values that the version cannot hold, counts that contradict the lists, text that is too long.
  std::optional<Error> add(const Records& records, GrowingBytes& out);
  /// Appends the record that opens the region.
  std::optional<Error> add_header(const Records& header, GrowingBytes& out);
  /// Error: records whose width cannot be told from the size of their region.
  std::optional<Error> check_size(std::size_t bytes) const;
  /// Values of expendable fields that were left out so far.
  std::int64_t expended() const { return expended_; }

 private:
  std::optional<Error> check_absent(const std::vector<Column>& columns, std::span<const Field> fields);
  std::optional<Error> check_nulls(const std::vector<Column>& columns) const;
  std::optional<Error> check_counts(const Records& records) const;
  std::size_t last_text_bytes(const Records& records) const;
  template <typename Store, typename At>
  std::optional<Error> store_fields(std::span<const PlacedField> fields, const std::vector<Column>& columns,
                                    std::size_t rows, Store store_numbers, At record_at);
  std::optional<Error> store_elements(const Elements& elements, std::size_t element_bytes,
                                      const std::vector<std::size_t>& begins, std::byte* region);

  const Module& module_;
  int version_;
  bool swap_, expend_;
  bool has_gaps_;  ///< bytes of records that no number fills
  std::int64_t expended_ = 0;
  std::size_t text_bytes_ =
      0;  ///< width of the last field, if it is text whose width varies; told by the first records
  Defaults defaults_;
};

/// The newest version in which nothing of these records is lost: what was never recorded and cannot be stored as −1 wants a
/// version that lacks it (thread ids of traces).
int natural_version(const Records& records);

}  // namespace darrow

/// Finds the records of a region, slice by slice: where each starts and how many elements follow it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/problem_sink.hpp"
#include "codec/layout.hpp"
#include "codec/selection.hpp"

namespace darrow {

/// A list of elements behind the records, in the layout of one version.
struct PlacedRepeat {
  const Repeat* repeat;
  std::size_t element_bytes;
  std::vector<std::size_t> count_offsets;  ///< of the int64 fields of the fixed part whose sum is the count
};

/// Records that follow one another, those of the filter only.
struct Walk {
  std::size_t begin = 0;  ///< where the first record starts, if all have one size
  std::size_t rows = 0;
  std::size_t stride = 0;                           ///< bytes from record to record; 0: see `starts`
  std::vector<std::uint64_t> starts;                ///< of each record, where sizes vary
  std::vector<std::vector<std::int64_t>> elements;  ///< per repeat: rows + 1 offsets into its elements
  std::size_t fixed_bytes = 0;
};

/// The lists that version `v` stores behind its records.
std::vector<PlacedRepeat> place_repeats(const Module& module, int v);

/// Most that one slice takes; it takes one record at least.
struct Slice {
  std::size_t rows = SIZE_MAX;
  std::size_t bytes = SIZE_MAX;  ///< stored bytes: the record that reaches this is the last one
};

class Walker {
 public:
  /// Walks the records of `region` from `begin` on. All that is handed over by reference has to outlive the walker.
  Walker(std::span<const std::byte> region, std::size_t begin, std::size_t fixed_bytes,
         std::span<const PlacedRepeat> repeats, bool swap, const RowFilter& filter, ProblemSink& problems);
  /// The next records. The walk ends at the first record that cannot be true.
  Walk next(Slice most);
  /// Whether all records were handed out.
  bool done() const { return done_; }
  /// Bytes of the region that are behind it.
  std::size_t position() const { return at_; }

 private:
  /// Bytes of the record at `at_`, or 0 if it cannot be true: then that is reported. Fills `counts_`.
  std::size_t measure();
  /// Ends the walk if no whole record follows; reports what is left over.
  void end_at_fragment();
  /// Records of one size, none of which has to be looked at.
  void take_all(Walk& walk, Slice most);
  /// The record at `at_`, if the filter has it.
  void take_one(Walk& walk, std::size_t size);

  std::span<const std::byte> region_;
  std::size_t at_, fixed_bytes_;
  std::span<const PlacedRepeat> repeats_;
  bool swap_;
  const RowFilter& filter_;
  ProblemSink& problems_;
  std::size_t walked_ = 0;             ///< records, left out ones included
  std::vector<std::uint64_t> counts_;  ///< per repeat: elements of one record
  bool done_ = false;
};

}  // namespace darrow

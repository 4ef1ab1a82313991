/// Finds the records of a region, slice by slice: where each starts and how many elements follow it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/problem_sink.hpp"
#include "codec/layout.hpp"
#include "codec/selection.hpp"
#include "format/region_stream.hpp"
#include "table/records.hpp"

namespace darrow {

/// A list of elements behind the records, in the layout of one version.
struct PlacedRepeat {
  const Repeat* repeat;
  std::size_t element_bytes;
  std::vector<std::size_t> count_offsets;  ///< of the int64 fields of the fixed part whose sum is the count
};

/// Elements of one record that follow one another, and where the first of them lies.
struct PlacedRun {
  ElementRun run;
  std::size_t at;
};

/// Records that follow one another, those of the filter only. Places are bytes from `bytes` on.
struct Walk {
  const std::byte* bytes = nullptr;  ///< of the region; stays as it is until the next slice
  std::size_t begin = 0;             ///< where the first record starts, if all have one size
  std::size_t rows = 0;
  std::size_t stride = 0;             ///< bytes from record to record; 0: see `starts`
  std::vector<std::uint64_t> starts;  ///< of each record, where sizes vary
  bool has_heads = false;             ///< the fixed parts were copied, one behind the other, to `heads`
  std::vector<std::byte> heads;
  bool continued = false;                           ///< the first row is a record that the slice before began
  std::vector<std::vector<std::int64_t>> elements;  ///< per repeat: rows + 1 offsets into its elements
  std::vector<std::vector<PlacedRun>> runs;         ///< per repeat, in order

  /// Where the fixed part of a row lies.
  const std::byte* record(std::size_t row) const {
    if (has_heads) return heads.data() + row * stride;
    return bytes + (stride ? begin + row * stride : starts[row]);
  }
};

/// The lists that version `v` stores behind its records.
std::vector<PlacedRepeat> place_repeats(const Module& module, int v);

/// Most that one slice takes; it takes one record at least. Of a region that is not in memory as a whole a slice may be smaller.
struct Slice {
  std::size_t rows = SIZE_MAX;
  std::size_t bytes = SIZE_MAX;  ///< stored bytes: the record that reaches this is the last one
  /// A record may come in several slices, some elements in each: then `rows` counts elements.
  bool split = false;

  bool all() const { return rows == SIZE_MAX && bytes == SIZE_MAX; }
};

/// Which elements are wanted by their times, and where these lie in an element.
struct TimedElements {
  TimeWindow window;
  std::size_t start = 0, end = 0;  ///< bytes from the begin of the element: of two doubles
};

class Walker {
 public:
  /// What is made of a record: all of it, or its fixed part without the lists.
  enum class Take : std::uint8_t { records, fixed_parts };

  /// Walks the records of `region` from where it stands. All that is handed over by reference has to outlive the walker.
  Walker(RegionStream& region, std::size_t fixed_bytes, std::span<const PlacedRepeat> repeats, bool swap,
         const RowFilter& filter, Take take, std::optional<TimedElements> timed, ProblemSink& problems);
  /// The next records. The walk ends at the first record that cannot be true.
  /// REQUIRES: either all slices are split, or none; `timed` needs them to be.
  Walk next(Slice most);
  /// Gives back what the last slice was made of.
  void release();
  /// Whether all records were handed out.
  bool done() const { return done_; }

 private:
  /// Bytes of a record, or why they cannot be.
  struct Claim {
    std::uint64_t bytes = 0;
    std::string wrong;
  };
  /// Brings `n` bytes from `at_` on into the window. Returns whether there are so many.
  bool have(std::size_t n);
  const std::byte* here() const { return window_.data() + at_; }
  /// What a record says of its size where `rest` bytes are left, its own included. Fills `counts_`.
  Claim claim_of(const std::byte* record, std::uint64_t rest);
  /// Bytes of the record at `at_`; 0 if it cannot be true, or cannot be judged before the slice was released.
  std::size_t measure();
  /// Ends the walk at the record at `at_`, which cannot be true.
  void end_at_malformed();
  /// Ends the walk if no whole record follows; reports what is left over.
  void end_at_fragment();
  /// Records of one size, none of which has to be looked at.
  void take_all(Walk& walk, Slice most);
  /// The record at `at_`, if the filter has it.
  void take_one(Walk& walk, std::size_t size);
  /// Fixed parts, with such elements as a split slice takes.
  void take_heads(Walk& walk, Slice most);
  /// The fixed part of the record at `at_`, if the filter has it.
  void begin_record(Walk& walk, std::size_t size);
  /// Some more elements of the record that was begun: those in memory, as many as the slice takes.
  void take_elements(Walk& walk, Slice most);
  /// Elements of the record that was begun which nobody wants.
  void pass_elements();
  void add_row(Walk& walk, std::span<const std::byte> head);
  void add_elements(Walk& walk, std::size_t k, std::uint64_t first, std::size_t count, std::size_t at);
  bool has_record(const std::byte* record) const;
  /// Bytes of the slice that count for its size.
  std::size_t used() const { return region_.is_whole() ? kept_bytes_ : at_; }

  RegionStream& region_;
  std::span<const std::byte> window_;  ///< from where the slice begins
  std::size_t at_ = 0;                 ///< in the window
  std::size_t fixed_bytes_;
  std::span<const PlacedRepeat> repeats_;
  bool swap_;
  const RowFilter& filter_;
  Take take_;
  std::optional<TimedElements> timed_;
  ProblemSink& problems_;
  std::size_t walked_ = 0;             ///< records, left out ones included
  std::vector<std::uint64_t> counts_;  ///< per repeat: elements of one record
  bool done_ = false;
  std::size_t kept_bytes_ = 0;  ///< of this slice, without what the filter left out
  // Of the record that take_heads() began:
  std::vector<std::byte> head_;  ///< its fixed part, for the slices that it goes on in
  std::uint64_t left_ = 0;       ///< bytes behind what was taken
  std::uint64_t element_ = 0;    ///< number of the next element
  bool is_wanted_ = false;
};

}  // namespace darrow

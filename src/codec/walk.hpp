/// Finds the records of a region: where each starts and how many elements follow it.
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

struct Walk {
  std::size_t begin = 0;  ///< of the first record in the region
  std::size_t rows = 0;
  std::size_t stride = 0;                           ///< bytes from record to record; 0: see `starts`
  std::vector<std::uint64_t> starts;                ///< of each record, where sizes vary
  std::vector<std::vector<std::int64_t>> elements;  ///< per repeat: rows + 1 offsets into its elements
  std::size_t fixed_bytes = 0;
};

/// The lists that version `v` stores behind its records.
std::vector<PlacedRepeat> place_repeats(const Module& module, int v);

/// Walks the records from `begin` on. Ends at the first record that cannot be true.
Walk walk(std::span<const std::byte> region, std::size_t begin, std::size_t fixed_bytes,
          std::span<const PlacedRepeat> repeats, bool swap, ProblemSink& problems);

/// Leaves only the records that the filter has.
void keep(Walk& walk, std::span<const std::byte> region, bool swap, const RowFilter& filter);

}  // namespace darrow

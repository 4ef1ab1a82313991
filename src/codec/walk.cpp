#include "codec/walk.hpp"

#include <fmt/format.h>

#include "base/byte_order.hpp"

namespace darrow {
namespace {

/// The number of elements of one list of a record, or why it cannot be true.
struct Count {
  std::uint64_t elements = 0;
  std::string wrong;
};

Count count_elements(const PlacedRepeat& placed, const std::byte* record, std::size_t rest, bool swap) {
  std::uint64_t most = rest / placed.element_bytes, sum = 0;
  for (std::size_t i = 0; i < placed.count_offsets.size(); ++i) {
    auto n = load<std::int64_t>(record + placed.count_offsets[i], swap);
    // The list behind the record can be longer than told, not shorter: a negative count is a lie either way.
    if (n < 0 || static_cast<std::uint64_t>(n) > most - sum)
      return {0, fmt::format("{} is {}, {} elements of {} bytes would fit", placed.repeat->counts[i], n, most - sum,
                             placed.element_bytes)};
    sum += static_cast<std::uint64_t>(n);
  }
  if (sum < placed.repeat->at_least) sum = placed.repeat->at_least;
  if (sum > most) return {0, fmt::format("{} bytes left for \"{}\"", rest, placed.repeat->name)};
  return {sum, {}};
}

void report_fragment(std::size_t at, std::size_t rest, std::size_t rows, std::size_t fixed_bytes,
                     ProblemSink& problems) {
  problems.at_inflated(
      ProblemKind::record_fragment, at,
      fmt::format("{} of {} bytes of a record left over; whole records before it: {}", rest, fixed_bytes, rows),
      static_cast<std::int64_t>(rest));
}

}  // namespace

std::vector<PlacedRepeat> place_repeats(const Module& module, int v) {
  auto fields = place(module.fields, v, module.current(), record_base_bytes);
  std::vector<PlacedRepeat> placed;
  for (const auto& repeat : module.repeats) {
    if (!repeat.in(v)) continue;
    PlacedRepeat p{&repeat, stored_bytes(repeat.fields, v), {}};
    for (auto count : repeat.counts)
      for (const auto& f : fields)
        if (f.field->name == count) p.count_offsets.push_back(*f.offset);
    placed.push_back(std::move(p));
  }
  return placed;
}

void keep(Walk& w, std::span<const std::byte> region, bool swap, const RowFilter& filter) {
  if (filter.all()) return;
  // Lists lie behind their record wherever it starts: places and counts are kept, offsets are made anew.
  Walk kept;
  kept.begin = w.begin;
  kept.fixed_bytes = w.fixed_bytes;
  kept.elements.assign(w.elements.size(), {0});
  for (std::size_t r = 0; r < w.rows; ++r) {
    std::uint64_t at = w.stride ? w.begin + r * w.stride : w.starts[r];
    const std::byte* record = region.data() + at;
    if (!filter.has(load<std::uint64_t>(record, swap), load<std::int64_t>(record + 8, swap))) continue;
    kept.starts.push_back(at);
    for (std::size_t k = 0; k < w.elements.size(); ++k)
      kept.elements[k].push_back(kept.elements[k].back() + w.elements[k][r + 1] - w.elements[k][r]);
  }
  kept.rows = kept.starts.size();
  w = std::move(kept);
}

Walk walk(std::span<const std::byte> region, std::size_t begin, std::size_t fixed_bytes,
          std::span<const PlacedRepeat> repeats, bool swap, ProblemSink& problems) {
  Walk w;
  w.begin = begin;
  w.fixed_bytes = fixed_bytes;
  if (repeats.empty()) {
    w.stride = fixed_bytes;
    w.rows = (region.size() - begin) / fixed_bytes;
    std::size_t rest = (region.size() - begin) % fixed_bytes;
    if (rest) report_fragment(region.size() - rest, rest, w.rows, fixed_bytes, problems);
    return w;
  }

  w.elements.assign(repeats.size(), {0});
  std::vector<std::uint64_t> counts(repeats.size());
  for (std::size_t at = begin; at < region.size();) {
    std::size_t rest = region.size() - at;
    if (rest < fixed_bytes) {
      report_fragment(at, rest, w.rows, fixed_bytes, problems);
      return w;
    }
    std::size_t end = at + fixed_bytes;
    for (std::size_t k = 0; k < repeats.size(); ++k) {
      Count count = count_elements(repeats[k], region.data() + at, region.size() - end, swap);
      if (!count.wrong.empty()) {
        problems.at_inflated(
            ProblemKind::record_malformed, at,
            fmt::format("record {}: {}; {} bytes from here on are not decoded", w.rows + 1, count.wrong, rest),
            static_cast<std::int64_t>(rest));
        return w;
      }
      counts[k] = count.elements;
      end += count.elements * repeats[k].element_bytes;
    }
    w.starts.push_back(at);
    for (std::size_t k = 0; k < repeats.size(); ++k)
      w.elements[k].push_back(w.elements[k].back() + static_cast<std::int64_t>(counts[k]));
    ++w.rows;
    at = end;
  }
  return w;
}

}  // namespace darrow

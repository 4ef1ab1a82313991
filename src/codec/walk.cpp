#include "codec/walk.hpp"

#include <fmt/format.h>

#include <algorithm>

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

Walker::Walker(std::span<const std::byte> region, std::size_t begin, std::size_t fixed_bytes,
               std::span<const PlacedRepeat> repeats, bool swap, const RowFilter& filter, ProblemSink& problems)
    : region_(region),
      at_(begin),
      fixed_bytes_(fixed_bytes),
      repeats_(repeats),
      swap_(swap),
      filter_(filter),
      problems_(problems),
      counts_(repeats.size()) {
  end_at_fragment();
}

void Walker::end_at_fragment() {
  std::size_t rest = region_.size() - at_;
  if (done_ || rest >= fixed_bytes_) return;
  done_ = true;
  if (rest)
    problems_.at_inflated(
        ProblemKind::record_fragment, at_,
        fmt::format("{} of {} bytes of a record left over; whole records before it: {}", rest, fixed_bytes_, walked_),
        static_cast<std::int64_t>(rest));
}

std::size_t Walker::measure() {
  std::size_t end = at_ + fixed_bytes_;
  for (std::size_t k = 0; k < repeats_.size(); ++k) {
    Count count = count_elements(repeats_[k], region_.data() + at_, region_.size() - end, swap_);
    if (!count.wrong.empty()) {
      std::size_t rest = region_.size() - at_;
      problems_.at_inflated(
          ProblemKind::record_malformed, at_,
          fmt::format("record {}: {}; {} bytes from here on are not decoded", walked_ + 1, count.wrong, rest),
          static_cast<std::int64_t>(rest));
      return 0;
    }
    counts_[k] = count.elements;
    end += count.elements * repeats_[k].element_bytes;
  }
  return end - at_;
}

void Walker::take_all(Walk& w, Slice most) {
  w.stride = fixed_bytes_;
  std::size_t fit = std::max<std::size_t>(most.bytes / fixed_bytes_, 1);
  w.rows = std::min({(region_.size() - at_) / fixed_bytes_, most.rows, fit});
  at_ += w.rows * fixed_bytes_;
  walked_ += w.rows;
  end_at_fragment();
}

void Walker::take_one(Walk& w, std::size_t size) {
  const std::byte* record = region_.data() + at_;
  if (filter_.has(load<std::uint64_t>(record, swap_), load<std::int64_t>(record + 8, swap_))) {
    w.starts.push_back(at_);
    // Lists lie behind their record wherever it starts: offsets count the elements of this slice only.
    for (std::size_t k = 0; k < repeats_.size(); ++k)
      w.elements[k].push_back(w.elements[k].back() + static_cast<std::int64_t>(counts_[k]));
    ++w.rows;
  }
  at_ += size;
  ++walked_;
  end_at_fragment();
}

Walk Walker::next(Slice most) {
  Walk w;
  w.begin = at_;
  w.fixed_bytes = fixed_bytes_;
  if (repeats_.empty() && filter_.all()) {
    take_all(w, most);
    return w;
  }
  w.elements.assign(repeats_.size(), {0});
  std::size_t bytes = 0;
  while (!done_ && w.rows < most.rows && bytes < most.bytes) {
    std::size_t size = measure(), rows = w.rows;
    if (size == 0) done_ = true;
    else take_one(w, size);
    if (w.rows > rows) bytes += size;
  }
  return w;
}

}  // namespace darrow

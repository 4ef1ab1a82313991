#include "codec/walk.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/byte_order.hpp"

namespace darrow {
namespace {

/// Most of a slice of a region that comes through a window, unless all of it is asked for.
constexpr std::size_t most_of_window = std::size_t{32} << 20;
/// Records that claim to be larger than this are believed when the bytes that are left were counted; smaller ones are read.
constexpr std::size_t looked_ahead = std::size_t{32} << 20;

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

Walker::Walker(RegionStream& region, std::size_t fixed_bytes, std::span<const PlacedRepeat> repeats, bool swap,
               const RowFilter& filter, Take take, std::optional<TimedElements> timed, ProblemSink& problems)
    : region_(region),
      fixed_bytes_(fixed_bytes),
      repeats_(repeats),
      swap_(swap),
      filter_(filter),
      take_(take),
      timed_(timed),
      problems_(problems),
      counts_(repeats.size()) {
  end_at_fragment();
}

bool Walker::have(std::size_t n) {
  if (window_.size() - at_ < n) window_ = region_.at_least(at_ + n);
  return window_.size() - at_ >= n;
}

void Walker::release() {
  region_.skip(at_);
  at_ = 0;
  window_ = {};
  kept_bytes_ = 0;
}

void Walker::end_at_fragment() {
  if (done_ || have(fixed_bytes_)) return;
  done_ = true;
  if (std::size_t rest = window_.size() - at_)
    problems_.at_inflated(
        ProblemKind::record_fragment, region_.position() + at_,
        fmt::format("{} of {} bytes of a record left over; whole records before it: {}", rest, fixed_bytes_, walked_),
        static_cast<std::int64_t>(rest));
}

Walker::Claim Walker::claim_of(const std::byte* record, std::uint64_t rest) {
  std::uint64_t end = fixed_bytes_;
  for (std::size_t k = 0; k < repeats_.size(); ++k) {
    Count count = count_elements(repeats_[k], record, rest - end, swap_);
    if (!count.wrong.empty()) return {0, std::move(count.wrong)};
    counts_[k] = count.elements;
    end += count.elements * repeats_[k].element_bytes;
  }
  return {end, {}};
}

std::size_t Walker::measure() {
  auto rest = region_.rest();
  Claim claim = claim_of(here(), rest ? *rest - at_ : INT64_MAX);
  bool fits = claim.wrong.empty();
  if (fits && !rest) {
    if (claim.bytes <= looked_ahead) fits = have(static_cast<std::size_t>(claim.bytes));
    else fits = region_.count_rest() - at_ >= claim.bytes;
  }
  if (fits) return static_cast<std::size_t>(claim.bytes);
  // What comes behind it has to be seen for the report: records before it go first.
  if (region_.is_whole() || at_ == 0) end_at_malformed();
  return 0;
}

void Walker::end_at_malformed() {
  const std::vector<std::byte> record(here(), here() + fixed_bytes_);
  const std::uint64_t place = region_.position() + at_;
  done_ = true;
  std::uint64_t rest = 0;
  if (auto known = region_.rest()) {
    rest = *known - at_;
  } else {  // which also finds what is wrong with the compression
    rest = region_.drain();
    window_ = {};
  }
  problems_.at_inflated(ProblemKind::record_malformed, place,
                        fmt::format("record {}: {}; {} bytes from here on are not decoded", walked_ + 1,
                                    claim_of(record.data(), rest).wrong, rest),
                        static_cast<std::int64_t>(rest));
}

void Walker::take_all(Walk& w, Slice most) {
  w.stride = fixed_bytes_;
  const std::size_t fit = std::max<std::size_t>(most.bytes / fixed_bytes_, 1), records = std::min(fit, most.rows);
  have(records <= SIZE_MAX / fixed_bytes_ ? records * fixed_bytes_ : SIZE_MAX - at_);
  w.rows = std::min((window_.size() - at_) / fixed_bytes_, records);
  at_ += w.rows * fixed_bytes_;
  walked_ += w.rows;
  end_at_fragment();
}

bool Walker::has_record(const std::byte* record) const {
  return filter_.has(load<std::uint64_t>(record, swap_), load<std::int64_t>(record + 8, swap_));
}

void Walker::take_one(Walk& w, std::size_t size) {
  have(size);
  if (has_record(here())) {
    w.starts.push_back(at_);
    // Lists lie behind their record wherever it starts: offsets count the elements of this slice only.
    std::size_t list = at_ + fixed_bytes_;
    for (std::size_t k = 0; k < repeats_.size(); ++k) {
      w.elements[k].push_back(w.elements[k].back());
      add_elements(w, k, 0, static_cast<std::size_t>(counts_[k]), list);
      list += static_cast<std::size_t>(counts_[k]) * repeats_[k].element_bytes;
    }
    ++w.rows;
    kept_bytes_ += size;
  }
  at_ += size;
  ++walked_;
  end_at_fragment();
}

void Walker::add_elements(Walk& w, std::size_t k, std::uint64_t first, std::size_t count, std::size_t at) {
  if (count == 0) return;
  const auto row = static_cast<std::int64_t>(w.elements[k].size()) - 2, n = static_cast<std::int64_t>(count);
  w.elements[k].back() += n;
  auto& runs = w.runs[k];
  if (!runs.empty())
    if (auto& [last, begin] = runs.back();
        last.row == row && last.first + last.count == static_cast<std::int64_t>(first)) {
      last.count += n;
      return;
    }
  runs.push_back({{row, static_cast<std::int64_t>(first), n}, at});
}

void Walker::add_row(Walk& w, std::span<const std::byte> head) {
  w.heads.insert(w.heads.end(), head.begin(), head.end());
  for (auto& ends : w.elements) ends.push_back(ends.back());
  ++w.rows;
  kept_bytes_ += head.size();
}

void Walker::begin_record(Walk& w, std::size_t size) {
  auto head = window_.subspan(at_, fixed_bytes_);
  is_wanted_ = has_record(head.data());
  if (is_wanted_) {
    add_row(w, head);
    head_.assign(head.begin(), head.end());
  }
  at_ += fixed_bytes_;
  left_ = size - fixed_bytes_;
  element_ = 0;
}

void Walker::take_elements(Walk& w, Slice most) {
  const std::size_t size = repeats_[0].element_bytes;
  auto taken = [&] { return static_cast<std::size_t>(w.elements[0].back()); };
  std::size_t n = std::min<std::size_t>(left_, window_.size() - at_) / size;
  n = std::min(n, std::max<std::size_t>((most.bytes - used()) / size, 1));
  if (!timed_) {
    n = std::min(n, most.rows - taken());
    add_elements(w, 0, element_, n, at_);
  } else {
    std::size_t i = 0;
    for (; i < n && taken() < most.rows; ++i) {
      const std::byte* at = here() + i * size;
      if (overlaps(timed_->window, load<double>(at + timed_->start, swap_), load<double>(at + timed_->end, swap_)))
        add_elements(w, 0, element_ + i, 1, at_ + i * size);
    }
    n = i;
  }
  element_ += n;
  at_ += n * size;
  left_ -= n * size;
  kept_bytes_ += n * size;
}

void Walker::pass_elements() {
  const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, window_.size() - at_));
  at_ += n;
  left_ -= n;
}

void Walker::take_heads(Walk& w, Slice most) {
  w.has_heads = true;
  w.stride = fixed_bytes_;
  w.continued = left_ > 0 && is_wanted_ && most.split;
  if (w.continued) add_row(w, head_);
  auto rows = [&] { return most.split ? static_cast<std::size_t>(w.elements[0].back()) : w.rows; };
  while (!done_ && rows() < most.rows && used() < most.bytes) {
    if (left_ == 0) {
      const std::size_t size = measure();
      if (size == 0) break;
      begin_record(w, size);
    } else if (!have(std::min<std::uint64_t>(left_, repeats_[0].element_bytes))) {
      left_ = 0;  // it was there when it was counted
    } else if (is_wanted_ && most.split) {
      take_elements(w, most);
    } else {
      pass_elements();
    }
    if (left_ > 0) continue;
    ++walked_;
    end_at_fragment();
  }
}

Walk Walker::next(Slice most) {
  release();
  if (!region_.is_whole() && !most.all()) most.bytes = std::min(most.bytes, most_of_window);
  have(left_ > 0 ? 1 : fixed_bytes_);
  Walk w;
  w.elements.assign(repeats_.size(), {0});
  w.runs.resize(repeats_.size());
  if (repeats_.empty() && filter_.all_records()) {
    take_all(w, most);
  } else if (take_ == Take::fixed_parts || most.split) {
    take_heads(w, most);
  } else {
    while (!done_ && w.rows < most.rows && used() < most.bytes) {
      const std::size_t size = measure();
      if (size == 0) break;
      take_one(w, size);
    }
  }
  w.bytes = window_.data();
  return w;
}

}  // namespace darrow

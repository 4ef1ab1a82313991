#include "darrow/trace.hpp"

#include <fmt/format.h>

#include <array>
#include <unordered_set>
#include <vector>

#include "base/byte_order.hpp"
#include "base/guarded.hpp"
#include "codec/layout.hpp"
#include "codec/walk.hpp"
#include "format/region_stream.hpp"
#include "log/state.hpp"
#include "modules/fixups.hpp"

namespace darrow {
namespace {

/// Where the fields of a record and of a segment lie.
struct TraceLayout {
  TraceLayout(const Module& module, int version)
      : record_bytes(record_base_bytes + stored_bytes(module.fields, version)) {
    auto repeats = place_repeats(module, version);
    segment_bytes = repeats[0].element_bytes;
    writes = repeats[0].count_offsets[0];
    reads = repeats[0].count_offsets[1];
    for (const auto& f : place(module.fields, version, module.current(), record_base_bytes))
      if (f.field->type == Type::text) {
        host = *f.offset;
        host_bytes = f.field->width;
      }
    for (const auto& f : place(repeats[0].repeat->fields, version, module.current(), 0)) {
      if (f.field->name == "offset") offset = *f.offset;
      if (f.field->name == "length") length = *f.offset;
      if (f.field->name == "start_time") start = *f.offset;
      if (f.field->name == "end_time") end = *f.offset;
      if (f.field->name == "pthread_id") thread = f.offset;
    }
  }

  std::size_t record_bytes, segment_bytes, writes, reads, host = 0, host_bytes = 0;
  std::size_t offset = 0, length = 0, start = 0, end = 0;
  std::optional<std::size_t> thread;
};

/// Goes over the records of a region.
class TraceWalk {
 public:
  TraceWalk(const TraceLayout& layout, bool swap, RegionStream& region, ProblemSink& problems)
      : layout_(layout), swap_(swap), region_(region), problems_(problems) {}

  /// Calls record(TraceRecord), without threads, then each(bytes of some segments) until all were handed over.
  template <typename Begin, typename Each>
  void run(Begin begin, Each each) {
    for (;; ++records_) {
      auto head = region_.peek(layout_.record_bytes);
      if (head.size() < layout_.record_bytes) return report_fragment(head.size());
      const auto at = region_.position();
      TraceRecord record{.id = load<std::uint64_t>(head.data(), swap_),
                         .rank = load<std::int64_t>(head.data() + 8, swap_),
                         .host = host_of(head),
                         .threads = {}};
      record.writes = load<std::int64_t>(head.data() + layout_.writes, swap_);
      record.reads = load<std::int64_t>(head.data() + layout_.reads, swap_);
      const std::uint64_t fit =
          region_.rest() ? (*region_.rest() - head.size()) / layout_.segment_bytes : UINT64_MAX / layout_.segment_bytes;
      if (!are_possible(record, fit)) return report_malformed(record, at);
      begin(record);
      region_.skip(head.size());
      auto left = static_cast<std::uint64_t>(record.writes) + static_cast<std::uint64_t>(record.reads);
      while (left > 0) {
        auto bytes = region_.peek(static_cast<std::size_t>(std::min(left, most_segments)) * layout_.segment_bytes);
        const std::size_t whole = bytes.size() / layout_.segment_bytes;
        if (whole == 0) return report_malformed(record, at);
        each(bytes.first(whole * layout_.segment_bytes));
        region_.skip(whole * layout_.segment_bytes);
        left -= whole;
      }
    }
  }
  std::int64_t records() const { return records_; }

  static constexpr std::uint64_t most_segments = 1024;  ///< of one piece: they stay in the cache

 private:
  std::string_view host_of(std::span<const std::byte> head) const {
    std::string_view host(reinterpret_cast<const char*>(head.data() + layout_.host), layout_.host_bytes);
    return host.substr(0, host.find('\0'));
  }
  static bool are_possible(const TraceRecord& record, std::uint64_t fit) {
    return record.writes >= 0 && record.reads >= 0 && static_cast<std::uint64_t>(record.writes) <= fit &&
           static_cast<std::uint64_t>(record.reads) <= fit - static_cast<std::uint64_t>(record.writes);
  }
  void report_fragment(std::size_t bytes) {
    if (bytes == 0) return;
    problems_.at_inflated(ProblemKind::record_fragment, region_.position(),
                          fmt::format("{} of {} bytes of a record left over; whole records before it: {}", bytes,
                                      layout_.record_bytes, records_),
                          static_cast<std::int64_t>(bytes));
  }
  void report_malformed(const TraceRecord& record, std::uint64_t at) {
    const auto rest = region_.rest();
    problems_.at_inflated(ProblemKind::record_malformed, at,
                          fmt::format("record {}: {} writes and {} reads of {} bytes do not fit what is left",
                                      records_ + 1, record.writes, record.reads, layout_.segment_bytes),
                          rest ? std::optional(static_cast<std::int64_t>(*rest)) : std::nullopt);
  }

  const TraceLayout& layout_;
  bool swap_;
  RegionStream& region_;
  ProblemSink& problems_;
  std::int64_t records_ = 0;
};

/// Counts the different threads of segments.
class ThreadCount {
 public:
  ThreadCount(const TraceLayout& layout, bool swap) : layout_(layout), swap_(swap) {}
  void clear() { threads_.clear(); }
  void add(std::span<const std::byte> segments) {
    for (std::size_t at = *layout_.thread; at < segments.size(); at += layout_.segment_bytes) {
      const auto thread = load<std::uint64_t>(segments.data() + at, swap_);
      if (thread == last_ && !threads_.empty()) continue;  // most follow one of the same thread
      threads_.insert(thread);
      last_ = thread;
    }
  }
  std::int64_t count() const { return static_cast<std::int64_t>(threads_.size()); }

 private:
  const TraceLayout& layout_;
  bool swap_;
  std::unordered_set<std::uint64_t> threads_;
  std::uint64_t last_ = 0;
};

/// The threads of each record of a region that is read once for this: they are told in front of segments that may be too
/// many to keep.
std::vector<std::int64_t> count_threads(const TraceLayout& layout, bool swap, ThreadCount& threads,
                                        RegionStream& region) {
  std::vector<Problem> told_later;
  ProblemSink sink("", "", told_later);
  std::vector<std::int64_t> counts;
  auto begin = [&](const TraceRecord&) {
    counts.push_back(0);
    threads.clear();
  };
  auto each = [&](std::span<const std::byte> segments) {
    threads.add(segments);
    counts.back() = threads.count();
  };
  TraceWalk(layout, swap, region, sink).run(begin, each);
  return counts;
}

}  // namespace

Result<std::int64_t> Log::State::read_trace(const ModuleInfo& info, const TraceOptions& options,
                                            const std::function<void(const TraceRecord&)>& record,
                                            const std::function<void(std::span<const TraceSegment>)>& segments) {
  if (info.module && info.module->shape != Shape::segments)
    return error(ErrorCode::invalid_argument, info.name, "this module is no trace");
  if (auto selection = selection_of(info, {}); !selection) return selection.error();
  if (!regions.contains(info.id)) return 0;
  const auto version = static_cast<int>(info.version);
  const TraceLayout layout(*info.module, version);
  const bool swap = header.swapped(), swap_threads = swap && !options.upstream_values;  // A8: upstream never swaps them
  const bool has_offsets = trace_has_offsets(*info.module, version);
  auto open = [&](ProblemSink& sink) { return stream(info.id, false, sink); };

  std::vector<Problem> found;
  ProblemSink sink(info.name, info.name, found);
  RegionStream region = open(sink);
  ThreadCount threads(layout, swap_threads);
  std::vector<std::int64_t> known_threads;  // of a region that is not in memory as a whole
  if (layout.thread && !region.rest()) {
    std::vector<Problem> told_later;
    ProblemSink told_nowhere(info.name, info.name, told_later);
    RegionStream again = open(told_nowhere);
    known_threads = count_threads(layout, swap, threads, again);
    counts.bytes_inflated += again.inflated();
  }

  TraceWalk walk(layout, swap, region, sink);
  std::array<TraceSegment, TraceWalk::most_segments> piece;
  auto begin = [&](TraceRecord r) {
    if (auto number = static_cast<std::size_t>(walk.records()); number < known_threads.size()) {
      r.threads = known_threads[number];
    } else if (layout.thread) {
      auto segments = static_cast<std::size_t>(r.writes + r.reads);
      threads.clear();
      threads.add(region.peek(layout.record_bytes + segments * layout.segment_bytes).subspan(layout.record_bytes));
      r.threads = threads.count();
    }
    record(r);
  };
  auto each = [&](std::span<const std::byte> bytes) {
    std::size_t n = 0;
    for (const std::byte* at = bytes.data(); at < bytes.data() + bytes.size(); at += layout.segment_bytes) {
      TraceSegment& s = piece[n++];
      s.offset = has_offsets ? load<std::int64_t>(at + layout.offset, swap) : -1;
      s.length = load<std::int64_t>(at + layout.length, swap);
      s.start = load<double>(at + layout.start, swap);
      s.end = load<double>(at + layout.end, swap);
      s.thread = layout.thread ? load<std::uint64_t>(at + *layout.thread, swap_threads) : 0;
    }
    segments(std::span(piece).first(n));
  };
  walk.run(begin, each);
  counts.bytes_inflated += region.inflated();
  remember(info.id, found);
  if (auto e = strict_error(info.id, found)) return *e;
  return walk.records();
}

Result<std::int64_t> read_trace(const Log& log, std::string_view module, const TraceOptions& options,
                                const std::function<void(const TraceRecord&)>& record,
                                const std::function<void(std::span<const TraceSegment>)>& segments) {
  return guarded(log.path(), [&]() -> Result<std::int64_t> {
    const ModuleInfo* info = log.module(module);
    if (!info) return log.state_->error(ErrorCode::not_found, "", fmt::format("no module \"{}\" in this log", module));
    return log.state_->read_trace(*info, options, record, segments);
  });
}

}  // namespace darrow

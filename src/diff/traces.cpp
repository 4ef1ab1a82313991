#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "darrow/trace.hpp"
#include "diff/comparison.hpp"

namespace darrow::diffing {
namespace {

using util_text::Source;

/// A record with its segments, the writes first.
struct Trace {
  std::string host;
  std::int64_t writes = 0, reads = 0;
  std::optional<std::int64_t> threads;
  std::vector<TraceSegment> segments;
};
using Key = std::pair<std::uint64_t, std::int64_t>;  // id, rank

/// Calls each(key, trace) for each record of a module.
std::optional<Error> read(const Source& source, const ModuleInfo& info,
                          const std::function<void(const Key&, Trace&&)>& each) {
  std::optional<std::pair<Key, Trace>> open;
  auto close = [&] {
    if (open) each(open->first, std::move(open->second));
    open.reset();
  };
  auto count = read_trace(
      source.log, info.name, {},
      [&](const TraceRecord& record) {
        close();
        open.emplace(Key(record.id, record.rank), Trace{.host = std::string(record.host),
                                                        .writes = record.writes,
                                                        .reads = record.reads,
                                                        .threads = record.threads,
                                                        .segments = {}});
      },
      [&](std::span<const TraceSegment> piece) {
        auto& segments = open->second.segments;
        segments.insert(segments.end(), piece.begin(), piece.end());
      });
  close();
  if (!count) return count.error();
  return {};
}

class Traces {
 public:
  Traces(Comparison& comparison, const ModulePair& pair) : comparison_(comparison), pair_(pair) {}

  void compare() {
    read_side(comparison_.a(), pair_.a, [&](const Key& key, Trace&& trace) {
      auto [place, is_new] = held_.try_emplace(key);
      if (is_new) order_.push_back(key);
      place->second.traces.push_back(std::move(trace));
    });
    read_side(comparison_.b(), pair_.b, [&](const Key& key, Trace&& trace) {
      auto found = held_.find(key);
      if (found == held_.end() || found->second.next == found->second.traces.size()) return tell(key, nullptr, &trace);
      Trace& other = found->second.traces[found->second.next++];
      tell(key, &other, &trace);
      other.segments = {};
    });
    for (const auto& key : order_) {
      const Held& held = held_.at(key);
      for (auto i = held.next; i < held.traces.size(); ++i) tell(key, &held.traces[i], nullptr);
    }
  }

 private:
  struct Held {
    std::vector<Trace> traces;
    std::size_t next = 0;  ///< the first that nothing was compared with
  };

  void read_side(const Source& source, const ModuleInfo* info, const std::function<void(const Key&, Trace&&)>& each) {
    if (!ModulePair::has_records(info)) return;
    if (auto error = read(source, *info, each)) comparison_.lose(info->name, *error);
  }

  void tell(const Key& key, const Trace* a, const Trace* b) {
    auto value = [&](std::string_view name, std::string_view counter, const auto& of) {
      compare(key, name, std::string(counter), a ? DiffValue(of(*a)) : DiffValue(),
              b ? DiffValue(of(*b)) : DiffValue());
    };
    value("host", "host", [](const Trace& t) { return t.host; });
    value("writes", "writes", [](const Trace& t) { return t.writes; });
    value("reads", "reads", [](const Trace& t) { return t.reads; });
    if (!a || !b) return;
    const bool has_threads = a->threads && b->threads;
    if (has_threads) value("threads", "threads", [](const Trace& t) { return *t.threads; });
    const auto both = [](std::int64_t x, std::int64_t y) {
      return static_cast<std::size_t>(std::max<std::int64_t>(0, std::min(x, y)));
    };
    const auto writes = both(a->writes, b->writes);
    for (std::size_t i = 0; i < writes; ++i) segment(key, "write", i, a->segments, b->segments, i, i, has_threads);
    const auto first_a = static_cast<std::size_t>(a->writes), first_b = static_cast<std::size_t>(b->writes);
    for (std::size_t i = 0; first_a + i < a->segments.size() && first_b + i < b->segments.size(); ++i)
      segment(key, "read", i, a->segments, b->segments, first_a + i, first_b + i, has_threads);
  }

  void segment(const Key& key, std::string_view what, std::size_t number, const std::vector<TraceSegment>& of_a,
               const std::vector<TraceSegment>& of_b, std::size_t i, std::size_t j, bool has_threads) {
    if (i >= of_a.size() || j >= of_b.size()) return;  // of a damaged record
    const TraceSegment &a = of_a[i], &b = of_b[j];
    auto value = [&](std::string_view name, const DiffValue& x, const DiffValue& y) {
      if (x != y) compare(key, name, fmt::format("{}[{}].{}", what, number, name), x, y);
    };
    const bool both_tell = pair_.a->version == pair_.b->version || (a.offset != -1 && b.offset != -1);
    if (both_tell) value("offset", a.offset, b.offset);
    value("length", a.length, b.length);
    value("start", a.start, b.start);
    value("end", a.end, b.end);
    if (has_threads) value("thread", a.thread, b.thread);
  }

  void compare(const Key& key, std::string_view name, std::string counter, DiffValue a, DiffValue b) {
    const Rules& rules = comparison_.rules();
    if (rules.ignores_group(times) && (name == "start" || name == "end")) return;
    if (rules.ignores_group(nodes) && (name == "host" || name.starts_with("thread"))) return;
    if (rules.equal(name, a, b) || rules.ignores(name)) return;
    const Source& source = a.index() > 0 ? comparison_.a() : comparison_.b();
    const auto position = source.names->find(key.first);
    comparison_.tell({.kind = Difference::Kind::trace,
                      .module = pair_.any().name,
                      .rank = key.second,
                      .id = key.first,
                      .name = position < 0 ? "(null)" : source.shown(source.names->name(position)),
                      .counter = std::move(counter),
                      .a = std::move(a),
                      .b = std::move(b)});
  }

  Comparison& comparison_;
  const ModulePair& pair_;
  std::map<Key, Held> held_;
  std::vector<Key> order_;
};

}  // namespace

void compare_traces(Comparison& comparison, const ModulePair& pair) { Traces(comparison, pair).compare(); }

}  // namespace darrow::diffing

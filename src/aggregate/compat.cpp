#include "darrow/compat.hpp"
#include "base/invalid_argument.hpp"

#include <fmt/format.h>

#include "aggregate/compat_metrics.hpp"
#include "aggregate/compat_record.hpp"

namespace darrow {
namespace {

using Fold = Upstream::Fold;

}  // namespace

struct CompatAccumulator::State {
  State(const Module& m, std::int64_t n) : module(m), nprocs(n), record(m), metrics(m, n) {}
  bool has_metrics() const { return module.upstream.fold == Fold::accumulator; }

  const Module& module;
  std::int64_t nprocs;
  compat::AggregateRecord record;
  compat::Metrics metrics;
};

CompatAccumulator::CompatAccumulator(std::unique_ptr<State> state) : state_(std::move(state)) {}
CompatAccumulator::CompatAccumulator(CompatAccumulator&&) noexcept = default;
CompatAccumulator& CompatAccumulator::operator=(CompatAccumulator&&) noexcept = default;
CompatAccumulator::~CompatAccumulator() = default;

Result<CompatAccumulator> CompatAccumulator::create(const Module& module, std::int64_t nprocs) {
  if (module.upstream.fold == Fold::none)
    return invalid_argument(module.name, fmt::format("no aggregate record: {}", module.instead));
  if (module.upstream.fold == Fold::accumulator && nprocs < 1)
    return invalid_argument(module.name,
                            fmt::format("the job has {} processes: records cannot be assigned to ranks", nprocs));
  return CompatAccumulator(std::make_unique<State>(module, nprocs));
}

std::optional<Error> CompatAccumulator::add(const Table& records) {
  State& s = *state_;
  if (records.module != &s.module)
    return invalid_argument(s.module.name,
                            fmt::format("the table {} does not hold records of {}", records.name, s.module.name));
  std::string missing;
  compat::Columns columns(s.module, records, missing);
  if (!missing.empty()) return invalid_argument(s.module.name, fmt::format("the table has no column \"{}\"", missing));
  if (s.has_metrics())
    for (auto rank : columns.ranks())
      if (rank >= s.nprocs)
        return invalid_argument(s.module.name,
                                fmt::format("a record of rank {}, but the job has {} processes", rank, s.nprocs));
  if (s.module.upstream.fold == Fold::first_only && !s.record.agrees(columns))
    return invalid_argument(s.module.name, "records differ, but the first must stand for all");
  s.record.add(columns);
  if (s.has_metrics()) s.metrics.add(columns);
  return std::nullopt;
}

Table CompatAccumulator::record() const { return state_->record.table(); }

std::optional<CompatMetrics> CompatAccumulator::metrics() const {
  return state_->has_metrics() ? std::optional(state_->metrics.result()) : std::nullopt;
}

}  // namespace darrow

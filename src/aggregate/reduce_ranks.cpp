// The fastest and the slowest rank of a file.
#include "aggregate/outcome.hpp"
#include "aggregate/rank_values.hpp"
#include "aggregate/reducer.hpp"

namespace darrow {
namespace {

/// Rank with the least or most time on one file; of equal ones the lower rank.
class RankExtreme final : public Reducer {
 public:
  RankExtreme(const Module& module, const Group& group)
      : time_(position_of(module, group.members[0])),
        rank_(position_of(module, group.members[1])),
        bytes_(position_of(module, group.members[2])),
        module_(&module),
        of_rank_(module),
        slowest_(group.kind == GroupKind::slowest) {}
  const Field& field() const override { return module_->fields[time_]; }
  void resize(std::size_t groups) override { kept_.resize(groups); }

  void add(const Rows& rows, const Groups& groups) override {
    if (groups.beyond_files(rows) && !rows.has_shared) return;  // nothing to keep, nothing to reject
    auto ranks = rows.ranks();
    for (std::size_t r = 0; r < rows.count; ++r) {
      std::size_t g = rows.group(r);
      const Column& stored = *rows.columns[time_];
      if (ranks[r] == -1 && stored.valid(static_cast<std::int64_t>(r)) && !is_time(stored.values<double>()[r]))
        ++rejected;
      if (groups.several_files(g) || ranks[r] < -1) continue;
      Extreme one;
      std::optional<double> time;
      std::optional<std::int64_t> bytes;
      if (ranks[r] == -1) {
        time = time_at(rows.columns[time_], r);
        one.rank = value_at<std::int64_t>(rows.columns[rank_], r).value_or(-1);
        bytes = count_at(rows.columns[bytes_], r);
      } else {
        time = of_rank_.time(rows, r);
        one.rank = ranks[r];
        bytes = of_rank_.bytes(rows, r);
      }
      if (!time || one.rank < 0) continue;
      one.time = *time;
      one.bytes = bytes.value_or(-1);
      one.terms = 1;
      take(kept_[g], one);
    }
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const RankExtreme&>(other).kept_;
    for (std::size_t g = 0; g < from.size(); ++g)
      if (from[g].terms) take(kept_[into[g]], from[g]);
  }
  void write(StateWriter& state) const override {
    for (const auto& k : kept_) {
      state.put(k.terms);
      state.put(k.time);
      state.put(k.rank);
      state.put(k.bytes);
    }
  }
  void read(StateReader& state, const Groups& groups) override {
    for (std::size_t g = 0; g < kept_.size(); ++g) {
      auto& k = kept_[g];
      k.terms = state.get_terms(groups.records(g));
      k.time = state.get<double>();
      k.rank = state.get<std::int64_t>();
      k.bytes = state.get<std::int64_t>();
      if (k.rank < (k.terms ? 0 : -1) || k.bytes < -1 || !is_time(k.time / 3)) state.fail();  // a sum of three times
    }
  }
  void finish(const Groups& groups, Outcome& outcome) const override {
    auto known = [&](std::size_t g) { return kept_[g].terms > 0 && !groups.several_files(g); };
    auto missing = [&](std::size_t g) { return groups.several_files(g) ? 0 : groups.records(g) - kept_[g].terms; };
    const auto& fields = module_->fields;
    set<double>(
        outcome, time_, fields[time_], kept_.size(),
        [&](std::size_t g) { return known(g) ? std::optional(kept_[g].time) : std::nullopt; }, missing);
    set<std::int64_t>(
        outcome, rank_, fields[rank_], kept_.size(),
        [&](std::size_t g) { return known(g) ? std::optional(kept_[g].rank) : std::nullopt; }, missing);
    set<std::int64_t>(
        outcome, bytes_, fields[bytes_], kept_.size(),
        [&](std::size_t g) { return known(g) && kept_[g].bytes >= 0 ? std::optional(kept_[g].bytes) : std::nullopt; },
        missing);
  }

 private:
  struct Extreme {
    std::int64_t terms = 0;
    double time = 0;
    std::int64_t rank = -1;
    std::int64_t bytes = -1;  ///< −1: not known
  };
  void take(Extreme& kept, const Extreme& other) const {
    auto terms = kept.terms + other.terms;
    bool better = slowest_ ? other.time > kept.time : other.time < kept.time;
    if (kept.terms == 0 || better || (other.time == kept.time && other.rank < kept.rank)) kept = other;
    kept.terms = terms;
  }
  std::size_t time_, rank_, bytes_;
  const Module* module_;
  RankColumns of_rank_;
  bool slowest_;
  std::vector<Extreme> kept_;
};

}  // namespace

std::unique_ptr<Reducer> rank_extreme(const Module& module, const Group& group) {
  return std::make_unique<RankExtreme>(module, group);
}

}  // namespace darrow

// Variances over the ranks of a file.
#include <cmath>

#include "aggregate/outcome.hpp"
#include "aggregate/rank_values.hpp"
#include "aggregate/reducer.hpp"

namespace darrow {
namespace {

/// Variances have no bound as times have.
bool is_variance(double value) { return value >= 0 && std::isfinite(value); }

/// Population variance over the records of one file, each of one rank. A lone record of all ranks keeps what it has.
class RankVariance final : public Reducer {
 public:
  RankVariance(const Module& module, const Group& group)
      : positions_{position_of(module, group.members[0]), position_of(module, group.members[1])},
        module_(&module),
        of_rank_(module) {}
  const Field& field() const override { return module_->fields[positions_[0]]; }
  void resize(std::size_t groups) override {
    for (auto& kept : kept_) kept.resize(groups);
  }

  void add(const Rows& rows, const Groups& groups) override {
    if (groups.beyond_files(rows) && !rows.has_shared) return;  // nothing to keep, nothing to reject
    auto ranks = rows.ranks();
    for (std::size_t r = 0; r < rows.count; ++r) {
      std::size_t g = rows.group(r);
      if (ranks[r] == -1)
        for (auto position : positions_)
          if (auto value = value_at<double>(rows.columns[position], r); value && !is_variance(*value)) ++rejected;
      if (groups.several_files(g) || ranks[r] < -1) continue;
      for (std::size_t k = 0; k < 2; ++k) {
        auto& kept = kept_[k][g];
        if (ranks[r] == -1) {
          // Variances have no bound like times: any number that is one.
          if (auto stored = value_at<double>(rows.columns[positions_[k]], r); stored && is_variance(*stored)) {
            ++kept.shared_records;
            kept.stored = *stored;
          }
        } else if (k == 0) {
          if (auto time = of_rank_.time(rows, r)) kept.add(*time);
        } else if (auto bytes = of_rank_.bytes(rows, r)) {
          kept.add(static_cast<double>(*bytes));
        }
      }
    }
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const RankVariance&>(other).kept_;
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t g = 0; g < from[k].size(); ++g) kept_[k][into[g]].merge(from[k][g]);
  }
  void write(StateWriter& state) const override {
    for (const auto& kept : kept_)
      for (const auto& k : kept) {
        state.put(k.terms);
        state.put(k.mean);
        state.put(k.squares);
        state.put(k.shared_records);
        state.put(k.stored);
      }
  }
  void read(StateReader& state, const Groups& groups) override {
    constexpr double most = 1e19;  // bytes; times are less
    for (auto& kept : kept_)
      for (std::size_t g = 0; g < kept.size(); ++g) {
        auto& k = kept[g];
        k.terms = state.get_terms(groups.records(g));
        k.mean = state.get<double>();
        k.squares = state.get<double>();
        k.shared_records = state.get_terms(groups.records(g) - k.terms);
        k.stored = state.get<double>();
        bool possible = std::fabs(k.mean) <= most && k.squares >= 0 &&
                        k.squares <= most * most * static_cast<double>(k.terms) && k.stored >= 0 &&
                        std::isfinite(k.stored);
        if (!possible) state.fail();
      }
  }
  void finish(const Groups& groups, Outcome& outcome) const override {
    for (std::size_t k = 0; k < 2; ++k)
      set<double>(
          outcome, positions_[k], module_->fields[positions_[k]], kept_[k].size(),
          [&](std::size_t g) -> std::optional<double> {
            const auto& kept = kept_[k][g];
            std::int64_t records = groups.records(g);
            if (groups.several_files(g) || records == 0) return {};
            if (kept.terms == records) return kept.squares / static_cast<double>(records);
            if (records == 1 && kept.shared_records == 1) return kept.stored;
            return {};
          },
          [&](std::size_t g) {
            return groups.several_files(g) ? 0 : groups.records(g) - kept_[k][g].terms - kept_[k][g].shared_records;
          });
  }

 private:
  struct Moments {
    std::int64_t terms = 0;
    double mean = 0, squares = 0;  ///< of the terms; squares of the distances from the mean
    std::int64_t shared_records = 0;
    double stored = 0;  ///< of the last record of all ranks

    void add(double value) {
      ++terms;
      double distance = value - mean;
      mean += distance / static_cast<double>(terms);
      squares += distance * (value - mean);
    }
    void merge(const Moments& other) {
      if (other.shared_records) stored = other.stored;
      shared_records += other.shared_records;
      if (other.terms == 0) return;
      auto all = static_cast<double>(terms + other.terms);
      double distance = other.mean - mean, share = static_cast<double>(other.terms) / all;
      squares += other.squares + distance * distance * static_cast<double>(terms) * share;
      mean += distance * share;
      terms += other.terms;
    }
  };
  std::size_t positions_[2];
  const Module* module_;
  RankColumns of_rank_;
  std::vector<Moments> kept_[2];  ///< of times, of bytes
};

}  // namespace

std::unique_ptr<Reducer> rank_variance(const Module& module, const Group& group) {
  return std::make_unique<RankVariance>(module, group);
}

}  // namespace darrow

// Rules for single counters: sum, max, min, start, end, flag, same.
#include <algorithm>

#include "aggregate/count_sums.hpp"
#include "aggregate/outcome.hpp"
#include "aggregate/reducer.hpp"
#include "aggregate/sum_state.hpp"

namespace darrow {
namespace {

/// Missing in a group: its records less those that had a value.
std::int64_t without(const Groups& groups, std::size_t g, std::int64_t with) { return groups.records(g) - with; }

/// A reducer of the counter at `position`.
class OfCounter : public Reducer {
 public:
  OfCounter(const Module& module, std::size_t position) : field_(&module.fields[position]), position_(position) {}
  const Field& field() const override { return *field_; }

 protected:
  const Column* column(const Rows& rows) const { return rows.columns[position_]; }
  const Field* field_;
  std::size_t position_;
};

/// Sums of counts.
class Counts final : public OfCounter {
 public:
  using OfCounter::OfCounter;
  void resize(std::size_t groups) override {
    groups_ = groups;
    sums_.resize(groups);
    if (!missing_.empty()) missing_.resize(groups);
  }
  void add(const Rows& rows, const Groups&) override {
    if (column(rows)->all_zero && column(rows)->null_count == 0) return;
    rejected +=
        add_counts(*column(rows), rows, sums_, [](std::size_t, std::int64_t) {}, [&](std::size_t g) { ++missing(g); });
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const Counts&>(other);
    sums_.merge(from.sums_, into);
    for (std::size_t g = 0; g < from.missing_.size(); ++g)
      if (from.missing_[g]) missing(into[g]) += from.missing_[g];
  }
  void write(StateWriter& state) const override {
    for (std::size_t g = 0; g < groups_; ++g) {
      sums_.write(state, g);
      state.put(missing_of(g));
    }
  }
  void read(StateReader& state, const Groups& groups) override {
    for (std::size_t g = 0; g < groups_; ++g) {
      sums_.read(state, g);
      if (auto count = state.get_terms(groups.records(g))) missing(g) = count;
    }
  }
  void finish(const Groups& groups, Outcome& outcome) const override {
    set<std::int64_t>(
        outcome, position_, *field_, groups_,
        [&](std::size_t g) { return groups.records(g) > missing_of(g) ? sums_.value(g) : std::nullopt; },
        [&](std::size_t g) { return missing_of(g); });
  }
  std::int64_t overflows() const override { return sums_.overflows(); }

 private:
  std::int64_t& missing(std::size_t group) {
    if (missing_.empty()) missing_.resize(groups_);
    return missing_[group];
  }
  std::int64_t missing_of(std::size_t group) const { return missing_.empty() ? 0 : missing_[group]; }
  std::size_t groups_ = 0;
  CountSums sums_;
  std::vector<std::int64_t> missing_;  ///< empty: nothing was
};

/// Sums of times.
class Times final : public OfCounter {
 public:
  using OfCounter::OfCounter;
  void resize(std::size_t groups) override { sums_.resize(groups); }
  void add(const Rows& rows, const Groups&) override {
    rejected += add_times(*column(rows), rows, [&](std::size_t g) -> CountedTime& { return sums_[g]; });
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const Times&>(other).sums_;
    for (std::size_t g = 0; g < from.size(); ++g) sums_[into[g]].merge(from[g]);
  }
  void write(StateWriter& state) const override {
    for (const auto& s : sums_) put(state, s);
  }
  void read(StateReader& state, const Groups& groups) override {
    for (std::size_t g = 0; g < sums_.size(); ++g) get(state, sums_[g], groups.records(g));
  }
  void finish(const Groups& groups, Outcome& outcome) const override {
    set<double>(
        outcome, position_, *field_, sums_.size(), [&](std::size_t g) { return sums_[g].value(); },
        [&](std::size_t g) { return without(groups, g, sums_[g].terms); });
  }

 private:
  std::vector<CountedTime> sums_;
};

/// The one of two that is kept; 0 before the first. Nothing negative gets here.
template <typename T>
T larger(T kept, T value) {
  return value > kept ? value : kept;
}
template <typename T>
T smaller_above_0(T kept, T value) {
  return value > 0 && (kept == 0 || value < kept) ? value : kept;
}

template <typename T>
class Extremes final : public OfCounter {
 public:
  using OfCounter::OfCounter;
  void resize(std::size_t groups) override { kept_.resize(groups); }
  void add(const Rows& rows, const Groups&) override {
    switch (field_->rule) {
      case Rule::min:
      case Rule::start: add_with(rows, [](T kept, T value) { return smaller_above_0(kept, value); }); break;
      case Rule::flag: add_with(rows, [](T kept, T value) { return value > 0 ? T(1) : kept; }); break;
      default: add_with(rows, [](T kept, T value) { return larger(kept, value); });
    }
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const Extremes&>(other).kept_;
    bool smaller = field_->rule == Rule::min || field_->rule == Rule::start;
    for (std::size_t g = 0; g < from.size(); ++g) {
      auto& kept = kept_[into[g]];
      kept.value = smaller ? smaller_above_0(kept.value, from[g].value) : larger(kept.value, from[g].value);
      kept.terms += from[g].terms;
    }
  }
  void write(StateWriter& state) const override {
    for (const auto& k : kept_) {
      state.put(k.value);
      state.put(k.terms);
    }
  }
  void read(StateReader& state, const Groups& groups) override {
    for (std::size_t g = 0; g < kept_.size(); ++g) {
      kept_[g].value = state.get<T>();
      kept_[g].terms = state.get_terms(groups.records(g));
      if (!possible(kept_[g].value)) state.fail();
    }
  }
  void finish(const Groups& groups, Outcome& outcome) const override {
    set<T>(
        outcome, position_, *field_, kept_.size(),
        [&](std::size_t g) { return kept_[g].terms ? std::optional(kept_[g].value) : std::nullopt; },
        [&](std::size_t g) { return without(groups, g, kept_[g].terms); });
  }

 private:
  struct Kept {
    T value = 0;
    std::int64_t terms = 0;
  };
  static bool possible(double value) { return is_time(value); }
  static bool possible(std::int64_t value) { return value >= 0; }
  template <typename Choose>
  void add_with(const Rows& rows, Choose choose) {
    const Column& c = *column(rows);
    if (all_zero_of_one_group(c, rows)) {  // 0 is what is kept before the first
      kept_[rows.only].terms += c.length;
      return;
    }
    if (rows.groups.empty() && c.null_count == 0) {  // the usual case, fast
      Kept& kept = kept_[rows.only];
      T best = kept.value;
      bool all_possible = true;
      for (T value : c.values<T>()) {
        all_possible &= possible(value);
        best = choose(best, value);
      }
      if (all_possible) {
        kept.value = best;
        kept.terms += c.length;
        return;
      }
    }
    each_value<T>(c, rows, [&](std::size_t, std::size_t g, T value) {
      if (!possible(value)) {
        ++rejected;
        return;
      }
      kept_[g].value = choose(kept_[g].value, value);
      ++kept_[g].terms;
    });
  }
  std::vector<Kept> kept_;
};

template <typename T>
class SameValues final : public OfCounter {
 public:
  using OfCounter::OfCounter;
  void resize(std::size_t groups) override { kept_.resize(groups); }
  void add(const Rows& rows, const Groups&) override {
    if (all_zero_of_one_group(*column(rows), rows)) {
      take(kept_[rows.only], {0, column(rows)->length, false});
      return;
    }
    each_value<T>(*column(rows), rows, [&](std::size_t, std::size_t g, T value) {
      if (possible(value)) take(kept_[g], {value, 1, false});
      else ++rejected;
    });
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const SameValues&>(other).kept_;
    for (std::size_t g = 0; g < from.size(); ++g) take(kept_[into[g]], from[g]);
  }
  void write(StateWriter& state) const override {
    for (const auto& k : kept_) {
      state.put(k.value);
      state.put(k.terms);
      state.put(static_cast<std::uint8_t>(k.differ));
    }
  }
  void read(StateReader& state, const Groups& groups) override {
    for (std::size_t g = 0; g < kept_.size(); ++g) {
      auto& k = kept_[g];
      k.value = state.get<T>();
      k.terms = state.get_terms(groups.records(g));
      k.differ = state.get_bool();
      if (k.terms && !possible(k.value)) state.fail();
    }
  }
  void finish(const Groups& groups, Outcome& outcome) const override {
    set<T>(
        outcome, position_, *field_, kept_.size(),
        [&](std::size_t g) {
          return kept_[g].terms && !kept_[g].differ ? std::optional(kept_[g].value) : std::nullopt;
        },
        [&](std::size_t g) { return without(groups, g, kept_[g].terms); });
  }

 private:
  struct Kept {
    T value = 0;
    std::int64_t terms = 0;
    bool differ = false;
  };
  /// Ids may be any number, the rest are sizes, counts and times.
  bool possible(T value) const {
    if constexpr (std::is_same_v<T, double>) return is_time(value);
    return field_->unit == "id" || value >= 0;
  }
  static void take(Kept& kept, const Kept& other) {
    if (other.terms == 0) return;
    if (kept.terms == 0) kept.value = other.value;
    kept.differ |= other.differ || kept.value != other.value;
    kept.terms += other.terms;
  }
  std::vector<Kept> kept_;
};

}  // namespace

std::unique_ptr<Reducer> count_sum(const Module& module, std::size_t position) {
  return std::make_unique<Counts>(module, position);
}
std::unique_ptr<Reducer> time_sum(const Module& module, std::size_t position) {
  return std::make_unique<Times>(module, position);
}
std::unique_ptr<Reducer> extreme(const Module& module, std::size_t position) {
  if (module.fields[position].type == Type::f64) return std::make_unique<Extremes<double>>(module, position);
  return std::make_unique<Extremes<std::int64_t>>(module, position);
}
std::unique_ptr<Reducer> same_value(const Module& module, std::size_t position) {
  switch (module.fields[position].type) {
    case Type::f64: return std::make_unique<SameValues<double>>(module, position);
    case Type::u64: return std::make_unique<SameValues<std::uint64_t>>(module, position);
    default: return std::make_unique<SameValues<std::int64_t>>(module, position);
  }
}

}  // namespace darrow

// Rules for single counters: sum, max, min, start, end, flag, same.
#include <algorithm>

#include "aggregate/count_sums.hpp"
#include "aggregate/outcome.hpp"
#include "aggregate/reducer.hpp"
#include "aggregate/time_sums.hpp"

namespace darrow {
namespace {

/// Missing in a group: its records less those that had a value.
std::int64_t without(const Groups& groups, std::size_t g, std::int64_t with) { return groups.records(g) - with; }

/// In how many records of each group there is no value. No memory while it is there everywhere.
class Missing {
 public:
  void resize(std::size_t groups) {
    groups_ = groups;
    if (!counts_.empty()) counts_.resize(groups);
  }
  void add(std::size_t group, std::int64_t count = 1) {
    if (count == 0) return;
    if (counts_.empty()) counts_.resize(groups_);
    counts_[group] += count;
  }
  /// Adds the nulls of a column.
  void add_nulls(const Column& column, const Rows& rows) {
    if (column.null_count == 0) return;
    for (std::size_t r = 0; r < rows.count; ++r)
      if (!column.valid(static_cast<std::int64_t>(r))) add(rows.group(r));
  }
  void merge(const Missing& other, std::span<const std::uint32_t> into) {
    for (std::size_t g = 0; g < other.counts_.size(); ++g) add(into[g], other.counts_[g]);
  }
  bool none() const { return counts_.empty(); }
  std::int64_t of(std::size_t group) const { return counts_.empty() ? 0 : counts_[group]; }
  /// Whether any record of the group has a value.
  bool leaves_any(const Groups& groups, std::size_t group) const { return groups.records(group) > of(group); }

 private:
  std::size_t groups_ = 0;
  std::vector<std::int64_t> counts_;  ///< empty: nothing is missing
};

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
    missing_.resize(groups);
  }
  void add(const Rows& rows, const Groups&) override {
    if (column(rows)->all_zero && column(rows)->null_count == 0) return;
    rejected += add_counts(
        *column(rows), rows, sums_, [](std::size_t, std::int64_t) {}, [&](std::size_t g) { missing_.add(g); });
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const Counts&>(other);
    sums_.merge(from.sums_, into);
    missing_.merge(from.missing_, into);
  }
  void write(StateWriter& state) const override {
    for (std::size_t g = 0; g < groups_; ++g) {
      sums_.write(state, g);
      state.put(missing_.of(g));
    }
  }
  void read(StateReader& state, const Groups& groups) override {
    for (std::size_t g = 0; g < groups_; ++g) {
      sums_.read(state, g);
      missing_.add(g, state.get_terms(groups.records(g)));
    }
  }
  void finish(const Groups& groups, Outcome& outcome) const override {
    if (outcome.none_empty && sums_.all_zero() && missing_.none())
      return set_zero<std::int64_t>(outcome, position_, *field_, groups_);
    set<std::int64_t>(
        outcome, position_, *field_, groups_,
        [&](std::size_t g) { return missing_.leaves_any(groups, g) ? sums_.value(g) : std::nullopt; },
        [&](std::size_t g) { return missing_.of(g); });
  }
  std::int64_t overflows() const override { return sums_.overflows(); }

 private:
  std::size_t groups_ = 0;
  CountSums sums_;
  Missing missing_;
};

/// Sums of times.
class Times final : public OfCounter {
 public:
  using OfCounter::OfCounter;
  void resize(std::size_t groups) override {
    groups_ = groups;
    sums_.resize(groups);
    missing_.resize(groups);
  }
  void add(const Rows& rows, const Groups&) override {
    const Column& c = *column(rows);
    if (c.all_zero && c.null_count == 0) return;
    if (rows.groups.empty() && c.null_count == 0 && sums_.add_all(rows.only, c.values<double>())) return;
    missing_.add_nulls(c, rows);
    each_value<double>(c, rows, [&](std::size_t, std::size_t g, double value) {
      if (is_time(value)) return sums_.add(g, value);
      missing_.add(g);
      ++rejected;
    });
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const Times&>(other);
    sums_.merge(from.sums_, into);
    missing_.merge(from.missing_, into);
  }
  void write(StateWriter& state) const override {
    for (std::size_t g = 0; g < groups_; ++g) {
      state.put(sums_.exact(g).words());
      state.put(missing_.of(g));
    }
  }
  void read(StateReader& state, const Groups& groups) override {
    for (std::size_t g = 0; g < groups_; ++g) {
      TimeSum sum;
      sum.words() = state.get<std::array<std::uint64_t, 4>>();
      sums_.add(g, sum);
      missing_.add(g, state.get_terms(groups.records(g)));
    }
  }
  void finish(const Groups& groups, Outcome& outcome) const override {
    if (outcome.none_empty && sums_.all_zero() && missing_.none())
      return set_zero<double>(outcome, position_, *field_, groups_);
    set<double>(
        outcome, position_, *field_, groups_,
        [&](std::size_t g) { return missing_.leaves_any(groups, g) ? std::optional(sums_.value(g)) : std::nullopt; },
        [&](std::size_t g) { return missing_.of(g); });
  }

 private:
  std::size_t groups_ = 0;
  TimeSums sums_;
  Missing missing_;
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
  void resize(std::size_t groups) override {
    groups_ = groups;
    if (!kept_.empty()) kept_.resize(groups);
    missing_.resize(groups);
  }
  void add(const Rows& rows, const Groups&) override {
    switch (field_->rule) {
      case Rule::min:
      case Rule::start: add_with(rows, [](T kept, T value) { return smaller_above_0(kept, value); }); break;
      case Rule::flag: add_with(rows, [](T kept, T value) { return value > 0 ? T(1) : kept; }); break;
      default: add_with(rows, [](T kept, T value) { return larger(kept, value); });
    }
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const Extremes&>(other);
    bool smaller = field_->rule == Rule::min || field_->rule == Rule::start;
    for (std::size_t g = 0; g < from.kept_.size(); ++g) {
      if (from.kept_[g] == 0) continue;
      T& to = kept(into[g]);
      to = smaller ? smaller_above_0(to, from.kept_[g]) : larger(to, from.kept_[g]);
    }
    missing_.merge(from.missing_, into);
  }
  void write(StateWriter& state) const override {
    for (std::size_t g = 0; g < groups_; ++g) {
      state.put(kept_.empty() ? T(0) : kept_[g]);
      state.put(missing_.of(g));
    }
  }
  void read(StateReader& state, const Groups& groups) override {
    for (std::size_t g = 0; g < groups_; ++g) {
      T value = state.get<T>();
      if (!possible(value)) state.fail();
      if (value != 0) kept(g) = value;
      missing_.add(g, state.get_terms(groups.records(g)));
    }
  }
  void finish(const Groups& groups, Outcome& outcome) const override {
    if (outcome.none_empty && kept_.empty() && missing_.none())
      return set_zero<T>(outcome, position_, *field_, groups_);
    set<T>(
        outcome, position_, *field_, groups_,
        [&](std::size_t g) {
          if (!missing_.leaves_any(groups, g)) return std::optional<T>();
          return std::optional(kept_.empty() ? T(0) : kept_[g]);
        },
        [&](std::size_t g) { return missing_.of(g); });
  }

 private:
  static bool possible(double value) { return is_time(value); }
  static bool possible(std::int64_t value) { return value >= 0; }
  T& kept(std::size_t group) {
    if (kept_.empty()) kept_.resize(groups_);
    return kept_[group];
  }
  template <typename Choose>
  void add_with(const Rows& rows, Choose choose) {
    const Column& c = *column(rows);
    if (c.all_zero && c.null_count == 0) return;                   // 0 is what is kept before the first
    if (rows.groups.empty() && c.null_count == 0 && rows.count) {  // the usual case, fast
      T best = kept(rows.only);
      bool all_possible = true;
      for (T value : c.values<T>()) {
        all_possible &= possible(value);
        best = choose(best, value);
      }
      if (all_possible) {
        kept(rows.only) = best;
        return;
      }
    }
    missing_.add_nulls(c, rows);
    if (rows.count) kept(0);  // room for all
    each_value<T>(c, rows, [&](std::size_t, std::size_t g, T value) {
      if (possible(value)) {
        kept_[g] = choose(kept_[g], value);
        return;
      }
      missing_.add(g);
      ++rejected;
    });
  }
  std::size_t groups_ = 0;
  std::vector<T> kept_;  ///< empty: 0 everywhere
  Missing missing_;
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

// Counters that belong together: the longest call with its size, fastest and slowest rank, variance over ranks.
#include <cmath>

#include "aggregate/exact_sum.hpp"
#include "aggregate/outcome.hpp"
#include "aggregate/reducer.hpp"

namespace darrow {
namespace {

template <typename T>
std::optional<T> value_at(const Column* column, std::size_t row) {
  if (!column || !column->valid(static_cast<std::int64_t>(row))) return {};
  return column->values<T>()[row];
}

std::optional<double> time_at(const Column* column, std::size_t row) {
  auto value = value_at<double>(column, row);
  return value && is_time(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> count_at(const Column* column, std::size_t row) {
  auto value = value_at<std::int64_t>(column, row);
  return value && *value >= 0 ? value : std::nullopt;
}

/// Variances have no bound as times have.
bool is_variance(double value) { return value >= 0 && std::isfinite(value); }

/// The columns that tell what one rank did.
class RankColumns {
 public:
  explicit RankColumns(const Module& module) {
    for (Role role : {Role::read_time, Role::write_time, Role::meta_time, Role::bytes_read, Role::bytes_written})
      positions_.push_back(static_cast<std::size_t>(find_role(module.fields, role) - module.fields.data()));
  }
  /// Read, write and metadata time of a record of one rank; nothing if any of them is missing.
  std::optional<double> time(const Rows& rows, std::size_t row) const {
    auto read = time_at(rows.columns[positions_[0]], row), write = time_at(rows.columns[positions_[1]], row),
         meta = time_at(rows.columns[positions_[2]], row);
    return read && write && meta ? std::optional(*read + *write + *meta) : std::nullopt;
  }
  /// Bytes read and written by it.
  std::optional<std::int64_t> bytes(const Rows& rows, std::size_t row) const {
    auto read = count_at(rows.columns[positions_[3]], row), written = count_at(rows.columns[positions_[4]], row);
    std::int64_t sum;
    if (!read || !written || __builtin_add_overflow(*read, *written, &sum)) return {};
    return sum;
  }

 private:
  std::vector<std::size_t> positions_;
};

/// max_with: both members from the record whose first member is the largest; of equal ones the first record.
class Longest final : public Reducer {
 public:
  Longest(const Module& module, const Group& group)
      : lead_(position_of(module, group.members[0])),
        follow_(position_of(module, group.members[1])),
        lead_field_(&module.fields[lead_]),
        follow_field_(&module.fields[follow_]) {}
  const Field& field() const override { return *lead_field_; }
  void resize(std::size_t groups) override { kept_.resize(groups); }

  void add(const Rows& rows, const Groups&) override {
    const Column *lead = rows.columns[lead_], *follow = rows.columns[follow_];
    // Zeros cannot take the place of what is there.
    if (all_zero_of_one_group(*lead, rows) && kept_[rows.only].terms) {
      kept_[rows.only].terms += lead->length;
      return;
    }
    auto number = [&](const Field& field, const Column* c, std::size_t r) -> std::optional<double> {
      if (field.type == Type::f64) return time_at(c, r);
      auto count = count_at(c, r);
      return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
    };
    for (std::size_t r = 0; r < rows.count; ++r) {
      auto& kept = kept_[rows.group(r)];
      // Most records do not come near: look at the number alone first.
      auto value = number(*lead_field_, lead, r);
      if (!value) {
        rejected += lead->valid(static_cast<std::int64_t>(r));
        continue;
      }
      ++kept.terms;
      if (kept.terms > 1 && *value < kept.lead_value()) continue;
      Pair pair;
      pair.record = rows.first + static_cast<std::int64_t>(r);
      pair.lead = lead->values<std::uint64_t>()[r];
      pair.lead_is_time = lead_field_->type == Type::f64;
      pair.follow_known = number(*follow_field_, follow, r).has_value();
      pair.follow = pair.follow_known ? follow->values<std::uint64_t>()[r] : 0;
      pair.terms = 0;
      kept.take(pair);
    }
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t first) override {
    const auto& from = static_cast<const Longest&>(other).kept_;
    for (std::size_t g = 0; g < from.size(); ++g) {
      if (from[g].terms == 0) continue;
      Pair pair = from[g];
      pair.record += first;
      kept_[into[g]].take(pair);
    }
  }
  void write(StateWriter& state) const override {
    for (const auto& k : kept_) {
      state.put(k.terms);
      state.put(k.record);
      state.put(k.lead);
      state.put(k.follow);
      state.put(static_cast<std::uint8_t>(k.follow_known));
    }
  }
  void read(StateReader& state) override {
    for (auto& k : kept_) {
      k.terms = state.get<std::int64_t>();
      k.record = state.get<std::int64_t>();
      k.lead = state.get<std::uint64_t>();
      k.follow = state.get<std::uint64_t>();
      k.follow_known = state.get_bool();
      k.lead_is_time = lead_field_->type == Type::f64;
      if (k.terms < 0 || k.record < -1) state.fail();
    }
  }
  void finish(const Groups& groups, Outcome& outcome) const override {
    set_member(groups, outcome, lead_, *lead_field_, [](const Pair& p) { return std::optional(p.lead); });
    set_member(groups, outcome, follow_, *follow_field_,
               [](const Pair& p) { return p.follow_known ? std::optional(p.follow) : std::nullopt; });
  }

 private:
  /// Values by their 64 bits: of a double or of an int64.
  struct Pair {
    std::int64_t terms = 0;
    std::int64_t record = -1;
    std::uint64_t lead = 0, follow = 0;
    bool follow_known = false, lead_is_time = false;

    double lead_value() const {
      return lead_is_time ? std::bit_cast<double>(lead) : static_cast<double>(static_cast<std::int64_t>(lead));
    }
    void take(const Pair& other) {
      auto all = terms + other.terms;
      bool larger = lead_is_time ? other.lead_value() > lead_value()
                                 : static_cast<std::int64_t>(other.lead) > static_cast<std::int64_t>(lead);
      bool equal = other.lead == lead || (lead_is_time && other.lead_value() == lead_value());
      if (record < 0 || larger || (equal && other.record < record)) *this = other;
      terms = all;
    }
  };
  template <typename Get>
  void set_member(const Groups& groups, Outcome& outcome, std::size_t position, const Field& field, Get get) const {
    auto missing = [&](std::size_t g) { return groups.records(g) - kept_[g].terms; };
    auto bits = [&](std::size_t g) { return kept_[g].terms ? get(kept_[g]) : std::nullopt; };
    if (field.type == Type::f64) {
      set<double>(
          outcome, position, field, kept_.size(),
          [&](std::size_t g) {
            auto b = bits(g);
            return b ? std::optional(std::bit_cast<double>(*b)) : std::nullopt;
          },
          missing);
    } else {
      set<std::int64_t>(
          outcome, position, field, kept_.size(),
          [&](std::size_t g) {
            auto b = bits(g);
            return b ? std::optional(static_cast<std::int64_t>(*b)) : std::nullopt;
          },
          missing);
    }
  }
  std::size_t lead_, follow_;
  const Field *lead_field_, *follow_field_;
  std::vector<Pair> kept_;
};

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
  void read(StateReader& state) override {
    for (auto& k : kept_) {
      k.terms = state.get<std::int64_t>();
      k.time = state.get<double>();
      k.rank = state.get<std::int64_t>();
      k.bytes = state.get<std::int64_t>();
      if (k.terms < 0 || !(k.time >= 0) || !std::isfinite(k.time)) state.fail();  // a sum of three times
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
  void read(StateReader& state) override {
    for (auto& kept : kept_)
      for (auto& k : kept) {
        k.terms = state.get<std::int64_t>();
        k.mean = state.get<double>();
        k.squares = state.get<double>();
        k.shared_records = state.get<std::int64_t>();
        k.stored = state.get<double>();
        if (k.terms < 0 || k.shared_records < 0) state.fail();
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

std::unique_ptr<Reducer> max_with(const Module& module, const Group& group) {
  return std::make_unique<Longest>(module, group);
}
std::unique_ptr<Reducer> rank_extreme(const Module& module, const Group& group) {
  return std::make_unique<RankExtreme>(module, group);
}
std::unique_ptr<Reducer> rank_variance(const Module& module, const Group& group) {
  return std::make_unique<RankVariance>(module, group);
}

}  // namespace darrow

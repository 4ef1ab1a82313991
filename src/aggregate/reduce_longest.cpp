// The longest call with its size, or the largest request with its duration.
#include "aggregate/outcome.hpp"
#include "aggregate/rank_values.hpp"
#include "aggregate/reducer.hpp"

namespace darrow {
namespace {

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
  void read(StateReader& state, const Groups& groups) override {
    auto possible = [](const Field& field, std::uint64_t bits) {
      return field.type == Type::f64 ? is_time(std::bit_cast<double>(bits)) : static_cast<std::int64_t>(bits) >= 0;
    };
    for (std::size_t g = 0; g < kept_.size(); ++g) {
      auto& k = kept_[g];
      k.terms = state.get_terms(groups.records(g));
      k.record = state.get<std::int64_t>();
      k.lead = state.get<std::uint64_t>();
      k.follow = state.get<std::uint64_t>();
      k.follow_known = state.get_bool();
      k.lead_is_time = lead_field_->type == Type::f64;
      if (k.record < (k.terms ? 0 : -1) || k.record > most_records || !possible(*lead_field_, k.lead) ||
          !possible(*follow_field_, k.follow))
        state.fail();
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

}  // namespace

std::unique_ptr<Reducer> max_with(const Module& module, const Group& group) {
  return std::make_unique<Longest>(module, group);
}

}  // namespace darrow

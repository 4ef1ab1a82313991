// Rules whose result is a list: common values with their counts, and lists that add up element by element.
#include <algorithm>
#include <cctype>

#include "aggregate/exact_sum.hpp"
#include "aggregate/outcome.hpp"
#include "aggregate/reducer.hpp"
#include "aggregate/value_counts.hpp"

namespace darrow {
namespace {

void put(StateWriter& state, const CountSum& sum) {
  state.put(sum.sum);
  state.put(sum.terms);
  state.put(static_cast<std::uint8_t>(sum.overflow));
}
/// `most`: terms that it can have.
void get(StateReader& state, CountSum& sum, std::int64_t most) {
  sum.sum = state.get<std::int64_t>();
  sum.terms = state.get_terms(most);
  sum.overflow = state.get_bool();
  if (sum.sum < 0 && !sum.overflow) state.fail();
}
constexpr std::size_t count_sum_bytes = 17;

/// "stride" of "POSIX_STRIDE1_STRIDE": what a member of the first slot is called in the list.
std::string member_name(std::string_view counter) {
  std::string name(counter.substr(counter.find("1_") + 2));
  for (auto& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

/// The most common values: the table has `slots` values of `keys` fields, and as many counts.
class CommonValues final : public Reducer {
 public:
  CommonValues(const Module& module, const Group& group)
      : module_(&module),
        group_(&group),
        first_value_(position_of(module, group.members[0])),
        first_count_(position_of(module, group.members[1])),
        counts_(group.keys),
        last_(group.slots) {}
  const Field& field() const override { return module_->fields[first_value_]; }
  void resize(std::size_t groups) override { groups_ = groups; }

  void add(const Rows& rows, const Groups&) override {
    std::vector<std::int64_t> value(group_->keys);
    for (std::size_t s = 0; s < group_->slots; ++s) {
      const Column& counts = *rows.columns[first_count_ + s];
      const Column& firsts = *rows.columns[value_position(s, 0)];
      if (firsts.all_zero || (firsts.null_count == firsts.length && firsts.length)) continue;
      auto first = firsts.values<std::int64_t>();
      auto count = counts.values<std::int64_t>();
      for (std::size_t r = 0; r < rows.count; ++r) {
        if (first[r] == 0 || count[r] == 0) continue;  // the slot is not used
        if (first[r] < 0 || count[r] < 0) {
          ++rejected;
          continue;
        }
        value[0] = first[r];
        for (std::size_t k = 1; k < value.size(); ++k)
          value[k] = rows.columns[value_position(s, k)]->values<std::int64_t>()[r];
        last_[s] = counts_.add(static_cast<std::uint32_t>(rows.group(r)), value, count[r], last_[s]);
      }
    }
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const CommonValues&>(other).counts_;
    counts_.merge(from, into);
  }
  void write(StateWriter& state) const override { counts_.write(state); }
  void read(StateReader& state, const Groups&) override { counts_.read(state, groups_); }

  void finish(const Groups&, Outcome& outcome) const override {
    auto sorted = counts_.sorted(groups_);
    auto none_missing = [](std::size_t) { return 0; };
    for (std::size_t s = 0; s < group_->slots; ++s) {
      for (std::size_t k = 0; k < group_->keys; ++k) {
        auto position = value_position(s, k);
        if (s >= sorted.most()) set_zero<std::int64_t>(outcome, position, module_->fields[position], groups_);
        else
          set<std::int64_t>(
              outcome, position, module_->fields[position], groups_,
              [&](std::size_t g) {
                return s < sorted[g].size() ? shown(position, counts_.value(sorted[g][s])[k])
                                            : std::optional<std::int64_t>(0);
              },
              none_missing);
      }
      if (s >= sorted.most())
        set_zero<std::int64_t>(outcome, first_count_ + s, module_->fields[first_count_ + s], groups_);
      else
        set<std::int64_t>(
            outcome, first_count_ + s, module_->fields[first_count_ + s], groups_,
            [&](std::size_t g) {
              return s < sorted[g].size() ? counts_.count(sorted[g][s]) : std::optional<std::int64_t>(0);
            },
            none_missing);
    }
    outcome.lists.push_back(list(sorted));
  }
  std::int64_t overflows() const override { return counts_.overflows(); }

 private:
  std::size_t value_position(std::size_t slot, std::size_t key) const {
    return first_value_ + slot * group_->keys + key;
  }
  std::optional<std::int64_t> shown(std::size_t position, std::int64_t value) const {
    return module_->fields[position].minus_one_is_null && value == -1 ? std::nullopt : std::optional(value);
  }
  /// All values: list<struct<value…, count>>.
  Column list(const ValueCounts::Sorted& sorted) const {
    std::vector<std::int32_t> offsets{0};
    std::vector<std::vector<std::optional<std::int64_t>>> members(group_->keys + 1u);
    for (auto& member : members) member.reserve(sorted.all().size());
    for (std::size_t g = 0; g < sorted.groups(); ++g) {
      for (auto entry : sorted[g]) {
        for (std::size_t k = 0; k < group_->keys; ++k)
          members[k].push_back(shown(first_value_ + k, counts_.value(entry)[k]));
        members.back().push_back(counts_.count(entry));
      }
      offsets.push_back(static_cast<std::int32_t>(members.back().size()));
    }
    Column items;
    items.type = ColumnType::structure;
    items.length = offsets.back();
    for (std::size_t k = 0; k < group_->keys; ++k)
      items.children.push_back(
          value_column<std::int64_t>(member_name(module_->fields[first_value_ + k].name), members[k]));
    items.children.push_back(value_column<std::int64_t>("count", members.back()));
    return list_column(std::string(group_->list), offsets, std::move(items));
  }

  const Module* module_;
  const Group* group_;
  std::size_t first_value_, first_count_, groups_ = 0;
  ValueCounts counts_;
  std::vector<std::size_t> last_;  ///< entry of each slot's last value: neighbours are often alike
};

/// Lists of counts, added element by element; shorter ones end in zeros.
class ListSums final : public Reducer {
 public:
  ListSums(const Module& module, const Repeat& repeat)
      : field_(&repeat.fields[0]), position_(static_cast<std::size_t>(&repeat - module.repeats.data())) {}
  const Field& field() const override { return *field_; }
  void resize(std::size_t groups) override { sums_.resize(groups); }

  void add(const Rows& rows, const Groups&) override {
    const Column& list = *rows.lists[position_];
    auto offsets = list.offsets.as<std::int32_t>();
    auto values = list.children[0].values<std::int64_t>();
    for (std::size_t r = 0; r < rows.count; ++r) {
      auto& sums = sums_[rows.group(r)];
      auto begin = static_cast<std::size_t>(offsets[r]), size = static_cast<std::size_t>(offsets[r + 1]) - begin;
      if (sums.size() < size) sums.resize(size);
      for (std::size_t i = 0; i < size; ++i) {
        if (values[begin + i] < 0) ++rejected;
        else sums[i].add(values[begin + i]);
      }
    }
  }
  void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t) override {
    const auto& from = static_cast<const ListSums&>(other).sums_;
    for (std::size_t g = 0; g < from.size(); ++g) {
      auto& sums = sums_[into[g]];
      if (sums.size() < from[g].size()) sums.resize(from[g].size());
      for (std::size_t i = 0; i < from[g].size(); ++i) sums[i].merge(from[g][i]);
    }
  }
  void write(StateWriter& state) const override {
    for (const auto& sums : sums_) {
      state.put(static_cast<std::uint64_t>(sums.size()));
      for (const auto& s : sums) put(state, s);
    }
  }
  void read(StateReader& state, const Groups& groups) override {
    for (std::size_t g = 0; g < sums_.size(); ++g) {
      sums_[g].resize(state.get_count(count_sum_bytes));
      for (auto& s : sums_[g]) get(state, s, groups.records(g));
    }
  }
  void finish(const Groups&, Outcome& outcome) const override {
    std::vector<std::int32_t> offsets{0};
    std::vector<std::optional<std::int64_t>> items;
    for (const auto& sums : sums_) {
      for (const auto& s : sums) items.push_back(s.value());
      offsets.push_back(static_cast<std::int32_t>(items.size()));
    }
    Column list = list_column(std::string(field_->label()), offsets, value_column<std::int64_t>("item", items));
    list.field = field_;
    outcome.lists.push_back(std::move(list));
  }
  std::int64_t overflows() const override {
    std::int64_t count = 0;
    for (const auto& sums : sums_)
      count += std::count_if(sums.begin(), sums.end(), [](const CountSum& s) { return s.overflow; });
    return count;
  }

 private:
  const Field* field_;
  std::size_t position_;
  std::vector<std::vector<CountSum>> sums_;
};

}  // namespace

std::unique_ptr<Reducer> common_values(const Module& module, const Group& group) {
  return std::make_unique<CommonValues>(module, group);
}
std::unique_ptr<Reducer> list_sum(const Module& module, const Repeat& repeat) {
  return std::make_unique<ListSums>(module, repeat);
}

}  // namespace darrow

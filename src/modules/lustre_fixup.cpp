#include "modules/lustre_fixup.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "modules/tables.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

const Repeat& find_repeat(std::string_view name) {
  for (const auto& r : tables::lustre.repeats)
    if (r.name == name && r.in(tables::lustre.current())) return r;
  throw std::logic_error("no such list");
}

Column numbers_column(std::span<const std::int64_t> values) {
  Column c;
  c.length = static_cast<std::int64_t>(values.size());
  NewBuffer out(values.size() * sizeof(std::int64_t));
  if (!values.empty()) std::memcpy(out.data, values.data(), out.size);
  c.data = out.buffer();
  return c;
}

/// The components of all records and their targets, built row by row.
class Components {
 public:
  void add(std::span<const std::int64_t> numbers, std::string_view pool, std::span<const std::int64_t> targets) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers_[i].push_back(numbers[i]);
    pools_.add_valid(pool);
    targets_.insert(targets_.end(), targets.begin(), targets.end());
    if (targets_.size() > INT32_MAX) throw std::length_error("more than 2^31 list elements in one column");
    target_offsets_.push_back(static_cast<std::int32_t>(targets_.size()));
  }
  void end_record() { offsets_.push_back(pools_.size()); }

  /// Takes the place of all lists in `records`.
  void replace(Records& records) && {
    const Repeat& components = find_repeat("components");
    Elements e;
    e.repeat = &components;
    e.offsets = std::move(offsets_);
    std::size_t i = 0;
    for (const auto& f : components.fields) {
      Column c = f.type == Type::text ? std::move(pools_).finish() : numbers_column(numbers_[i++]);
      c.name = f.label();
      c.field = &f;
      e.columns.push_back(std::move(c));
    }
    e.columns.push_back(targets());
    records.elements.clear();
    records.elements.push_back(std::move(e));
  }

  static constexpr std::size_t count = 7;  ///< int64 fields of a component

 private:
  Column targets() {
    const Field& field = find_repeat("osts").fields[0];
    Column item = numbers_column(targets_);
    item.name = "item";
    item.field = &field;
    Column list;
    list.name = field.label();
    list.type = ColumnType::list;
    list.length = static_cast<std::int64_t>(target_offsets_.size()) - 1;
    NewBuffer offsets(target_offsets_.size() * sizeof(std::int32_t));
    std::memcpy(offsets.data, target_offsets_.data(), offsets.size);
    list.offsets = offsets.buffer();
    list.children.push_back(std::move(item));
    return list;
  }

  std::vector<std::int64_t> offsets_{0};
  std::array<std::vector<std::int64_t>, count> numbers_;
  TextBuilder pools_{"pool"};
  std::vector<std::int64_t> targets_;
  std::vector<std::int32_t> target_offsets_{0};
};

std::span<const std::int64_t> numbers_of(const Column& c) { return c.values<std::int64_t>(); }

/// The targets stored with record r.
std::span<const std::int64_t> targets_of(const Elements& osts, std::size_t r) {
  auto begin = static_cast<std::size_t>(osts.offsets[r]), end = static_cast<std::size_t>(osts.offsets[r + 1]);
  return numbers_of(osts.columns[0]).subspan(begin, end - begin);
}

}  // namespace

void lustre_single_component(Records& records, ProblemCounts& problems) {
  const Column *size = records.find("LUSTRE_STRIPE_SIZE"), *width = records.find("LUSTRE_STRIPE_WIDTH");
  const Elements* osts = records.find_elements("osts");
  if (!size || !width || !osts) return;
  Components components;
  for (std::size_t r = 0; r < static_cast<std::size_t>(records.rows); ++r) {
    // What version 1 does not tell: pattern, flags and mirror. The component spans the file: 0 to its end (−1).
    const std::int64_t numbers[Components::count] = {numbers_of(*size)[r], numbers_of(*width)[r], -1, -1, 0, -1, -1};
    components.add(numbers, "", targets_of(*osts, r));
    components.end_record();
  }
  std::move(components).replace(records);
  problems.add(ProblemKind::value_upconverted, records.rows, "each layout of version 1 became one component");
}

void lustre_assign_targets(Records& records, ProblemCounts& problems) {
  const Elements *stored = records.find_elements("components"), *osts = records.find_elements("osts");
  if (!stored || !osts) return;
  Components components;
  std::int64_t cut = 0, overdrawn = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(records.rows); ++r) {
    auto targets = targets_of(*osts, r);
    bool too_few = false;
    for (auto i = stored->offsets[r]; i < stored->offsets[r + 1]; ++i) {
      std::int64_t numbers[Components::count];
      for (std::size_t k = 0; k < Components::count; ++k)
        numbers[k] = numbers_of(stored->columns[k])[static_cast<std::size_t>(i)];
      auto [stripe_size, stripe_count] = std::pair(numbers[0], numbers[1]);
      if (stripe_size == -1) {  // this one and all behind it are unused leftovers
        cut += stored->offsets[r + 1] - i;
        break;
      }
      auto own = static_cast<std::size_t>(stripe_count < 0 ? 0 : stripe_count);
      too_few |= stripe_count < 0 || own > targets.size();
      own = std::min(own, targets.size());
      components.add(numbers, stored->columns[Components::count].text(i), targets.first(own));
      targets = targets.subspan(own);
    }
    overdrawn += too_few;
    components.end_record();
  }
  std::move(components).replace(records);
  problems.add(ProblemKind::layout_cut, cut, "unused layout components left out: {}");
  problems.add(ProblemKind::layout_osts, overdrawn, "records that claim more storage targets than they store: {}");
}

std::string lustre_contradiction(const Records& records) {
  const Elements& components = records.elements[0];
  const Column& targets = components.columns.back();
  auto sizes = numbers_of(components.columns[0]), counts = numbers_of(components.columns[1]);
  auto ends = targets.offsets.as<std::int32_t>();
  for (std::size_t r = 0; r < static_cast<std::size_t>(records.rows); ++r)
    for (auto i = static_cast<std::size_t>(components.offsets[r]);
         i < static_cast<std::size_t>(components.offsets[r + 1]); ++i)
      if (sizes[i] == -1)
        return fmt::format("row {}: a component without {} would be taken for an unused one", r,
                           components.columns[0].name);
      else if (counts[i] < 0 || ends[i + 1] - ends[i] != counts[i])
        return fmt::format("row {}: a component with {} {} owns {} {}", r, components.columns[1].name, counts[i],
                           targets.name, ends[i + 1] - ends[i]);
  return {};
}

void lustre_collect_targets(Records& records) {
  Elements& components = *records.find_elements("components");
  const Column& targets = components.columns.back();
  auto ends = targets.offsets.as<std::int32_t>();
  const Repeat& repeat = find_repeat("osts");
  Elements osts;
  osts.repeat = &repeat;
  std::vector<std::int64_t> component_counts, target_counts;
  for (std::size_t r = 0; r < static_cast<std::size_t>(records.rows); ++r) {
    auto first = static_cast<std::size_t>(components.offsets[r]),
         last = static_cast<std::size_t>(components.offsets[r + 1]);
    component_counts.push_back(static_cast<std::int64_t>(last - first));
    target_counts.push_back(ends[last] - ends[first]);
    osts.offsets.push_back(osts.offsets.back() + target_counts.back());
  }
  osts.columns.push_back(targets.children[0]);
  osts.columns[0].field = repeat.fields.data();
  components.columns.pop_back();
  records.elements.push_back(std::move(osts));

  auto put = [&](std::string_view name, std::span<const std::int64_t> counts) {
    const Field* field = find_field(tables::lustre.fields, name);
    Column* there = records.find(name);
    if (!there) there = &records.columns.emplace_back();
    *there = numbers_column(counts);
    there->name = field->label();
    there->field = field;
  };
  put("num_comps", component_counts);
  put("num_stripes", target_counts);
}

}  // namespace darrow

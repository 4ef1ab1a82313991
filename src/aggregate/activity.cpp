#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "aggregate/activity_state.hpp"
#include "aggregate/groups.hpp"
#include "base/invalid_argument.hpp"
#include "darrow/metrics.hpp"

namespace darrow {
namespace {

/// The group of common access sizes, or null.
const Group* access_sizes(const Module& module) {
  for (const auto& group : module.groups)
    if (group.kind == GroupKind::top && find_field(module.fields, group.members[0])->role == Role::access_size)
      return &group;
  return nullptr;
}

/// Positions of the counters that metrics are made of.
std::vector<std::size_t> needed(const Module& module) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < module.fields.size(); ++i)
    if (auto& f = module.fields[i]; f.role != Role::none && f.role != Role::access_size && f.in(module.current()))
      positions.push_back(i);
  if (const Group* group = access_sizes(module)) {
    auto value = position_of(module, group->members[0]), count = position_of(module, group->members[1]);
    for (std::size_t s = 0; s < group->slots; ++s)
      positions.insert(positions.end(), {value + s * group->keys, count + s});
  }
  return positions;
}

std::string_view lacking_column(const Module& module, const Rows& rows) {
  if (!rows.id) return id_field.label();
  if (!rows.rank) return rank_field.label();
  for (auto position : needed(module))
    if (!rows.columns[position]) return module.fields[position].label();
  return {};
}

}  // namespace

Activity::Activity(std::int64_t nprocs) : state_(std::make_unique<State>()) { state_->nprocs = nprocs; }
Activity::Activity(Activity&&) noexcept = default;
Activity& Activity::operator=(Activity&&) noexcept = default;
Activity::~Activity() = default;

void Activity::reserve(std::size_t files) { state_->files.reserve(files); }

std::int64_t Activity::files() const { return static_cast<std::int64_t>(state_->files.size()); }

std::vector<std::string> Activity::columns(const Module& module) {
  std::vector<std::string> names{"id", "rank"};
  for (auto position : needed(module)) names.emplace_back(module.fields[position].label());
  return names;
}

void Activity::State::add_sums(const Rows& rows, const RoleColumns& columns) {
  std::size_t reads = 0, writes = 0;
  for (const auto& [role, column] : columns.all) {
    switch (kind_of(role)) {
      case Kind::count: counts[at(role)].add(*column, rows); break;
      case Kind::sizes:
        if (role == Role::size_read) read_sizes[reads++].add(*column, rows);
        else write_sizes[writes++].add(*column, rows);
        break;
      case Kind::none:
      case Kind::time:
      case Kind::offset:
      case Kind::slowest:
      case Kind::common: break;  // row by row
    }
  }
}

void Activity::State::add_common(const Rows& rows, const Module& module) {
  const Group* group = access_sizes(module);
  if (!group) return;
  auto value = position_of(module, group->members[0]), count = position_of(module, group->members[1]);
  for (std::size_t s = 0; s < group->slots; ++s) {
    if (rows.columns[value + s * group->keys]->all_zero) continue;
    auto sizes = rows.columns[value + s * group->keys]->values<std::int64_t>();
    auto counts = rows.columns[count + s]->values<std::int64_t>();
    std::size_t last = 0;
    for (std::size_t r = 0; r < rows.count; ++r)
      if (sizes[r] > 0 && counts[r] > 0)
        last = common.add(static_cast<std::uint32_t>(rows.group(r)), {&sizes[r], 1}, counts[r], last);
  }
}

namespace {

/// Values of a column that may not be there.
template <typename T>
class Cells {
 public:
  explicit Cells(const Column* column)
      : column_(column && column->null_count ? column : nullptr),
        values_(column && column->length ? column->values<T>().data() : nullptr),
        all_zero_(column && column->all_zero && !column->null_count) {}
  bool all_zero() const { return all_zero_; }
  bool has(std::size_t row) const { return values_ && (!column_ || column_->valid(static_cast<std::int64_t>(row))); }
  T operator[](std::size_t row) const { return values_[row]; }
  /// The values of those rows, or none if some of them may be null.
  std::span<const T> run(std::size_t first, std::size_t last) const {
    return values_ && !column_ ? std::span(values_ + first, last - first) : std::span<const T>();
  }

 private:
  const Column* column_;  ///< null: no nulls
  const T* values_;
  bool all_zero_;
};

/// Adds the times of rows that follow one another. Returns whether there was any time in them.
bool add_run(const Cells<double>& cells, std::size_t first, std::size_t last, TimeSum& sum, std::int64_t& terms) {
  auto count = last - first;
  if (cells.all_zero()) {
    terms += static_cast<std::int64_t>(count);
    return false;
  }
  const TimeSum before = sum;
  if (auto values = cells.run(first, last); values.size() == count && sum.add_all(values)) {
    terms += static_cast<std::int64_t>(count);
    return sum != before;
  }
  for (std::size_t r = first; r < last; ++r) {
    if (!cells.has(r) || !is_time(cells[r])) continue;
    sum.add(cells[r]);
    ++terms;
  }
  return sum != before;
}

/// −1 if it is not recorded, or cannot be true.
std::int64_t known_count(const Cells<std::int64_t>& cells, std::size_t row) {
  return cells.has(row) ? std::max<std::int64_t>(cells[row], -1) : -1;
}

}  // namespace

void Activity::State::add_files(const Rows& rows, const RoleColumns& columns, RoleSet of_module,
                                std::span<const std::int64_t> numbers) {
  using Counts = Cells<std::int64_t>;
  using Times = Cells<double>;
  const Counts read(columns.find(Role::bytes_read)), written(columns.find(Role::bytes_written));
  const Counts max_read(columns.find(Role::max_byte_read)), max_written(columns.find(Role::max_byte_written));
  const Times times[] = {Times(columns.find(Role::read_time)), Times(columns.find(Role::write_time)),
                         Times(columns.find(Role::meta_time))};
  const Times wait(columns.find(Role::wait_time)), slowest(columns.find(Role::slowest_time));
  auto ids = rows.ids();
  auto ranks = rows.ranks();
  // Records of one rank often lie together.
  for (std::size_t first = 0, last = 0; first < rows.count; first = last) {
    while (last < rows.count && ranks[last] == ranks[first] && rows.group(last) == rows.group(first)) ++last;
    auto g = static_cast<std::uint32_t>(rows.group(first));
    auto rank = ranks[first];
    ActivitySums& group = groups[g];
    group.records += static_cast<std::int64_t>(last - first);
    group.present |= of_module;
    group.lacking |= ~of_module;
    auto own = files.rank_entry(g, rank);
    for (std::size_t r = first; r < last; ++r)
      files.add(g, own,
                {ids[r], numbers.empty() ? -1 : numbers[r], known_count(read, r), known_count(written, r),
                 std::max(known_count(max_read, r), known_count(max_written, r))});
    if (rank < -1) continue;  // nobody's time
    (rank == -1 ? group.shared_records : group.rank_records) += static_cast<std::int64_t>(last - first);
    for (std::size_t k = 0; k < 3; ++k) {
      auto& of_group = group.times[k];
      auto& sum = own == FileTable::no_rank ? of_group.sum : files.rank(own).times[k];
      std::int64_t before = of_group.terms;
      bool any = add_run(times[k], first, last, sum, of_group.terms);
      if (rank >= 0) group.rank_times += of_group.terms - before;
      group.shared[k] |= any && own == FileTable::no_rank;
    }
    auto& waited = group.times[time_at(Role::wait_time)];
    add_run(wait, first, last, waited.sum, waited.terms);
    if (rank == -1) {
      auto& sum = group.times[time_at(Role::slowest_time)];
      add_run(slowest, first, last, sum.sum, sum.terms);
    }
  }
}

Result<std::int64_t> Activity::add(const Table& table, std::span<const std::uint32_t> groups,
                                   std::span<const std::int64_t> numbers) {
  if (!table.module || !table.module->instead.empty())
    return invalid_argument(table.name,
                            fmt::format("{} has no records of which metrics could be made{}{}", table.name,
                                        table.module ? ": " : "", table.module ? table.module->instead : ""));
  const Module& module = *table.module;
  if (!groups.empty() && groups.size() != static_cast<std::size_t>(table.rows))
    return invalid_argument(table.name, fmt::format("{} groups given for {} rows", groups.size(), table.rows));
  if (!numbers.empty() && numbers.size() != static_cast<std::size_t>(table.rows))
    return invalid_argument(table.name, fmt::format("{} numbers given for {} rows", numbers.size(), table.rows));
  std::size_t count = groups.empty() ? 1 : groups_for(groups);
  if (count > most_groups) return invalid_argument(table.name, too_many_groups(count));
  Rows rows = rows_of(table, module, groups, state_->records);
  if (auto lacks = lacking_column(module, rows); !lacks.empty())
    return invalid_argument(table.name, fmt::format("the table lacks column {}, which metrics need", lacks));
  RoleColumns columns;
  for (const Column* c : rows.columns)
    if (c && c->field->role != Role::none) columns.all.emplace_back(c->field->role, c);

  State& s = *state_;
  s.resize(count);
  s.add_sums(rows, columns);
  s.add_common(rows, module);
  RoleSet of_module = 0;
  for (const auto& f : module.fields) of_module |= bit(f.role);
  if (table.rows == 0 && groups.empty()) s.groups[0].present |= of_module;
  s.add_files(rows, columns, of_module, numbers);
  s.records += table.rows;
  return table.rows;
}

Result<std::int64_t> Activity::merge(const Activity& other, std::span<const std::uint32_t> into) {
  return merge(other, into, true);
}

Result<std::int64_t> Activity::merge_numbers(const Activity& other, std::span<const std::uint32_t> into) {
  return merge(other, into, false);
}

Result<std::int64_t> Activity::merge(const Activity& other, std::span<const std::uint32_t> into, bool with_files) {
  State& s = *state_;
  const State& o = *other.state_;
  if (&other == this) return invalid_argument({}, "an activity cannot be merged with itself");
  if (s.nprocs != o.nprocs)
    return invalid_argument(
        {}, fmt::format("activity of {} processes and of {} does not merge: they are two jobs", s.nprocs, o.nprocs));
  if (!into.empty() && into.size() != o.groups.size())
    return invalid_argument({}, fmt::format("{} groups given for {}", into.size(), o.groups.size()));
  std::vector<std::uint32_t> numbers(into.begin(), into.end());
  if (into.empty()) {
    numbers.resize(o.groups.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
  }
  std::size_t count = groups_for(numbers);
  if (count > most_groups) return invalid_argument({}, too_many_groups(count));
  s.resize(count);
  for (std::size_t g = 0; g < numbers.size(); ++g) s.groups[numbers[g]].merge(o.groups[g]);
  std::vector<const ActivityCounts*> from;
  other.state_->each_counts([&](const ActivityCounts& c) { from.push_back(&c); });
  s.each_counts([&, i = std::size_t{0}](ActivityCounts& c) mutable { c.merge(*from[i++], numbers); });
  if (with_files) s.files.merge(o.files, numbers);
  else s.files.merge_numbers(o.files, numbers);
  s.common.merge(o.common, numbers);
  s.records += o.records;
  return o.records;
}

}  // namespace darrow

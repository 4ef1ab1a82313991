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

/// Positions of the counters that facts are made of.
std::vector<std::size_t> needed(const Module& module, Activity::Detail detail) {
  bool files = detail == Activity::Detail::files;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < module.fields.size(); ++i) {
    const Field& f = module.fields[i];
    auto kind = kind_of(f.role);
    if (kind != Kind::none && kind != Kind::common && (files || kind != Kind::offset) && f.in(module.current()))
      positions.push_back(i);
  }
  if (const Group* group = access_sizes(module); group && files) {
    auto value = position_of(module, group->members[0]), count = position_of(module, group->members[1]);
    for (std::size_t s = 0; s < group->slots; ++s)
      positions.insert(positions.end(), {value + s * group->keys, count + s});
  }
  return positions;
}

std::string_view lacking_column(const Module& module, const Rows& rows, Activity::Detail detail) {
  if (!rows.id) return id_field.label();
  if (!rows.rank) return rank_field.label();
  for (auto position : needed(module, detail))
    if (!rows.columns[position]) return module.fields[position].label();
  return {};
}

}  // namespace

Activity::Activity(std::int64_t nprocs, Detail detail) : state_(std::make_unique<State>()) {
  state_->nprocs = nprocs;
  state_->detail = detail;
}
Activity::Activity(Activity&&) noexcept = default;
Activity& Activity::operator=(Activity&&) noexcept = default;
Activity::~Activity() = default;

std::unique_ptr<Activity::State> Activity::release() && { return std::move(state_); }

void Activity::reserve(std::size_t files, std::size_t groups) {
  State& s = *state_;
  if (s.detail == Detail::files) s.files.reserve(files);
  else s.file_counts.reserve(files, groups);
  if (groups <= 1) return;
  s.groups.reserve(groups);
  s.counts.reserve(groups);
  for (auto& times : s.rest) times.reserve(groups);
  s.ranks.reserve(groups);
}

std::int64_t Activity::files() const { return static_cast<std::int64_t>(state_->files.size()); }

std::vector<std::string> Activity::columns(const Module& module, Detail detail) {
  std::vector<std::string> names{"id", "rank"};
  for (auto position : needed(module, detail)) names.emplace_back(module.fields[position].label());
  return names;
}

void Activity::State::add_sums(const Rows& rows, const RoleColumns& columns) {
  std::size_t reads = 0, writes = 0;
  for (const auto& [role, column] : columns.all) {
    switch (kind_of(role)) {
      case Kind::count: counts.by_role[at(role)].add(*column, rows); break;
      case Kind::sizes:
        if (role == Role::size_read) counts.read_sizes[reads++].add(*column, rows);
        else counts.write_sizes[writes++].add(*column, rows);
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

/// Adds the times of rows that follow one another. Returns whether there are any, and whether there is more than 0.
struct Added {
  bool any, spent;
};
Added add_run(const Cells<double>& cells, std::size_t first, std::size_t last, TimeSums& sums, std::size_t to) {
  if (cells.all_zero()) return {true, false};
  auto values = cells.run(first, last);
  if (values.size() == last - first && sums.add_all(to, values))
    return {true, std::ranges::any_of(values, [](double time) { return time != 0; })};
  Added added{false, false};
  for (std::size_t r = first; r < last; ++r) {
    if (!cells.has(r) || !is_time(cells[r])) continue;
    sums.add(to, cells[r]);
    added.any = true;
    added.spent |= cells[r] != 0;
  }
  return added;
}

/// −1 if it is not recorded, or cannot be true.
std::int64_t known_count(const Cells<std::int64_t>& cells, std::size_t row) {
  return cells.has(row) ? std::max<std::int64_t>(cells[row], -1) : -1;
}

}  // namespace

void Activity::State::add_records(const Rows& rows, const RoleColumns& columns, RoleSet of_module,
                                  std::span<const std::int64_t> numbers) {
  using Counts = Cells<std::int64_t>;
  using Times = Cells<double>;
  const Counts read(columns.find(Role::bytes_read)), written(columns.find(Role::bytes_written));
  const Counts max_read(columns.find(Role::max_byte_read)), max_written(columns.find(Role::max_byte_written));
  const Times times[] = {Times(columns.find(Role::read_time)), Times(columns.find(Role::write_time)),
                         Times(columns.find(Role::meta_time))};
  const Times wait(columns.find(Role::wait_time)), slowest(columns.find(Role::slowest_time));
  auto ids = rows.ids();
  auto of_rows = rows.ranks();
  // Records of one rank often lie together.
  for (std::size_t first = 0, last = 0; first < rows.count; first = last) {
    while (last < rows.count && of_rows[last] == of_rows[first] && rows.group(last) == rows.group(first)) ++last;
    auto g = static_cast<std::uint32_t>(rows.group(first));
    auto rank = of_rows[first];
    ActivityGroup& group = groups[g];
    group.records += static_cast<std::int64_t>(last - first);
    group.present |= of_module;
    group.lacking |= ~of_module;
    auto own = ranks.entry(g, rank);
    for (std::size_t r = first; r < last; ++r) {
      std::int64_t number = numbers.empty() ? -1 : numbers[r];
      if (detail == Detail::files)
        files.add(g, own,
                  {ids[r], number, known_count(read, r), known_count(written, r),
                   std::max(known_count(max_read, r), known_count(max_written, r))},
                  ranks);
      else file_counts.add(g, ids[r], number);
    }
    if (rank < -1) continue;  // nobody's time
    bool shared = rank == -1;
    (shared ? group.shared_records : group.rank_records) = true;
    auto add_rest = [&](const Times& cells, Role role) {
      auto added = add_run(cells, first, last, rest[time_at(role)], g);
      if (added.any) group.timed |= static_cast<std::uint8_t>(1u << time_at(role));
      return added;
    };
    for (std::size_t k = 0; k < std::size(rank_times); ++k) {
      if (shared) {
        if (add_rest(times[k], rank_times[k]).spent) group.shared |= static_cast<std::uint8_t>(1u << k);
      } else if (add_run(times[k], first, last, ranks.times(k), own).any) {
        group.timed |= static_cast<std::uint8_t>(1u << time_at(rank_times[k]));
        group.ranks_timed = true;
      }
    }
    add_rest(wait, Role::wait_time);
    if (shared) add_rest(slowest, Role::slowest_time);
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
  if (auto lacks = lacking_column(module, rows, state_->detail); !lacks.empty())
    return invalid_argument(table.name, fmt::format("the table lacks column {}, which metrics need", lacks));
  RoleColumns columns;
  for (const Column* c : rows.columns)
    if (c && c->field->role != Role::none) columns.all.emplace_back(c->field->role, c);

  State& s = *state_;
  s.resize(count);
  s.add_sums(rows, columns);
  if (s.detail == Detail::files) s.add_common(rows, module);
  RoleSet of_module = 0;
  for (const auto& f : module.fields) of_module |= bit(f.role);
  if (table.rows == 0 && groups.empty()) s.groups[0].present |= of_module;
  s.add_records(rows, columns, of_module, numbers);
  s.records += table.rows;
  return table.rows;
}

Result<std::int64_t> Activity::merge(const Activity& other, std::span<const std::uint32_t> into) {
  State& s = *state_;
  const State& o = *other.state_;
  if (&other == this) return invalid_argument({}, "an activity cannot be merged with itself");
  if (s.nprocs != o.nprocs)
    return invalid_argument(
        {}, fmt::format("activity of {} processes and of {} does not merge: they are two jobs", s.nprocs, o.nprocs));
  if (s.detail != o.detail) return invalid_argument({}, "activities of different detail do not merge");
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
  s.counts.merge(o.counts, numbers);
  for (std::size_t i = 0; i < s.rest.size(); ++i) s.rest[i].merge(o.rest[i], numbers);
  auto rank_at = s.ranks.merge(o.ranks, numbers);
  s.files.merge(o.files, numbers, rank_at, s.ranks);
  s.file_counts.merge(o.file_counts, numbers);
  s.common.merge(o.common, numbers);
  s.records += o.records;
  return o.records;
}

}  // namespace darrow

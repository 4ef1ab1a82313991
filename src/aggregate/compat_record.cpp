#include "aggregate/compat_record.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "aggregate/compat_common_values.hpp"
#include "aggregate/compat_wrap.hpp"
#include "table/build.hpp"

namespace darrow::compat {
namespace {

using Fold = Upstream::Fold;

/// The integer part of a double, as far as it fits.
std::int64_t truncated(double v) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  return v >= -limit && v < limit ? static_cast<std::int64_t>(v) : std::numeric_limits<std::int64_t>::min();
}

/// Folds numbers by their rule. Rules that are not listed belong to groups, or give nothing.
template <typename T>
void fold(T& aggregate, std::span<const T> values, Rule rule, bool clamps) {
  for (T v : values) {
    switch (rule) {
      case Rule::sum:
        if constexpr (std::is_same_v<T, double>) aggregate += v;
        else aggregate = compat::add(aggregate, v);
        if (clamps && aggregate < 0) aggregate = -1;
        break;
      case Rule::max:
      case Rule::end:
        if (v > aggregate) aggregate = v;
        break;
      case Rule::start:
        if (v > 0 && (aggregate == 0 || v < aggregate)) aggregate = v;
        break;
      case Rule::same: aggregate = v; break;
      case Rule::flag:
        if (v > 0) aggregate = 1;
        break;
      default: return;
    }
  }
}

}  // namespace

AggregateRecord::AggregateRecord(const Module& module)
    : module_(module), ints_(module.fields.size()), floats_(module.fields.size()), lists_(module.repeats.size()) {}

void AggregateRecord::add(const Columns& records) {
  if (records.rows() == 0) return;
  if (module_.upstream.fold == Fold::first_only) {
    if (records_ > 0) return;
    id_ = records.ids()[0];
    rank_ = records.ranks()[0];
    for (std::size_t i = 0; i < module_.fields.size(); ++i)
      if (is_counter(module_.fields[i], module_)) take(i, records, 0);
    records_ = 1;
    return;
  }
  add_identity(records);
  for (std::size_t i = 0; i < module_.fields.size(); ++i)
    if (is_counter(module_.fields[i], module_)) add_field(i, records);
  for (const auto& g : module_.groups) {
    switch (g.kind) {
      case GroupKind::max_with: add_max_with(g, records); break;
      case GroupKind::fastest:
      case GroupKind::slowest: add_extreme(g, records); break;
      case GroupKind::variance: add_variance(g, records); break;
      case GroupKind::top: add_common_values(g, records); break;
    }
  }
  for (std::size_t i = 0; i < module_.repeats.size(); ++i) add_list(i, records);
  records_ += static_cast<std::int64_t>(records.rows());
}

bool AggregateRecord::agrees(const Columns& records) const {
  for (std::size_t i = 0; i < module_.fields.size(); ++i) {
    const Field& f = module_.fields[i];
    if (!is_counter(f, module_) || f.type == Type::f64 || f.accident != Accident::none || records.rows() == 0) continue;
    auto values = records.ints(i);
    std::int64_t first = records_ > 0 ? ints_[i] : values[0];
    if (std::any_of(values.begin(), values.end(), [&](std::int64_t v) { return v != first; })) return false;
  }
  return true;
}

void AggregateRecord::add_identity(const Columns& records) {
  same_file_.assign(records.rows(), true);
  if (module_.upstream.fold != Fold::accumulator) return;
  auto ids = records.ids();
  auto ranks = records.ranks();
  if (records_ == 0) {
    id_ = ids[0];
    rank_ = ranks[0];
  }
  for (std::size_t r = 0; r < ids.size(); ++r) {
    same_file_[r] = id_ == ids[r];
    if (id_ != ids[r]) id_ = 0;  // which is an id, too: a later record may have it
    if (rank_ != ranks[r]) rank_ = -1;
  }
}

void AggregateRecord::add_field(std::size_t i, const Columns& records) {
  const Field& f = module_.fields[i];
  if (f.type == Type::f64) fold(floats_[i], records.floats(i), f.rule, false);
  else fold(ints_[i], records.ints(i), f.rule, module_.upstream.clamps);
}

std::size_t AggregateRecord::member(const Group& g, std::size_t i) const {
  return static_cast<std::size_t>(position(module_, g.members[i]));
}

void AggregateRecord::take(std::size_t field, const Columns& records, std::size_t row) {
  if (module_.fields[field].type == Type::f64) floats_[field] = records.floats(field)[row];
  else ints_[field] = records.ints(field)[row];
}

void AggregateRecord::add_max_with(const Group& g, const Columns& records) {
  const std::size_t leader = member(g, 0), companion = member(g, 1);
  bool is_time = module_.fields[leader].type == Type::f64;
  for (std::size_t r = 0; r < records.rows(); ++r)
    if (is_time ? records.floats(leader)[r] > floats_[leader] : records.ints(leader)[r] > ints_[leader]) {
      take(leader, records, r);
      take(companion, records, r);
    }
}

std::int64_t AggregateRecord::own_bytes(const Columns& records, std::size_t row) const {
  auto read = records.ints(static_cast<std::size_t>(position(module_, Role::bytes_read)))[row];
  auto written = records.ints(static_cast<std::size_t>(position(module_, Role::bytes_written)))[row];
  if (module_.upstream.fold == Fold::accumulator) return compat::add(read, written);
  return truncated(static_cast<double>(read) + static_cast<double>(written));
}

double AggregateRecord::own_time(const Columns& records, std::size_t row) const {
  auto seconds = [&](Role role) { return records.floats(static_cast<std::size_t>(position(module_, role)))[row]; };
  return seconds(Role::read_time) + seconds(Role::write_time) + seconds(Role::meta_time);
}

void AggregateRecord::add_extreme(const Group& g, const Columns& records) {
  const std::size_t time = member(g, 0), rank = member(g, 1), bytes = member(g, 2);
  bool stored = module_.upstream.fold == Fold::accumulator;
  for (std::size_t r = 0; r < records.rows(); ++r) {
    if (!same_file_[r]) {
      floats_[time] = 0;
      ints_[rank] = ints_[bytes] = -1;
      continue;
    }
    bool shared = stored && records.ranks()[r] == -1;
    double t = shared ? records.floats(time)[r] : own_time(records, r);
    bool first = records_ == 0 && r == 0;
    if (first || (g.kind == GroupKind::fastest ? t < floats_[time] : t > floats_[time])) {
      floats_[time] = t;
      ints_[rank] = shared ? records.ints(rank)[r] : records.ranks()[r];
      ints_[bytes] = shared ? records.ints(bytes)[r] : own_bytes(records, r);
    }
  }
}

double AggregateRecord::Variance::add(double value, double n) {
  double distance = value - mean;
  mean += distance / n;
  squares += (value - mean) * distance;
  return squares / n;
}

void AggregateRecord::add_variance(const Group& g, const Columns& records) {
  if (module_.upstream.fold == Fold::accumulator) return;
  for (std::size_t r = 0; r < records.rows(); ++r) {
    auto n = static_cast<double>(records_ + static_cast<std::int64_t>(r) + 1);
    floats_[member(g, 0)] = time_variance_.add(own_time(records, r), n);
    floats_[member(g, 1)] = bytes_variance_.add(static_cast<double>(own_bytes(records, r)), n);
  }
}

void AggregateRecord::add_common_values(const Group& g, const Columns& records) {
  const std::size_t value = member(g, 0), count = member(g, 1);
  CommonValues aggregate;
  auto each = [&](CommonValues& values, auto at) {  // at(field): the number that belongs there
    for (std::size_t slot = 0; slot < values.size(); ++slot) {
      for (std::size_t k = 0; k < g.keys; ++k) at(value + slot * g.keys + k, values[slot].value[k]);
      at(count + slot, values[slot].count);
    }
  };
  each(aggregate, [&](std::size_t field, std::int64_t& to) { to = ints_[field]; });
  for (std::size_t r = 0; r < records.rows(); ++r) {
    CommonValues record;
    each(record, [&](std::size_t field, std::int64_t& to) { to = records.ints(field)[r]; });
    merge(aggregate, record, module_.upstream.common);
  }
  each(aggregate, [&](std::size_t field, std::int64_t from) { ints_[field] = from; });
}

void AggregateRecord::add_list(std::size_t repeat, const Columns& records) {
  const Column& lists = *records.list(module_.repeats[repeat]);
  auto offsets = lists.offsets.as<std::int32_t>();
  auto values = lists.children[0].values<std::int64_t>();
  auto& sums = lists_[repeat];
  for (std::size_t r = 0; r < records.rows(); ++r) {
    auto first = static_cast<std::size_t>(offsets[r]), n = static_cast<std::size_t>(offsets[r + 1]) - first;
    if (sums.size() < n) sums.resize(n);
    for (std::size_t k = 0; k < n; ++k) sums[k] = compat::add(sums[k], values[first + k]);
  }
}

Table AggregateRecord::table() const {
  Table table;
  table.name = module_.name;
  table.module = &module_;
  table.version = module_.current();
  table.rows = 1;
  auto add = [&]<typename T>(const Field& f, T value) {
    Column c = value_column<T>(std::string(f.label()), {value});
    c.field = &f;
    table.columns.push_back(std::move(c));
  };
  add(id_field, id_);
  add(rank_field, rank_);
  for (std::size_t i = 0; i < module_.fields.size(); ++i) {
    const Field& f = module_.fields[i];
    if (!is_counter(f, module_)) continue;
    bool fixed = records_ > 0 && f.accident != Accident::none;
    std::int64_t value = f.accident == Accident::minus_one ? -1 : 0;
    if (f.type == Type::f64) add(f, fixed ? static_cast<double>(value) : floats_[i]);
    else if (f.type == Type::u64) add(f, static_cast<std::uint64_t>(fixed ? value : ints_[i]));
    else add(f, fixed ? value : ints_[i]);
  }
  for (std::size_t i = 0; i < module_.repeats.size(); ++i) {
    std::vector<std::optional<std::int64_t>> values(lists_[i].begin(), lists_[i].end());
    std::vector<std::optional<std::int32_t>> ends{0, static_cast<std::int32_t>(values.size())};
    Column c;
    c.name = module_.repeats[i].name;
    c.type = ColumnType::list;
    c.length = 1;
    c.offsets = value_column<std::int32_t>("", ends).data;
    c.children.push_back(value_column<std::int64_t>("item", values));
    table.columns.push_back(std::move(c));
  }
  return table;
}

}  // namespace darrow::compat

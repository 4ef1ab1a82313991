// Facts as tables: a row for each layer, category, size bucket, common size.
#include "aggregate/metric_values.hpp"
#include "base/problem_sink.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

/// The rows of one of the tables while they are made.
class TableRows {
 public:
  TableRows(std::string_view name, std::string_view label) : labels_(std::string(label)) { table_.name = name; }
  void row(std::string_view label) { labels_.add(label); }
  std::int64_t count() const { return labels_.size(); }
  void add(Column column) { columns_.push_back(std::move(column)); }

  Table finish() && {
    table_.rows = labels_.size();
    table_.columns.push_back(std::move(labels_).finish());
    for (auto& c : columns_) table_.columns.push_back(std::move(c));
    return std::move(table_);
  }

 private:
  Table table_;
  TextBuilder labels_;
  std::vector<Column> columns_;
};

/// The column of a metric: one value for each of `from`.
template <typename M, typename From>
Column column_of(const M& metric, const std::vector<const From*>& from) {
  std::string name(metric.metric.name);
  if (metric.metric.type == ColumnType::f64) {
    std::vector<std::optional<double>> values;
    for (const From* f : from) values.push_back(std::get<std::optional<double>>(metric.value(*f)));
    return value_column<double>(std::move(name), values);
  }
  std::vector<std::optional<std::int64_t>> values;
  for (const From* f : from) values.push_back(std::get<std::optional<std::int64_t>>(metric.value(*f)));
  return value_column<std::int64_t>(std::move(name), values);
}

}  // namespace

std::vector<Problem> metric_problems(std::string_view layer, const Facts& facts) {
  std::vector<Problem> found;
  std::string region(layer);
  ProblemSink sink(region, region, found);
  auto read = facts.count(Role::bytes_read), written = facts.count(Role::bytes_written);
  std::int64_t sum;
  if (read && written && __builtin_add_overflow(*read, *written, &sum))
    sink.add(ProblemKind::sum_overflow, "bytes read and written together do not fit 64 bits", 1);
  const auto& all = facts.files[0];
  if (all.max_offset && !all.size_sum)
    sink.add(ProblemKind::sum_overflow, "sizes of all files together do not fit 64 bits", 1);
  return found;
}

Table layer_table(std::string_view label, std::span<const std::string> labels, std::span<const Facts> facts) {
  TableRows rows(to_string(MetricTable::layers), label);
  std::vector<const Facts*> from;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    rows.row(labels[i]);
    from.push_back(&facts[i]);
  }
  for (const auto& m : metrics_of_layers()) rows.add(column_of(m, from));
  return std::move(rows).finish();
}

Table category_table(std::string_view label, std::span<const std::string> labels, std::span<const Facts> facts) {
  TableRows rows(to_string(MetricTable::categories), label);
  TextBuilder names("category");
  std::vector<const Facts::Files*> from;
  for (std::size_t i = 0; i < facts.size(); ++i)
    for (std::size_t c = 0; c < categories; ++c) {
      rows.row(labels[i]);
      names.add(to_string(static_cast<Category>(c)));
      from.push_back(&facts[i].files[c]);
    }
  rows.add(std::move(names).finish());
  for (const auto& m : metrics_of_categories()) rows.add(column_of(m, from));
  return std::move(rows).finish();
}

Table access_size_table(std::string_view label, std::span<const std::string> labels, std::span<const Facts> facts) {
  TableRows rows(to_string(MetricTable::access_sizes), label);
  TextBuilder ops("op");
  std::vector<std::optional<std::int64_t>> above, up_to, counts;
  auto add = [&](std::string_view of, std::string_view op, const auto& sizes) {
    if (!sizes[0]) return;
    for (std::size_t b = 0; b < size_buckets; ++b) {
      rows.row(of);
      ops.add(op);
      above.push_back(b ? std::optional(bucket_ends[b - 1]) : std::nullopt);
      up_to.push_back(b + 1 < size_buckets ? std::optional(bucket_ends[b]) : std::nullopt);
      counts.push_back(sizes[b]);
    }
  };
  for (std::size_t i = 0; i < facts.size(); ++i) {
    add(labels[i], "read", facts[i].read_sizes);
    add(labels[i], "write", facts[i].write_sizes);
  }
  rows.add(std::move(ops).finish());
  rows.add(value_column<std::int64_t>("above", above));
  rows.add(value_column<std::int64_t>("up_to", up_to));
  rows.add(value_column<std::int64_t>("count", counts));
  return std::move(rows).finish();
}

Table common_access_table(std::string_view label, std::span<const std::string> labels, std::span<const Facts> facts,
                          std::size_t most) {
  TableRows rows(to_string(MetricTable::common_accesses), label);
  std::vector<std::optional<std::int64_t>> sizes, counts;
  std::vector<std::optional<double>> shares;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Facts& f = facts[i];
    if (!f.has_common_accesses) continue;
    auto reads = f.count(Role::reads), writes = f.count(Role::writes);
    std::int64_t all = 0, listed = 0;
    bool known = reads && writes && !__builtin_add_overflow(*reads, *writes, &all);
    auto add = [&](std::optional<std::int64_t> size, std::optional<std::int64_t> count) {
      rows.row(labels[i]);
      sizes.push_back(size);
      counts.push_back(count);
      bool part = known && count && all > 0 && *count <= all;
      shares.push_back(part ? std::optional(static_cast<double>(*count) / static_cast<double>(all)) : std::nullopt);
    };
    for (std::size_t k = 0; k < f.common_accesses.size() && k < most; ++k) {
      auto [size, count] = f.common_accesses[k];
      add(size, count);
      if (!count || __builtin_add_overflow(listed, *count, &listed)) known = false;
    }
    // More listed than there were: counters contradict each other, nothing can be said of the others.
    add({}, known && listed <= all ? std::optional(all - listed) : std::nullopt);
  }
  rows.add(value_column<std::int64_t>("size", sizes));
  rows.add(value_column<std::int64_t>("count", counts));
  rows.add(value_column<double>("share", shares));
  return std::move(rows).finish();
}

}  // namespace darrow

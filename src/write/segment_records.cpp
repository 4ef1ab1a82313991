// Traces: a row of the table is a segment; a record lists those of one file, rank and host, the writes first.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include "base/invalid_argument.hpp"
#include "base/memory.hpp"
#include "table/build.hpp"
#include "table/cast.hpp"
#include "write/table_records.hpp"

namespace darrow {
namespace {

using namespace table_records;

/// What tells to which record a row belongs, and where in it.
struct Rows {
  std::span<const std::uint64_t> ids;
  std::span<const std::int64_t> ranks;
  Column hosts, ops;
  std::optional<Column> segments;
  std::vector<bool> reads;  ///< by row

  /// Empty where nobody tells.
  std::string_view host(std::size_t row) const {
    return hosts.length ? hosts.text(static_cast<std::int64_t>(row)) : std::string_view{};
  }
  bool same_record(std::size_t a, std::size_t b) const {
    return ids[a] == ids[b] && ranks[a] == ranks[b] && host(a) == host(b);
  }
  std::int64_t segment(std::size_t row) const { return segments->values<std::int64_t>()[row]; }
};

/// Records as runs of rows: record i has rows[begins[i]] up to rows[begins[i + 1]], its writes first.
struct Grouping {
  std::vector<std::size_t> begins{0};
  std::vector<std::size_t> rows;  ///< empty: the rows of the table in their order
  std::size_t row(std::size_t i) const { return rows.empty() ? i : rows[i]; }
};

/// Whether row r continues the record of the row before it.
bool continues(const Rows& rows, std::size_t r) {
  if (!rows.same_record(r, r - 1) || (rows.reads[r - 1] && !rows.reads[r])) return false;
  if (!rows.segments) return true;
  return rows.reads[r] == rows.reads[r - 1] ? rows.segment(r) == rows.segment(r - 1) + 1 : rows.segment(r) == 0;
}

/// The records of a table whose rows stand as the log has them: each record in one piece, its segments numbered from 0.
std::optional<Grouping> natural_grouping(const Rows& rows, std::size_t count) {
  Grouping g;
  for (std::size_t r = 0; r < count; ++r) {
    if (r > 0 && continues(rows, r)) continue;
    if (rows.segments && rows.segment(r) != 0) return {};
    if (r > 0) g.begins.push_back(r);
  }
  if (count > 0) g.begins.push_back(count);
  // A record that comes again is the same one in pieces, unless numbers come again too.
  std::map<std::tuple<std::uint64_t, std::int64_t, std::string_view>, std::array<int, 2>> seen;
  for (std::size_t i = 0; i + 1 < g.begins.size(); ++i) {
    std::size_t first = g.begins[i], last = g.begins[i + 1] - 1;
    auto& times = seen[{rows.ids[first], rows.ranks[first], rows.host(first)}];
    bool is_again = times[0] + times[1] > 0;
    if (!rows.reads[first]) ++times[0];
    if (rows.reads[last]) ++times[1];
    bool numbers_come_again = times[0] > 1 || times[1] > 1;
    if (is_again && !(rows.segments && numbers_come_again)) return {};
  }
  return g;
}

/// The records of a table whose rows stand anyhow, in the order of their first rows.
Grouping sorted_grouping(const Rows& rows, std::size_t count) {
  std::map<std::tuple<std::uint64_t, std::int64_t, std::string_view>, std::size_t> numbers;
  std::vector<std::size_t> record(count);
  for (std::size_t r = 0; r < count; ++r) {
    std::tuple key(rows.ids[r], rows.ranks[r], rows.host(r));
    record[r] = numbers.try_emplace(key, numbers.size()).first->second;
  }
  Grouping g;
  g.rows.resize(count);
  std::iota(g.rows.begin(), g.rows.end(), std::size_t{0});
  std::stable_sort(g.rows.begin(), g.rows.end(), [&](std::size_t a, std::size_t b) {
    auto key = [&](std::size_t r) {
      return std::tuple(record[r], static_cast<bool>(rows.reads[r]), rows.segments ? rows.segment(r) : 0);
    };
    return key(a) < key(b);
  });
  for (std::size_t i = 1; i < count; ++i)
    if (record[g.rows[i]] != record[g.rows[i - 1]]) g.begins.push_back(i);
  if (count > 0) g.begins.push_back(count);
  return g;
}

/// The column's values in another order.
Column permuted(Column c, const std::vector<std::size_t>& rows) {
  if (rows.empty()) return c;
  NewBuffer out(rows.size() * 8);
  auto from = c.data.as<std::uint64_t>();
  for (std::size_t i = 0; i < rows.size(); ++i) out.as<std::uint64_t>()[i] = from[rows[i]];
  c.data = out.buffer();
  return c;
}

bool is_text(const Column& c) { return c.type == ColumnType::utf8 || c.type == ColumnType::dictionary; }

/// Column `op` as whether each row is a read.
std::optional<Error> read_ops(Rows& rows, const Module& module) {
  for (std::int64_t r = 0; r < rows.ops.length; ++r) {
    auto op = rows.ops.text(r);
    if (op != "read" && op != "write")
      return invalid_argument(module.name,
                              fmt::format("column op, row {}: \"{}\" is neither \"read\" nor \"write\"", r, op));
    rows.reads.push_back(op == "read");
  }
  return {};
}

/// The host of each record.
Column host_column(const Field& field, const Rows& rows, const Grouping& g) {
  TextBuilder out{std::string(field.label())};
  for (std::size_t i = 0; i + 1 < g.begins.size(); ++i) out.add_valid(rows.host(g.row(g.begins[i])));
  Column c = std::move(out).finish();
  c.field = &field;
  return c;
}

template <typename T>
Column numbers(const Field& field, const std::vector<T>& values) {
  Column c = constant_column(field, 0, static_cast<std::int64_t>(values.size()));
  NewBuffer out(values.size() * sizeof(T));
  std::copy(values.begin(), values.end(), out.as<T>());
  c.data = out.buffer();
  return c;
}

}  // namespace

Result<Records> segment_records(const Table& table, const Module& module) {
  static constexpr Field number_field = i64("segment", Rule::none, "", "number within record and op");
  const Repeat& repeat = module.repeats[0];
  auto count = static_cast<std::size_t>(table.rows);
  auto ids = id_column(table, module), ranks = rank_column(table, module);
  if (!ids) return ids.error();
  if (!ranks) return ranks.error();
  Rows rows{ids->values<std::uint64_t>(), ranks->values<std::int64_t>(), {}, {}, {}, {}};
  const Column* ops = table.find("op");
  if (!ops) return invalid_argument(module.name, "no column \"op\", which is needed: \"read\" or \"write\"");
  if (!is_text(*ops)) return invalid_argument(module.name, "column op holds no text");
  rows.ops = *ops;
  if (auto e = read_ops(rows, module)) return *e;
  const Field& host_field =
      *std::find_if(module.fields.begin(), module.fields.end(), [](const Field& f) { return f.type == Type::text; });
  const Column* hosts = table.find(host_field.label());
  if (hosts && !is_text(*hosts))
    return invalid_argument(module.name, fmt::format("column {} holds no text", hosts->name));
  if (hosts) rows.hosts = *hosts;
  if (const Column* numbered = table.find(number_field.name)) {
    auto segments = cast(*numbered, number_field, module.name);
    if (!segments) return segments.error();
    if (auto e = without_nulls(*segments, module)) return *e;
    rows.segments = std::move(*segments);
  }

  auto natural = natural_grouping(rows, count);
  Grouping g = natural ? std::move(*natural) : sorted_grouping(rows, count);
  std::size_t record_count = g.begins.size() - 1;
  Elements e;
  e.repeat = &repeat;
  e.offsets.assign(g.begins.begin(), g.begins.end());
  for (const auto& f : repeat.fields) {
    auto column = field_column(table, f, module);
    if (!column) return column.error();
    e.columns.push_back(permuted(std::move(*column), g.rows));
  }

  std::vector<std::uint64_t> record_ids;
  std::vector<std::int64_t> record_ranks, writes, reads;
  for (std::size_t i = 0; i < record_count; ++i) {
    std::size_t first = g.row(g.begins[i]);
    record_ids.push_back(rows.ids[first]);
    record_ranks.push_back(rows.ranks[first]);
    std::int64_t read = 0;
    for (std::size_t k = g.begins[i]; k < g.begins[i + 1]; ++k) read += rows.reads[g.row(k)];
    reads.push_back(read);
    writes.push_back(static_cast<std::int64_t>(g.begins[i + 1] - g.begins[i]) - read);
  }
  Records records;
  records.module = &module;
  records.version = module.current();
  records.rows = static_cast<std::int64_t>(record_count);
  records.columns = {numbers(id_field, record_ids), numbers(rank_field, record_ranks)};
  for (const auto& f : module.fields) {
    if (&f == &host_field) records.columns.push_back(host_column(f, rows, g));
    else if (f.name == repeat.counts[0]) records.columns.push_back(numbers(f, writes));
    else if (f.name == repeat.counts[1]) records.columns.push_back(numbers(f, reads));
    else records.columns.push_back(constant_column(f, 0, records.rows));
  }
  records.elements.push_back(std::move(e));
  return records;
}

Result<Records> trace_records(const Table& rows, const Table& segments, const Module& module) {
  const Repeat& repeat = module.repeats[0];
  auto ids = id_column(rows, module), ranks = rank_column(rows, module);
  if (!ids) return ids.error();
  if (!ranks) return ranks.error();
  Records records;
  records.module = &module;
  records.version = module.current();
  records.rows = rows.rows;
  records.columns = {std::move(*ids), std::move(*ranks)};
  std::vector<std::size_t> sums(static_cast<std::size_t>(rows.rows));
  for (const auto& f : module.fields) {
    auto column = field_column(rows, f, module);
    if (!column) return column.error();
    if (f.name == repeat.counts[0] || f.name == repeat.counts[1]) {
      auto counts = column->values<std::int64_t>();
      for (std::size_t i = 0; i < sums.size(); ++i) {
        if (counts[i] < 0 || counts[i] > segments.rows)
          return invalid_argument(module.name, fmt::format("column {}, row {}: {} segments, there are {} in all",
                                                           f.label(), i, counts[i], segments.rows));
        sums[i] += static_cast<std::size_t>(counts[i]);
      }
    }
    records.columns.push_back(std::move(*column));
  }
  Elements e;
  e.repeat = &repeat;
  std::size_t end = 0;
  for (auto sum : sums) e.offsets.push_back(static_cast<decltype(e.offsets)::value_type>(end += sum));
  if (end != static_cast<std::size_t>(segments.rows))
    return invalid_argument(module.name,
                            fmt::format("the records have {} segments, but there are {}", end, segments.rows));
  for (const auto& f : repeat.fields) {
    auto column = field_column(segments, f, module);
    if (!column) return column.error();
    e.columns.push_back(std::move(*column));
  }
  records.elements.push_back(std::move(e));
  return records;
}

}  // namespace darrow

#include <fmt/format.h>

#include <optional>

#include "diff/comparison.hpp"
#include "text/row_places.hpp"

namespace darrow::diffing {
namespace {

using util_text::RecordLines;
using util_text::RowPlaces;
using util_text::Source;

/// The records of a module of one log.
struct Side {
  const Source& source;
  std::shared_ptr<const Table> table;
  RecordLines lines;
  RowPlaces places;
  std::vector<const Column*> others = {};  ///< columns of which no line tells
  RowLines row = {};

  Side(const Source& from, std::shared_ptr<const Table> rows, RecordLines of_rows)
      : source(from), table(std::move(rows)), lines(std::move(of_rows)), places(from) {
    places.begin(*table);
  }
  void take(std::int64_t r) {
    row.clear();
    if (r < 0) return;
    row.take(lines, r);
    for (const Column* column : others) row.add(*column, r);
  }
};

/// The records of one module of two logs.
class Records {
 public:
  Records(Comparison& comparison, const ModulePair& pair)
      : comparison_(comparison), module_(*pair.any().module), groups_(module_), pair_(pair) {
    for (const auto& field : module_.fields)
      if (pair.a && pair.b &&
          field.in(static_cast<int>(pair.a->version)) != field.in(static_cast<int>(pair.b->version)))
        of_one_version_.insert(std::string(field.name));
    for (const Field* field : util_text::line_counters(module_)) counters_.insert(std::string(field->name));
  }

  /// Of `part` all rows.
  void compare(TableOptions::Part part, IdOrder& order) {
    auto a = side(comparison_.a(), pair_.a, part), b = side(comparison_.b(), pair_.b, part);
    const Table none = empty();
    const Table &left = a ? *a->table : none, &right = b ? *b->table : none;
    number_ids(left, order);
    number_ids(right, order);
    const auto ids = incomparable(left, right);
    for (const auto& rows : matched(left, right, order)) {
      if (ids.contains(id_of(rows.a >= 0 ? left : right, rows.a >= 0 ? rows.a : rows.b))) continue;
      if (a) a->take(rows.a);
      if (b) b->take(rows.b);
      compare_row(a ? &*a : nullptr, b ? &*b : nullptr, rows);
    }
    if (skipped_ > 0)
      comparison_.complain(
          fmt::format("{}: versions {} and {}: {} values not compared, of counters that one of them lacks",
                      module_.name, pair_.a->version, pair_.b->version, skipped_));
    skipped_ = 0;
  }

 private:
  bool compat() const { return comparison_.rules().compat(); }

  static std::uint64_t id_of(const Table& table, std::int64_t row) {
    return table.find(id_field.name)->values<std::uint64_t>()[static_cast<std::size_t>(row)];
  }

  /// The ids that darshan-diff skips: those of both logs, if their versions of the module differ.
  std::set<std::uint64_t> incomparable(const Table& a, const Table& b) const {
    if (!compat() || !pair_.a || !pair_.b || pair_.a->version == pair_.b->version) return {};
    std::set<std::uint64_t> left, both;
    for (std::int64_t row = 0; row < a.rows; ++row) left.insert(id_of(a, row));
    for (std::int64_t row = 0; row < b.rows; ++row)
      if (left.contains(id_of(b, row))) both.insert(id_of(b, row));
    return both;
  }

  static Table empty() {
    Table table;
    for (auto [name, type] : {std::pair(id_field.name, ColumnType::u64), std::pair(rank_field.name, ColumnType::i64)}) {
      Column column;
      column.name = name;
      column.type = type;
      table.columns.push_back(std::move(column));
    }
    return table;
  }

  std::optional<Side> side(const Source& source, const ModuleInfo* info, TableOptions::Part part) {
    if (!ModulePair::has_records(info)) return {};
    constexpr bool synced = true;  // what a log says not to have can differ as well
    if (part == TableOptions::Part::header) {
      TableOptions header_only;
      header_only.part = part;
      auto header = source.log.table(info->name, header_only);
      if (!header) return {};  // told when the records are read
      auto lines = RecordLines::of_header(**header, synced);
      return side_of(source, std::move(*header), std::move(lines), true);
    }
    TableOptions options;
    options.columns = util_text::line_columns(module_);
    options.upstream_values = compat();
    auto table = source.log.table(info->name, options);
    if (!table) {
      comparison_.lose(info->name, table.error());
      return {};
    }
    RecordLines lines(**table, synced);
    return side_of(source, std::move(*table), std::move(lines), false);
  }

  std::optional<Side> side_of(const Source& source, std::shared_ptr<const Table> table, RecordLines lines,
                              bool is_header) const {
    std::optional<Side> side(std::in_place, source, std::move(table), std::move(lines));
    if (!compat()) side->others = columns_without_lines(*side->table, is_header);
    return side;
  }

  /// Whether darshan-diff looks at a line: counters, and lists of numbers, but not what else there is.
  bool is_looked_at(const std::string& name) const {
    if (!compat() || counters_.contains(name)) return true;
    for (const auto& list : parser_text(module_).lists)
      if (name.starts_with(list.name)) return true;
    return false;
  }

  void compare_row(Side* a, Side* b, const RowPair& rows) {
    static const RowLines nothing;
    const Side& present = rows.a >= 0 ? *a : *b;
    const auto row = static_cast<std::size_t>(rows.a >= 0 ? rows.a : rows.b);
    each_pair(a ? a->row : nothing, b ? b->row : nothing, [&](const HeldLine* left, const HeldLine* right) {
      const HeldLine& any = left ? *left : *right;
      DiffValue none;
      const DiffValue &va = left ? left->value : none, &vb = right ? right->value : none;
      if (comparison_.rules().equal(any.name, va, vb)) return;
      if (!is_looked_at(any.name) || comparison_.rules().ignores(groups_, any.name)) return;
      if (left && right && !compat() && of_one_version_.contains(any.name)) {
        ++skipped_;
        return;
      }
      comparison_.tell({.kind = Difference::Kind::record,
                        .module = std::string(module_.name),
                        .rank = present.table->find(rank_field.name)->values<std::int64_t>()[row],
                        .id = id_of(*present.table, static_cast<std::int64_t>(row)),
                        .name = present.places.name(static_cast<std::int64_t>(row)),
                        .counter = any.name,
                        .a = va,
                        .b = vb});
    });
  }

  Comparison& comparison_;
  const Module& module_;
  const NameGroups groups_;
  const ModulePair& pair_;
  std::set<std::string> of_one_version_, counters_;
  std::int64_t skipped_ = 0;
};

}  // namespace

void compare_records(Comparison& comparison, const ModulePair& pair, IdOrder& order) {
  Records records(comparison, pair);
  if (!parser_text(*pair.any().module).header.empty() && !comparison.rules().compat())
    records.compare(TableOptions::Part::header, order);
  records.compare(TableOptions::Part::rows, order);
}

void number_all_ids(Comparison& comparison, const Source& source, IdOrder& order) {
  for (const auto& info : source.modules) {
    if (!ModulePair::has_records(&info) || info.module->shape == Shape::segments) continue;
    if (parser_text(*info.module).optional) continue;
    TableOptions ids;
    ids.columns = {std::string(id_field.name)};
    auto rows = source.log.scan(info.name, ids, [&](const Table& batch) { number_ids(batch, order); });
    if (!rows) comparison.lose(info.name, rows.error());
  }
}

}  // namespace darrow::diffing

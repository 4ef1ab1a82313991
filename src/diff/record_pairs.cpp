#include "diff/record_pairs.hpp"

#include <fmt/format.h>

namespace darrow::diffing {

using util_text::RecordLines;
using util_text::Source;

RecordPairs::Side::Side(const Source& from, std::shared_ptr<const Table> rows, RecordLines of_rows)
    : table(std::move(rows)), lines(std::move(of_rows)), places(from) {
  places.begin(*table);
}

void RecordPairs::Side::take(std::int64_t r) {
  row.clear();
  if (r < 0) return;
  row.take(lines, r);
  for (const Column* column : others) row.add(*column, r);
}

std::uint64_t RecordPairs::Side::id(std::int64_t r) const {
  return table->find(id_field.name)->values<std::uint64_t>()[static_cast<std::size_t>(r)];
}

std::int64_t RecordPairs::Side::rank(std::int64_t r) const {
  return table->find(rank_field.name)->values<std::int64_t>()[static_cast<std::size_t>(r)];
}

RecordPairs::RecordPairs(Comparison& comparison, const ModulePair& pair, TableOptions::Part part, IdOrder& order)
    : comparison_(&comparison),
      module_(pair.any().module),
      order_(&order),
      pair_(pair),
      groups_(*module_),
      a_(side(comparison.a(), pair.a, part)),
      b_(side(comparison.b(), pair.b, part)) {
  for (const auto& field : module_->fields)
    if (pair.a && pair.b && field.in(static_cast<int>(pair.a->version)) != field.in(static_cast<int>(pair.b->version)))
      of_one_version_.insert(std::string(field.name));
  for (const Field* field : util_text::line_counters(*module_)) counters_.insert(std::string(field->name));
  for (const auto* one : {&a_, &b_})
    if (*one) number_ids(*(*one)->table, order);
  pairs_ = matched(a_ ? a_->table.get() : nullptr, b_ ? b_->table.get() : nullptr, order);
  skip_other_versions();
}

std::optional<RecordPairs::Side> RecordPairs::side(const Source& source, const ModuleInfo* info,
                                                   TableOptions::Part part) const {
  constexpr bool synced = true;  // what a log says not to have can differ as well
  if (!ModulePair::has_records(info)) return {};
  const bool is_header = part == TableOptions::Part::header;
  TableOptions options;
  options.part = part;
  options.upstream_values = compat();
  if (!is_header) options.columns = util_text::line_columns(*module_);
  auto table = source.log.table(info->name, options);
  if (!table) {
    if (!is_header) comparison_->lose(info->name, table.error());  // else told when the records are read
    return {};
  }
  auto lines = is_header ? RecordLines::of_header(**table, synced) : RecordLines(**table, synced);
  std::optional<Side> side(std::in_place, source, std::move(*table), std::move(lines));
  if (!compat()) side->others = columns_without_lines(*side->table, is_header);
  return side;
}

/// darshan-diff skips the ids of both logs if their versions of the module differ.
void RecordPairs::skip_other_versions() {
  if (!compat() || !a_ || !b_ || pair_.a->version == pair_.b->version) return;
  std::set<std::size_t> left, right;
  for (const auto& rows : pairs_) {
    if (rows.a >= 0) left.insert(place_of(rows));
    if (rows.b >= 0) right.insert(place_of(rows));
  }
  std::erase_if(pairs_,
                [&](const RowPair& rows) { return left.contains(place_of(rows)) && right.contains(place_of(rows)); });
}

std::size_t RecordPairs::place_of(const RowPair& rows) const {
  return order_->at(rows.a >= 0 ? a_->id(rows.a) : b_->id(rows.b));
}

void RecordPairs::compare_all() {
  for (const auto& rows : pairs_) compare(rows);
  if (skipped_ > 0)
    comparison_->complain(
        fmt::format("{}: versions {} and {}: {} values not compared, of counters that one of them lacks", module_->name,
                    pair_.a->version, pair_.b->version, skipped_));
}

void RecordPairs::compare_id(std::size_t place) {
  for (; next_ < pairs_.size() && place_of(pairs_[next_]) == place; ++next_) compare(pairs_[next_]);
}

/// Whether darshan-diff looks at a line: counters, and lists of numbers, but not what else there is.
bool RecordPairs::is_looked_at(const std::string& name) const {
  if (!compat() || counters_.contains(name)) return true;
  for (const auto& list : parser_text(*module_).lists)
    if (name.starts_with(list.name)) return true;
  return false;
}

void RecordPairs::compare(const RowPair& rows) {
  static const RowLines nothing;
  if (a_) a_->take(rows.a);
  if (b_) b_->take(rows.b);
  const Side& present = rows.a >= 0 ? *a_ : *b_;
  const auto row = rows.a >= 0 ? rows.a : rows.b;
  each_pair(a_ ? a_->row : nothing, b_ ? b_->row : nothing,
            [&](const HeldLine* a, const HeldLine* b) { compare_values(present, row, a, b); });
}

void RecordPairs::compare_values(const Side& present, std::int64_t row, const HeldLine* a, const HeldLine* b) {
  static const DiffValue none;
  const Rules& rules = comparison_->rules();
  const std::string& name = (a ? a : b)->name;
  const DiffValue &of_a = a ? a->value : none, &of_b = b ? b->value : none;
  if (rules.equal(name, of_a, of_b)) return;
  if (!is_looked_at(name) || rules.ignores(groups_, name)) return;
  if (a && b && !compat() && of_one_version_.contains(name)) {
    ++skipped_;
    return;
  }
  comparison_->tell({.kind = Difference::Kind::record,
                     .module = std::string(module_->name),
                     .rank = present.rank(row),
                     .id = present.id(row),
                     .name = present.places.name(row),
                     .counter = name,
                     .a = of_a,
                     .b = of_b});
}

}  // namespace darrow::diffing

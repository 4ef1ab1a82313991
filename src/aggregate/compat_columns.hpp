/// The columns of a table of records by field, for compatible mode.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "darrow/module.hpp"
#include "darrow/table.hpp"

namespace darrow::compat {

/// Whether an aggregate record has the field: numbers of the current version. All of them have 8 bytes.
constexpr bool is_counter(const Field& f, const Module& m) {
  return f.in(m.current()) && !f.hidden && (f.type == Type::i64 || f.type == Type::u64 || f.type == Type::f64);
}

/// Values of the records, stored ones where there are nulls, by position of the field in the module's table.
class Columns {
 public:
  /// `missing` becomes the name of the first column that the table does not have.
  Columns(const Module& module, const Table& table, std::string& missing);

  std::size_t rows() const { return rows_; }
  std::span<const std::uint64_t> ids() const { return ids_->values<std::uint64_t>(); }
  std::span<const std::int64_t> ranks() const { return ranks_->values<std::int64_t>(); }
  /// REQUIRES: is_counter(field), not a float; or its bits.
  std::span<const std::int64_t> ints(std::size_t field) const { return by_field_[field]->values<std::int64_t>(); }
  std::span<const double> floats(std::size_t field) const { return by_field_[field]->values<double>(); }
  /// The list column of a Repeat, or null.
  const Column* list(const Repeat& r) const { return table_.find(r.name); }

 private:
  const Table& table_;
  std::size_t rows_;
  const Column *ids_, *ranks_;
  std::vector<const Column*> by_field_;
};

/// Position of a field in the module's table, or −1.
int position(const Module&, std::string_view name);
int position(const Module&, Role);

}  // namespace darrow::compat

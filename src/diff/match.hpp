/// Which records of two logs belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "darrow/table.hpp"

namespace darrow::diffing {

/// Record ids by when they first appeared.
using IdOrder = std::unordered_map<std::uint64_t, std::size_t>;
/// Adds the ids of a table that are new.
void number_ids(const Table& table, IdOrder& order);

/// Rows of two tables; −1: there is none in this one.
struct RowPair {
  std::int64_t a = -1, b = -1;
};
/// By the order of ids, then by rank; several rows of an id and a rank go together in their order. Null: no rows.
/// REQUIRES: all ids are in `order`.
std::vector<RowPair> matched(const Table* a, const Table* b, const IdOrder& order);

}  // namespace darrow::diffing

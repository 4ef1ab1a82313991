/// Tables from elsewhere as tables of a module.
#pragma once

#include <string>
#include <vector>

#include "darrow/result.hpp"
#include "darrow/table.hpp"

namespace darrow {

/// The module of whose counters a table has columns. Error: invalid_argument if it has none, or those of several, or if its
/// records do not combine.
Result<const Module*> module_of(const Table& table);

/// A table of a module, as Accumulator::add() takes it, and its other columns behind.
struct GivenTable {
  Table table;
  std::vector<std::string> absent;  ///< columns that it did not have: all null here
};
/// Errors: invalid_argument; see aggregate().
Result<GivenTable> given_table(const Table& table, const Module& module);

}  // namespace darrow

/// Other numbers for the processes of a log.
#pragma once

#include <functional>
#include <vector>

#include "darrow/table.hpp"

namespace darrow {

/// Puts `number(rank)` in the place of every rank: of records, and those that records of rank −1 name. REQUIRES: the column of ranks is among `columns`.
void renumber_ranks(std::vector<Column>& columns, const std::function<std::int64_t(std::int64_t rank)>& number);

}  // namespace darrow

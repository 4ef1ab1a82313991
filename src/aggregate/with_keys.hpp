/// Tables of groups: what they are, and what came of them.
#pragma once

#include <memory>

#include "darrow/table.hpp"

namespace darrow {

/// The keys, and beside them as many rows of those columns of `values` that have other names, from row `first` on.
std::shared_ptr<const Table> with_keys(const Table& keys, const Table& values, std::int64_t first = 0);

}  // namespace darrow

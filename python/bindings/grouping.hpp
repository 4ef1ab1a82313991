/// What bindings that group records share.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "darrow/aggregate.hpp"
#include "darrow/grouping.hpp"

namespace darrow::python {

/// Keys as GroupKey::parse() takes them, and patterns with their names.
using Keys = std::vector<std::string>;
using Patterns = std::vector<std::pair<std::string, std::string>>;

/// Keys of tables. Throws the error of GroupKey::parse().
std::vector<GroupKey> parsed(const Keys& keys);
/// Keys of logs, "job" and "exe" among them.
std::vector<GroupKey> parsed_of_logs(const Keys& keys);
/// A Python ValueError tells which pattern has an error.
std::vector<NamedPattern> compiled(const Patterns& patterns);

/// The aggregate, missing values, problems.
using AggregateParts = std::tuple<TableHandle, TableHandle, std::vector<ProblemRow>>;
AggregateParts parts_of(Aggregate a);

}  // namespace darrow::python

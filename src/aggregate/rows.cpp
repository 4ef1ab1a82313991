#include "aggregate/rows.hpp"

#include <algorithm>

namespace darrow {

std::size_t position_of(const Module& module, std::string_view field) {
  return static_cast<std::size_t>(find_field(module.fields, field) - module.fields.data());
}

Rows rows_of(const Table& table, const Module& module, std::span<const std::uint32_t> groups, std::int64_t first) {
  Rows rows;
  rows.count = static_cast<std::size_t>(table.rows);
  rows.columns.resize(module.fields.size());
  rows.lists.resize(module.repeats.size());
  // Neighbours often share a group: then the loops need not look at each row's.
  if (!groups.empty() && std::all_of(groups.begin(), groups.end(), [&](auto g) { return g == groups[0]; }))
    rows.only = groups[0];
  else rows.groups = groups;
  rows.first = first;
  for (const auto& c : table.columns) {
    if (c.field >= module.fields.data() && c.field < module.fields.data() + module.fields.size())
      rows.columns[static_cast<std::size_t>(c.field - module.fields.data())] = &c;
    else if (c.name == "id") rows.id = &c;
    else if (c.name == "rank") rows.rank = &c;
    else if (c.field)
      for (std::size_t i = 0; i < module.repeats.size(); ++i)
        if (c.field == module.repeats[i].fields.data() && c.type == ColumnType::list) rows.lists[i] = &c;
  }
  if (rows.rank) {
    auto ranks = rows.ranks();
    rows.has_shared = std::find(ranks.begin(), ranks.end(), -1) != ranks.end();
  }
  return rows;
}

}  // namespace darrow

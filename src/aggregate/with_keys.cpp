#include "aggregate/with_keys.hpp"

#include "table/join.hpp"

namespace darrow {

std::shared_ptr<const Table> with_keys(const Table& keys, const Table& values, std::int64_t first) {
  auto table = std::make_shared<Table>(values);
  table->rows = keys.rows;
  table->columns = keys.columns;
  for (const auto& column : values.columns) {
    if (keys.find(column.name)) continue;
    const Piece rows[] = {{&column, first, first + keys.rows}};
    table->columns.push_back(values.rows == keys.rows ? column : join(rows));
    table->columns.back().name = column.name;
    table->columns.back().field = column.field;
  }
  return table;
}

}  // namespace darrow

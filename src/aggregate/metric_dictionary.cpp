// The metrics as a table.
#include "aggregate/metric_values.hpp"
#include "table/text_lists.hpp"

namespace darrow {
Table metric_dictionary() {
  TextBuilder name("name"), of_table("table"), unit("unit"), formula("formula"), meaning("meaning");
  TextLists inputs, applies;
  for (const auto& m : metrics()) {
    name.add(m.name);
    of_table.add(to_string(m.table));
    unit.add(m.unit);
    formula.add(m.formula);
    meaning.add(m.doc);
    for (Role role : m.inputs) inputs.add(to_string(role));
    inputs.end_row();
    for (const Module* module : modules())
      if (m.applies_to(*module)) applies.add(module->name);
    applies.end_row();
  }
  Table table;
  table.name = "metrics";
  table.rows = name.size();
  for (TextBuilder* text : {&name, &of_table, &unit, &formula, &meaning})
    table.columns.push_back(std::move(*text).finish());
  table.columns.push_back(std::move(inputs).finish("inputs"));
  table.columns.push_back(std::move(applies).finish("modules"));
  return table;
}

}  // namespace darrow

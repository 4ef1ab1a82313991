#include "aggregate/compat_columns.hpp"

namespace darrow::compat {

Columns::Columns(const Module& module, const Table& table, std::string& missing)
    : table_(table), rows_(static_cast<std::size_t>(table.rows)) {
  auto find = [&](std::string_view name) {
    const Column* c = table.find(name);
    if (!c && missing.empty()) missing = name;
    return c;
  };
  ids_ = find(id_field.name);
  ranks_ = find(rank_field.name);
  for (const auto& f : module.fields) by_field_.push_back(is_counter(f, module) ? find(f.label()) : nullptr);
  for (const auto& r : module.repeats) find(r.name);
}

int position(const Module& module, std::string_view name) {
  const Field* f = find_field(module.fields, name);
  return f ? static_cast<int>(f - module.fields.data()) : -1;
}

int position(const Module& module, Role role) {
  const Field* f = find_role(module.fields, role);
  return f ? static_cast<int>(f - module.fields.data()) : -1;
}

}  // namespace darrow::compat

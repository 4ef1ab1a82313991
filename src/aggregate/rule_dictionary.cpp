// The rules of a module's counters as a table.
#include <algorithm>

#include "aggregate/rows.hpp"
#include "darrow/aggregate.hpp"
#include "table/text_lists.hpp"

namespace darrow {
namespace {

std::string_view arrow_name(Type type) {
  switch (type) {
    case Type::i64: return "int64";
    case Type::u64: return "uint64";
    case Type::f64: return "double";
    case Type::i32: return "int32";
    case Type::u32: return "uint32";
    case Type::text:
    case Type::uuid:
    case Type::pad: break;
  }
  return "string";
}

/// Why no function over columns follows the rule, and what to do; empty if there is one.
std::string_view instead_of(Rule rule) {
  switch (rule) {
    case Rule::none: return "it describes one record: select that";
    case Rule::fastest:
    case Rule::slowest:
      return "ranks are compared within one file, and records of rank −1 bring what is stored: use aggregate()";
    case Rule::variance: return "it takes the time and bytes of each rank of one file: use aggregate()";
    case Rule::top: return "the values in all slots of all records are united: use aggregate()";
    default: return {};
  }
}

/// Whether the field at that position belongs to the group.
bool is_member(const Module& module, const Group& group, std::size_t position) {
  if (group.kind != GroupKind::top) return std::ranges::count(group.members, module.fields[position].name) > 0;
  auto within = [&](std::string_view first, std::size_t fields) {
    std::size_t start = position_of(module, first);
    return position >= start && position < start + fields;
  };
  return within(group.members[0], std::size_t{group.slots} * group.keys) || within(group.members[1], group.slots);
}

using Names = std::vector<std::string_view>;

/// The columns that the rule of the field at that position looks at.
Names needs_of(const Module& module, std::size_t position) {
  const Field& field = module.fields[position];
  if (field.rule == Rule::none) return {};
  auto group = std::ranges::find_if(module.groups, [&](const Group& g) { return is_member(module, g, position); });
  if (group == module.groups.end()) return {field.label()};
  if (group->kind == GroupKind::max_with) {
    auto lead = group->members[0];
    return field.name == lead ? Names{lead} : Names{lead, field.name};
  }
  Names needs;
  if (group->kind != GroupKind::top) {
    needs = {id_field.name, rank_field.name};
    for (Role role : {Role::read_time, Role::write_time, Role::meta_time, Role::bytes_read, Role::bytes_written})
      needs.push_back(find_role(module.fields, role)->label());
  }
  for (std::size_t i = 0; i < module.fields.size(); ++i)
    if (is_member(module, *group, i)) needs.push_back(module.fields[i].label());
  return needs;
}

class Dictionary {
 public:
  void add(const Field& field, std::string_view type, const Names& needs, std::string_view instead) {
    counter_.add(field.label());
    type_.add(type);
    rule_.add(to_string(field.rule));
    unit_.add(field.unit);
    meaning_.add(field.doc);
    decomposable_.push_back(instead.empty());
    for (auto name : needs) needs_.add(name);
    needs_.end_row();
    if (instead.empty()) instead_.add_null();
    else instead_.add(instead);
  }
  Table finish(std::string_view name) && {
    Table table;
    table.name = name;
    table.rows = counter_.size();
    for (TextBuilder* text : {&counter_, &type_, &rule_, &unit_, &meaning_})
      table.columns.push_back(std::move(*text).finish());
    table.columns.push_back(value_column<bool>("decomposable", decomposable_));
    table.columns.push_back(std::move(needs_).finish("needs"));
    table.columns.push_back(std::move(instead_).finish());
    return table;
  }

 private:
  TextBuilder counter_{"counter"}, type_{"type"}, rule_{"rule"}, unit_{"unit"}, meaning_{"meaning"},
      instead_{"instead"};
  std::vector<std::optional<bool>> decomposable_;
  TextLists needs_;
};

}  // namespace

Result<std::shared_ptr<const Table>> rule_dictionary(const Module& module) {
  if (auto combines = Accumulator::create(module); !combines) return combines.error();
  Dictionary rules;
  for (std::size_t i = 0; i < module.fields.size(); ++i)
    if (const Field& f = module.fields[i]; f.in(module.current()) && !f.hidden)
      rules.add(f, arrow_name(f.type), needs_of(module, i), instead_of(f.rule));
  for (const auto& repeat : module.repeats)
    if (repeat.in(module.current()))
      for (const auto& f : repeat.fields)
        rules.add(f, "list<int64>", {f.label()}, "lists are added element by element: use aggregate()");
  return std::make_shared<const Table>(std::move(rules).finish(module.name));
}

}  // namespace darrow

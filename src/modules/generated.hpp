/// Fields whose names are put together from families (APMPI, APXC).
#pragma once

#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "darrow/module.hpp"

namespace darrow::tables {

/// Builds fields and owns their names and meanings.
class GeneratedFields {
 public:
  /// What a placeholder of a pattern, braces included, stands for.
  using Value = std::pair<std::string_view, std::string_view>;

  void add(const Field& field) { fields_.push_back(field); }

  /// One member of a family: its pattern with the values filled in. `subject` goes in front of the family's meaning.
  void add(const Family& family, std::initializer_list<Value> values, std::string_view subject) {
    std::string name(family.pattern);
    for (const auto& [placeholder, value] : values) name.replace(name.find(placeholder), placeholder.size(), value);
    fields_.push_back({
        .name = texts_.emplace_back(std::move(name)),
        .type = family.type,
        .rule = family.rule,
        .unit = family.unit,
        .doc = texts_.emplace_back(std::string(subject).append(": ").append(family.doc)),
    });
  }

  std::span<const Field> fields() const { return fields_; }

 private:
  std::deque<std::string> texts_;  // a deque, because its elements never move
  std::vector<Field> fields_;
};

}  // namespace darrow::tables

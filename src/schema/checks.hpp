/// What a module table can get wrong, checked while compiling: static_assert(valid(module)).
#pragma once

#include "darrow/module.hpp"

namespace darrow {

/// Whether the sizes of all versions, the uniqueness of names, and all names in repeats and groups hold.
consteval bool valid(const Module& m) {
  for (const auto& v : m.versions)
    if (record_base_bytes + stored_bytes(m.fields, v.number) != v.fixed_bytes) return false;
  for (std::size_t i = 0; i < m.fields.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (m.fields[i].name == m.fields[j].name) return false;
  for (const auto& r : m.repeats)
    for (auto count : r.counts)
      if (!count.empty() && !find_field(m.fields, count)) return false;
  for (const auto& g : m.groups)
    for (auto member : g.members)
      if (!member.empty() && !find_field(m.fields, member)) return false;
  return true;
}

}  // namespace darrow

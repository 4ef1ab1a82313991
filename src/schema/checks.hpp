/// What a module table can get wrong, checked while compiling: static_assert(valid(module)).
#pragma once

#include "darrow/module.hpp"

namespace darrow {

/// Whether the fields that darshan-util's rules speak of are there.
consteval bool valid_upstream(const Module& m) {
  bool ranks = false;
  for (const auto& g : m.groups) {
    ranks = ranks || g.kind == GroupKind::fastest || g.kind == GroupKind::slowest;
    if (g.kind == GroupKind::top && (g.slots != 4 || g.keys > 11)) return false;
  }
  if (m.upstream.fold == Upstream::Fold::accumulator && !ranks) return false;
  if (!ranks || m.upstream.fold == Upstream::Fold::none) return true;
  for (auto role :
       {Role::bytes_read, Role::bytes_written, Role::read_time, Role::write_time, Role::meta_time, Role::slowest_time})
    if (!find_role(m.fields, role)) return false;
  return true;
}

/// Whether the sizes of all versions, the uniqueness of names, and all names in repeats and groups hold; and whether what is
/// of the bottom layer adds up.
consteval bool valid(const Module& m) {
  if (m.bottom && !m.instead.empty()) return false;
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
  return valid_upstream(m);
}

}  // namespace darrow

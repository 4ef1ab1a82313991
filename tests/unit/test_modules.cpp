// The module tables: what the compiler cannot check, and what others rely on.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>

#include "darrow/module.hpp"

using namespace darrow;

namespace {

std::string text(std::string_view s) { return std::string(s); }

/// Calls `visit` with every field that a module has in any part.
template <class Visit>
void each_field(const Module& m, Visit visit) {
  for (const auto& f : m.header) visit(f);
  for (const auto& f : m.fields) visit(f);
  for (const auto& r : m.repeats)
    for (const auto& f : r.fields) visit(f);
}

std::size_t fields_with(const Module& m, Role role) {
  std::size_t n = 0;
  each_field(m, [&](const Field& f) { n += f.role == role; });
  return n;
}

const Module& module_named(std::string_view name) {
  const auto* m = find_module(name);
  if (!m) throw std::invalid_argument("no module " + text(name));
  return *m;
}

}  // namespace

TEST(Registry, ListsModulesById) {
  ASSERT_EQ(modules().size(), 18u);
  int id = 0;
  for (const auto* m : modules()) EXPECT_EQ(m->id, id++) << m->name;
}

TEST(Registry, FindsModulesByEachNameAndId) {
  std::set<std::string> names;
  for (const auto* m : modules()) {
    EXPECT_EQ(find_module(m->name), m);
    EXPECT_EQ(find_module(m->sql_name), m);
    EXPECT_EQ(find_module(int{m->id}), m);
    EXPECT_TRUE(names.insert(text(m->sql_name)).second) << m->sql_name;
    const auto sign = m->sql_name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_");
    EXPECT_EQ(sign, std::string_view::npos) << m->sql_name;
  }
  EXPECT_EQ(module_named("MPI-IO").id, 2);
  EXPECT_EQ(module_named("mpiio").id, 2);
  EXPECT_EQ(module_named("bgq").name, "BG/Q");
}

TEST(Registry, KnowsNothingElse) {
  for (auto name : {"mpi-io", "MPIIO", "Mpi_IO"}) EXPECT_EQ(find_module(name), find_module("MPI-IO")) << name;
  for (auto name : {"BG/Q", "bgq", "bg/q"}) EXPECT_EQ(find_module(name)->id, 7) << name;
  EXPECT_EQ(find_module(""), nullptr);
  EXPECT_EQ(find_module("-/_"), nullptr);
  EXPECT_EQ(find_module("MPI-I"), nullptr);
  EXPECT_EQ(find_module("MPI-IO2"), nullptr);
  EXPECT_EQ(find_module("posi"), nullptr);
  EXPECT_EQ(find_module("HDF5"), nullptr);
  EXPECT_EQ(find_module(-1), nullptr);
  EXPECT_EQ(find_module(18), nullptr);
  EXPECT_EQ(find_module(1 + 256), nullptr);
}

TEST(Registry, NamesEnumerators) {
  EXPECT_EQ(to_string(Type::i64), "i64");
  EXPECT_EQ(to_string(Type::pad), "pad");
  EXPECT_EQ(to_string(Rule::with_max), "with_max");
  EXPECT_EQ(to_string(Rule::top), "top");
  EXPECT_EQ(to_string(Role::none), "none");
  EXPECT_EQ(to_string(Role::access_size), "access_size");
  EXPECT_EQ(to_string(static_cast<Type>(99)), "");
  std::set<std::string_view> roles;
  for (int r = 0; r < int(role_count); ++r) roles.insert(to_string(static_cast<Role>(r)));
  EXPECT_EQ(roles.size(), role_count);
}

TEST(Tables, VersionsAscendAndHaveTheirSizes) {
  for (const auto* m : modules()) {
    int number = 0;
    for (const auto& v : m->versions) {
      EXPECT_EQ(v.number, ++number) << m->name;
      EXPECT_EQ(record_base_bytes + stored_bytes(m->fields, v.number), v.fixed_bytes) << m->name << ' ' << number;
    }
    EXPECT_EQ(m->current(), number);
    EXPECT_TRUE(m->has_version(1));
    EXPECT_TRUE(m->has_version(number));
    EXPECT_FALSE(m->has_version(0));
    EXPECT_FALSE(m->has_version(number + 1));
  }
}

TEST(Tables, ElementsHaveTheirSizes) {
  const auto bytes = [](std::string_view module, std::size_t repeat, int version) {
    return stored_bytes(module_named(module).repeats[repeat].fields, version);
  };
  EXPECT_EQ(bytes("DXT_POSIX", 0, 1), 32u);
  EXPECT_EQ(bytes("DXT_POSIX", 0, 2), 40u);
  EXPECT_EQ(bytes("DXT_MPIIO", 0, 2), 32u);
  EXPECT_EQ(bytes("DXT_MPIIO", 0, 3), 40u);
  EXPECT_EQ(bytes("LUSTRE", 1, 2), 72u);
  EXPECT_EQ(bytes("HEATMAP", 0, 1), 8u);
}

TEST(Tables, GeneratedModulesHaveTheirSizes) {
  const auto& apmpi = module_named("APMPI");
  EXPECT_EQ(record_base_bytes + stored_bytes(apmpi.fields, 1), 5232u);
  EXPECT_EQ(record_base_bytes + stored_bytes(apmpi.header, 1), 48u);
  EXPECT_EQ(apmpi.header_magic, 280520118345);
  EXPECT_EQ(apmpi.fields.back().width, 128);
  EXPECT_EQ(apmpi.other_text_bytes, 256);
  EXPECT_EQ(apmpi.fields.front().name, "MPI_SEND_CALL_COUNT");
  EXPECT_EQ(apmpi.fields.front().doc, "MPI_Send: successful calls");
  EXPECT_NE(find_field(apmpi.fields, "MPI_SENDRECV_REPLACE_MSG_SIZE_AGG_1M_PLUS"), nullptr);
  EXPECT_EQ(find_field(apmpi.fields, "MPI_WAIT_TOTAL_BYTES"), nullptr);

  const auto& apxc = module_named("APXC");
  EXPECT_EQ(record_base_bytes + stored_bytes(apxc.fields, 1), 3184u);
  EXPECT_EQ(record_base_bytes + stored_bytes(apxc.header, 1), 72u);
  EXPECT_EQ(apxc.header_magic, 4707761685111591494);
  EXPECT_NE(find_field(apxc.fields, "APXC_AR_RTR_4_7_INQ_PRF_INCOMING_FLIT_VC7"), nullptr);
  const auto* flits = find_field(apxc.fields, "APXC_AR_RTR_PT_5_0_INQ_PRF_INCOMING_FLIT_VC4");
  ASSERT_NE(flits, nullptr);
  EXPECT_EQ(flits->doc, "processor tile 5_0, virtual channel 4: flits that arrived");
}

TEST(Tables, FamiliesCountTheirMembers) {
  const std::map<std::string, std::string> placeholders{
      {"{OP}", "[A-Z_]+"}, {"{TILE}", "[0-9]_[0-9]"}, {"{VC}", "[0-9]"}};
  for (const auto* m : modules())
    for (const auto& family : m->families) {
      auto pattern = text(family.pattern);
      for (const auto& [placeholder, values] : placeholders)
        if (auto at = pattern.find(placeholder); at != pattern.npos) pattern.replace(at, placeholder.size(), values);
      const std::regex regex(pattern);
      std::size_t members = 0;
      for (const auto& f : m->fields) {
        if (!std::regex_match(text(f.name), regex)) continue;
        ++members;
        EXPECT_EQ(f.type, family.type) << f.name;
        EXPECT_EQ(f.unit, family.unit) << f.name;
        EXPECT_TRUE(f.doc.ends_with(family.doc)) << f.name;
      }
      EXPECT_EQ(members, family.members) << family.pattern;
    }
}

TEST(Tables, NamesAndColumnsOccurOnce) {
  for (const auto* m : modules()) {
    std::set<std::string_view> names, columns{"id", "rank", "name", "mount", "fs_type", "log", "jobid"};
    for (const auto& f : m->fields) {
      EXPECT_TRUE(names.insert(f.name).second) << m->name << ' ' << f.name;
      if (!f.hidden && f.in(m->current())) {
        EXPECT_TRUE(columns.insert(f.label()).second) << m->name << ' ' << f.label();
      }
    }
    for (const auto& r : m->repeats)
      if (r.in(m->current())) {
        EXPECT_TRUE(columns.insert(r.name).second) << m->name << ' ' << r.name;
      }
  }
}

TEST(Tables, ListsAreNamedLikeTheirOnlyField) {
  for (const auto* m : modules())
    for (const auto& r : m->repeats)
      if (r.fields.size() == 1) {
        EXPECT_EQ(r.name, r.fields.front().label()) << m->name;
      }
}

TEST(Tables, EveryFieldIsExplainedInOneLine) {
  const auto explained = [](std::string_view doc) {
    return !doc.empty() && doc.find('\n') == std::string_view::npos && doc.back() != '.' && doc.back() != ' ';
  };
  for (const auto* m : modules()) {
    EXPECT_TRUE(explained(m->doc)) << m->name;
    each_field(*m, [&](const Field& f) { EXPECT_TRUE(explained(f.doc)) << m->name << ' ' << f.name; });
    for (const auto& f : m->families) EXPECT_TRUE(explained(f.doc)) << f.pattern;
  }
  EXPECT_TRUE(explained(id_field.doc));
  EXPECT_TRUE(explained(rank_field.doc));
}

TEST(Tables, EveryCounterHasARule) {
  for (const auto* m : modules())
    for (const auto& f : m->fields) {
      const bool counter = std::isupper(static_cast<unsigned char>(f.name.front())) != 0;
      const bool kept = f.last == 255;
      EXPECT_EQ(f.rule != Rule::none, (counter && kept) || f.name == "file_rec_id") << m->name << ' ' << f.name;
    }
}

TEST(Tables, GroupsHoldExactlyTheFieldsOfTheirRule) {
  const std::map<GroupKind, Rule> rules{{GroupKind::max_with, Rule::with_max},
                                        {GroupKind::fastest, Rule::fastest},
                                        {GroupKind::slowest, Rule::slowest},
                                        {GroupKind::variance, Rule::variance},
                                        {GroupKind::top, Rule::top}};
  for (const auto* m : modules()) {
    std::map<std::string_view, Rule> grouped;
    for (const auto& g : m->groups) {
      if (g.kind != GroupKind::top) {
        for (auto name : g.members)
          if (!name.empty()) grouped[name] = rules.at(g.kind);
        // Times decide, but for MDHIM and the example module, whose durations belong to the largest size.
        const bool size_decides = m->name == "MDHIM" || m->name == "NULL";
        EXPECT_EQ(find_field(m->fields, g.members[0])->type, size_decides ? Type::i64 : Type::f64)
            << m->name << ' ' << g.members[0];
        continue;
      }
      // Values, then counts: each in one piece from the first one on.
      const auto* values = find_field(m->fields, g.members[0]);
      const auto* counts = find_field(m->fields, g.members[1]);
      EXPECT_EQ(counts - values, g.slots * g.keys) << m->name << ' ' << g.members[0];
      for (const auto* f = values; f != counts + g.slots; ++f) grouped[f->name] = Rule::top;
      EXPECT_EQ(counts[g.slots - 1].name.find("4_COUNT"), counts->name.size() - 7) << m->name;
    }
    for (const auto& f : m->fields) {
      const bool needs_group = f.rule >= Rule::with_max;
      EXPECT_EQ(grouped.contains(f.name), needs_group) << m->name << ' ' << f.name;
      if (grouped.contains(f.name)) {
        EXPECT_EQ(grouped[f.name], f.rule) << m->name << ' ' << f.name;
      }
    }
  }
}

TEST(Tables, RolesOccurAsOftenAsTheyMay) {
  const std::set<Role> many{Role::none, Role::reads, Role::writes, Role::opens, Role::meta_ops};
  for (const auto* m : modules())
    for (int r = 0; r < int(role_count); ++r) {
      const auto role = static_cast<Role>(r);
      const auto n = fields_with(*m, role);
      if (role == Role::size_read || role == Role::size_write) {
        EXPECT_TRUE(n == 0 || n == 10) << m->name << ' ' << to_string(role);
      } else if (!many.contains(role)) {
        EXPECT_LE(n, 1u) << m->name << ' ' << to_string(role);
      }
    }
}

TEST(Tables, RolesFitTheirFields) {
  for (const auto* m : modules())
    each_field(*m, [&](const Field& f) {
      if (f.role == Role::none) return;
      if (f.role == Role::node) {
        EXPECT_EQ(f.type, Type::text) << f.name;
        return;
      }
      if (f.role == Role::file) {
        EXPECT_EQ(f.type, Type::u64) << f.name;
        return;
      }
      const bool is_time = f.role >= Role::read_time && f.role <= Role::slowest_time;
      EXPECT_EQ(f.type, is_time ? Type::f64 : Type::i64) << f.name;
      const auto rule = f.role == Role::max_byte_read || f.role == Role::max_byte_written ? Rule::max
                        : f.role == Role::slowest_time                                    ? Rule::slowest
                        : f.role == Role::access_size                                     ? Rule::top
                                                                                          : Rule::sum;
      EXPECT_EQ(f.rule, rule) << f.name;
      EXPECT_EQ(f.last, 255) << f.name;
    });
}

TEST(Tables, ModulesWithDataHaveTheRolesOfDerivedMetrics) {
  for (auto name : {"POSIX", "MPI-IO", "STDIO", "H5D", "PNETCDF_VAR", "DFS", "DAOS"}) {
    const auto& m = module_named(name);
    for (auto role : {Role::bytes_read, Role::bytes_written, Role::read_time, Role::write_time, Role::meta_time,
                      Role::slowest_time})
      EXPECT_EQ(fields_with(m, role), 1u) << name << ' ' << to_string(role);
    for (auto role : {Role::reads, Role::writes, Role::opens})
      EXPECT_GE(fields_with(m, role), 1u) << name << ' ' << to_string(role);
    EXPECT_EQ(fields_with(m, Role::max_byte_read), m.name == "POSIX" || m.name == "STDIO" ? 1u : 0u) << name;
  }
  EXPECT_EQ(fields_with(module_named("MPI-IO"), Role::reads), 4u);
  EXPECT_EQ(fields_with(module_named("DFS"), Role::writes), 2u);
  EXPECT_EQ(fields_with(module_named("DAOS"), Role::reads), 3u);
}

TEST(Tables, OldVersionsLackWhatWasAddedLater) {
  const auto& posix = module_named("posix");
  const auto* from = find_field(posix.fields, "POSIX_RENAMED_FROM");
  EXPECT_EQ(from->type, Type::u64);
  EXPECT_FALSE(from->in(3));
  EXPECT_FALSE(from->absent_is_null);
  EXPECT_EQ(from->absent, 0);
  const auto* dups = find_field(posix.fields, "POSIX_DUPS");
  EXPECT_TRUE(dups->absent_is_null && dups->minus_one_is_null && !dups->in(3) && dups->in(4));
  const auto* fopens = find_field(posix.fields, "POSIX_FOPENS");
  EXPECT_TRUE(fopens->in(1) && !fopens->in(2));

  const auto* thread = find_field(module_named("dxt_mpiio").repeats[0].fields, "pthread_id");
  EXPECT_TRUE(thread->absent_is_null && thread->absent == 0 && !thread->in(2) && thread->in(3));
  EXPECT_EQ(thread->label(), "thread_id");
  EXPECT_FALSE(find_field(module_named("dxt_posix").repeats[0].fields, "offset")->minus_one_is_null);
  EXPECT_TRUE(find_field(module_named("dxt_mpiio").repeats[0].fields, "offset")->minus_one_is_null);
}

// The list of all modules, and what they have in common.
#include <iterator>
#include <vector>

#include "modules/tables.hpp"

namespace darrow {

constexpr Field id_field =
    u64("id", Rule::none, "id", "record id: hash of the name of the file or object, the same in every module");
constexpr Field rank_field = i64("rank", Rule::none, "rank", "MPI rank; −1: one record for several ranks");

namespace {

template <const Module& M>
const Module& get() {
  return M;
}

/// Takes the next letter, in lower case, or digit of a name; 0: there is none.
char next_of(std::string_view& name) {
  while (!name.empty()) {
    const char c = name.front();
    name.remove_prefix(1);
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) return c;
  }
  return 0;
}

bool are_alike(std::string_view a, std::string_view b) {
  for (;;) {
    const char of_a = next_of(a), of_b = next_of(b);
    if (of_a != of_b) return false;
    if (of_a == 0) return true;
  }
}

/// Every module, at its id. Generated ones are built when they are first asked for: most logs have none.
constexpr const Module& (*registry[])() = {
    get<tables::null_module>,  get<tables::posix>,       get<tables::mpiio>, get<tables::h5f>,    get<tables::h5d>,
    get<tables::pnetcdf_file>, get<tables::pnetcdf_var>, get<tables::bgq>,   get<tables::lustre>, get<tables::stdio>,
    get<tables::dxt_posix>,    get<tables::dxt_mpiio>,   get<tables::mdhim>, tables::apxc,        tables::apmpi,
    get<tables::heatmap>,      get<tables::dfs>,         get<tables::daos>,
};

}  // namespace

std::span<const Module* const> modules() {
  static const auto all = [] {
    std::vector<const Module*> list;
    for (auto module : registry) list.push_back(&module());
    return list;
  }();
  return all;
}

const Module* find_module(std::string_view name) {
  for (const auto* m : modules())
    if (are_alike(m->name, name)) return m;
  return nullptr;
}

const Module* find_module(int id) {
  return id >= 0 && id < static_cast<int>(std::size(registry)) ? &registry[id]() : nullptr;
}

std::string_view to_string(Type type) {
  switch (type) {
    case Type::i64: return "i64";
    case Type::u64: return "u64";
    case Type::f64: return "f64";
    case Type::i32: return "i32";
    case Type::u32: return "u32";
    case Type::text: return "text";
    case Type::uuid: return "uuid";
    case Type::pad: return "pad";
  }
  return {};
}

std::string_view to_string(Rule rule) {
  switch (rule) {
    case Rule::none: return "none";
    case Rule::sum: return "sum";
    case Rule::max: return "max";
    case Rule::min: return "min";
    case Rule::start: return "start";
    case Rule::end: return "end";
    case Rule::same: return "same";
    case Rule::flag: return "flag";
    case Rule::with_max: return "with_max";
    case Rule::fastest: return "fastest";
    case Rule::slowest: return "slowest";
    case Rule::variance: return "variance";
    case Rule::top: return "top";
  }
  return {};
}

std::string_view to_string(Role role) {
  switch (role) {
    case Role::none: return "none";
    case Role::bytes_read: return "bytes_read";
    case Role::bytes_written: return "bytes_written";
    case Role::max_byte_read: return "max_byte_read";
    case Role::max_byte_written: return "max_byte_written";
    case Role::reads: return "reads";
    case Role::writes: return "writes";
    case Role::opens: return "opens";
    case Role::meta_ops: return "meta_ops";
    case Role::seq_reads: return "seq_reads";
    case Role::seq_writes: return "seq_writes";
    case Role::consec_reads: return "consec_reads";
    case Role::consec_writes: return "consec_writes";
    case Role::mem_not_aligned: return "mem_not_aligned";
    case Role::file_not_aligned: return "file_not_aligned";
    case Role::size_read: return "size_read";
    case Role::size_write: return "size_write";
    case Role::read_time: return "read_time";
    case Role::write_time: return "write_time";
    case Role::meta_time: return "meta_time";
    case Role::wait_time: return "wait_time";
    case Role::slowest_time: return "slowest_time";
    case Role::access_size: return "access_size";
    case Role::node: return "node";
    case Role::file: return "file";
  }
  return {};
}

}  // namespace darrow

#include "modules/parser_text.hpp"

#include <stdexcept>
#include <vector>

#include "modules/parser_prose.hpp"
#include "modules/tables.hpp"

namespace darrow {
namespace {

using Place = ParserText::Place;
using enum ParserLine::Show;

// clang-format off
constexpr ParserLine h5d_behind[] = {{"H5D_FILE_REC_ID", "file_rec_id"}};
constexpr ParserLine pnetcdf_var_behind[] = {{"PNETCDF_VAR_FILE_REC_ID", "file_rec_id"}};
constexpr ParserLine mdhim_lists[] = {{.name = "MDHIM_SERVER_", .column = "servers", .count = "MDHIM_SERVERS"}};

constexpr ParserLine heatmap_before[] = {{"HEATMAP_F_BIN_WIDTH_SECONDS", "bin_width"}};
constexpr ParserLine heatmap_lists[] = {{"HEATMAP_READ_BIN_", "read"}, {"HEATMAP_WRITE_BIN_", "write"}};

constexpr ParserLine lustre_parts[] = {
    {"_STRIPE_SIZE", "stripe_size"},
    {"_STRIPE_COUNT", "stripe_count"},
    {"_STRIPE_PATTERN", "stripe_pattern", pattern},
    {"_FLAGS", "flags", flags},
    {"_EXT_START", "ext_start"},
    {"_EXT_END", "ext_end"},
    {"_MIRROR_ID", "mirror_id"},
    {"_POOL_NAME", "pool", text},
};
constexpr ParserComponents lustre_components{
    .column = "components",
    .count = "LUSTRE_NUM_COMPONENTS",
    .list_count = "LUSTRE_NUM_STRIPES",
    .start = "LUSTRE_COMP",
    .parts = lustre_parts,
    .list = {"_OST_ID_", "osts"},
};

constexpr std::string_view daos_name[] = {"oid_hi", "oid_lo"};
constexpr std::string_view daos_pool[] = {"pool_uuid", "cont_uuid"};

constexpr ParserLine apmpi_before[] = {{"MPI_PROCESSOR_NAME", "node"}};
constexpr ParserLine apmpi_header[] = {
    {"MPI_TOTAL_COMM_TIME_VARIANCE", "variance_total_mpitime"},
    {"MPI_TOTAL_COMM_SYNC_TIME_VARIANCE", "variance_total_mpisynctime", plain, true},
};

constexpr ParserLine apxc_before[] = {
    {"APXC_GROUP", "group"}, {"APXC_CHASSIS", "chassis"}, {"APXC_BLADE", "blade"}, {"APXC_NODE", "node"},
};
constexpr ParserLine apxc_header[] = {
    {"APXC_GROUPS", "ngroups"},
    {"APXC_CHASSIS", "nchassis"},
    {"APXC_BLADES", "nblades"},
    {"APXC_MEMORY_MODE", "memory_mode", memory},
    {"APXC_MEMORY_MODE_CONSISTENT", "memory_mode", consistent},
    {"APXC_CLUSTER_MODE", "cluster_mode", cluster},
    {"APXC_CLUSTER_MODE_CONSISTENT", "cluster_mode", consistent},
    {"APXC_APPLICATION_ID", "appid"},
};

constexpr std::string_view memory_modes[] = {"MM_UNKNOWN", "MM_FLAT", "MM_EQUAL", "MM_SPLIT", "MM_CACHE"};
constexpr std::string_view cluster_modes[] = {"CM_UNKNOWN", "CM_ALL2ALL", "CM_QUAD", "CM_HEMI", "CM_SNC4", "CM_SNC2"};
constexpr std::string_view states[] = {"stale", "prefrd", "prefwr", "offline", "init", "nosync",
                                       "extension", "parity", "compress", "partial", "nocompr", "neg"};
// clang-format on

/// The mode without the mark that nodes differ in it.
std::string_view mode_word(std::span<const std::string_view> words, std::int64_t mode) {
  auto index = static_cast<std::uint64_t>(mode) & 0x7FFFFFFF;
  return index < words.size() ? words[index] : words[0];
}

/// A module whose lines are its counters.
ParserText counters(const Module& module, const prose::Prose& prose) {
  ParserText text;
  text.module = &module;
  text.about = prose.about;
  text.caveats = prose.caveats;
  return text;
}

std::vector<ParserText> make_texts() {
  std::vector<ParserText> list;
  auto add = [&](const Module& module, const prose::Prose& prose) -> ParserText& {
    return list.emplace_back(counters(module, prose));
  };
  using namespace tables;
  add(null_module, prose::null_module);
  add(posix, prose::posix).file_list = true;
  add(mpiio, prose::mpiio).file_list = true;
  add(h5f, prose::h5f);
  add(h5d, prose::h5d).behind = h5d_behind;
  add(pnetcdf_file, prose::pnetcdf_file);
  add(pnetcdf_var, prose::pnetcdf_var).behind = pnetcdf_var_behind;
  add(bgq, prose::bgq).nameless = "darshan-bgq-record";
  add(lustre, prose::lustre).components = &lustre_components;
  add(stdio, prose::stdio).file_list = true;
  add(dxt_posix, {});
  add(dxt_mpiio, {});
  add(mdhim, prose::mdhim).lists = mdhim_lists;

  auto& pooled = add(dfs, prose::dfs);
  pooled.place = Place::known_pool;
  pooled.pool_of = daos_pool;

  auto& bins = add(heatmap, prose::heatmap);
  bins.is_heatmap = true;
  bins.before = heatmap_before;
  bins.lists = heatmap_lists;

  auto& objects = add(daos, prose::daos);
  objects.place = Place::pool;
  objects.pool_of = daos_pool;
  objects.name_of = daos_name;

  auto& routers = add(apxc(), prose::apxc);
  routers.place = Place::none;
  routers.before = apxc_before;
  routers.header = apxc_header;
  routers.optional = true;

  auto& calls = add(apmpi(), prose::apmpi);
  calls.place = Place::none;
  calls.before = apmpi_before;
  calls.header = apmpi_header;
  calls.synced = "_SYNC_TIME";
  calls.sync_flag = "sync_flag";
  calls.optional = true;
  return list;
}

}  // namespace

const ParserText& parser_text(const Module& module) {
  static const auto& texts = *new std::vector<ParserText>(make_texts());  // never destroyed
  for (const auto& text : texts)
    if (text.module == &module) return text;
  throw std::logic_error("a module without a text");
}

std::string_view stripe_pattern_word(std::int64_t pattern) {
  switch (pattern) {
    case 0: return "raid0";
    case 2: return "mdt";
    case 4: return "raid0,overstriped";
    case 8: return "foreign";
    default: return "N/A";
  }
}

std::string_view component_state(int bit) {
  auto index = static_cast<std::size_t>(bit);
  return index < std::size(states) ? states[index] : std::string_view();
}

std::string_view memory_mode_word(std::int64_t mode) { return mode_word(memory_modes, mode); }
std::string_view cluster_mode_word(std::int64_t mode) { return mode_word(cluster_modes, mode); }

}  // namespace darrow

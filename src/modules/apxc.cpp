// APXC (AutoPerf): network counters of the routers of a Cray XC machine. The region opens with a record about the job.
#include "modules/generated.hpp"
#include "modules/tables.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field apxc_header[] = {
    i64("magic", none, "", "tells this record from the others").internal(),
    i64("nblades", none, "count", "different blades, that is routers, of the job"),
    i64("nchassis", none, "count", "different chassis of the job"),
    i64("ngroups", none, "count", "different Dragonfly groups of the job"),
    i64("memory_mode", none, "", "memory mode of Xeon Phi nodes: 1 flat, 2 equal, 3 split, 4 cache; bit 31: not the same on all"),
    i64("cluster_mode", none, "", "cluster mode of Xeon Phi nodes: 1 all2all, 2 quad, 3 hemi, 4 snc4, 5 snc2; bit 31: not the same on all"),
    u64("appid", none, "id", "application id of the launcher (ALPS)"),
};

constexpr Field apxc_location[] = {
    i64("group", none, "id", "Dragonfly group of the router"),
    i64("chassis", none, "id", "chassis of the router within its group"),
    i64("blade", none, "id", "blade of the router within its chassis"),
    i64("node", none, "id", "node, on the blade, of the rank that wrote the record"),
};

constexpr Family apxc_families[] = {
    {"APXC_AR_RTR_{TILE}_INQ_PRF_INCOMING_FLIT_VC{VC}", "count", "flits that arrived", Type::u64, sum, 320},
    {"APXC_AR_RTR_{TILE}_INQ_PRF_ROWBUS_STALL_CNT", "count", "stalls of the row bus", Type::u64, sum, 40},
    {"APXC_AR_RTR_PT_{TILE}_INQ_PRF_INCOMING_FLIT_VC{VC}", "count", "flits that arrived", Type::u64, sum, 16},
    {"APXC_AR_RTR_PT_{TILE}_INQ_PRF_REQ_ROWBUS_STALL_CNT", "count", "stalls of the row bus for requests", Type::u64, sum, 8},
    {"APXC_AR_RTR_PT_{TILE}_INQ_PRF_RSP_ROWBUS_STALL_CNT", "count", "stalls of the row bus for responses", Type::u64, sum, 8},
};

constexpr std::string_view rows[] = {"0", "1", "2", "3", "4"};  // of tiles that lead to other routers
constexpr std::string_view processor_row = "5";                 // of tiles that lead to the nodes
constexpr std::string_view columns[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
constexpr std::string_view channels[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
constexpr std::string_view processor_channels[] = {"0", "4"};
// clang-format on

constexpr Version apxc_versions[] = {{1, 3184, "3.2.1"}};

/// Adds the counters of one tile: the flits of each channel, then the stalls.
void add_tile(GeneratedFields& out, std::string_view kind, std::string_view row, std::string_view column,
              const Family& flits, std::span<const std::string_view> flit_channels, std::span<const Family> stalls) {
  const auto tile = std::string(row).append("_").append(column);
  const auto subject = std::string(kind).append(" tile ").append(tile);
  for (auto channel : flit_channels)
    out.add(flits, {{"{TILE}", tile}, {"{VC}", channel}}, subject + ", virtual channel " + std::string(channel));
  for (const auto& stall : stalls) out.add(stall, {{"{TILE}", tile}}, subject);
}

GeneratedFields make_apxc_fields() {
  const std::span families(apxc_families);
  GeneratedFields out;
  for (const auto& field : apxc_location) out.add(field);
  for (auto row : rows)
    for (auto column : columns) add_tile(out, "network", row, column, families[0], channels, families.subspan(1, 1));
  for (auto column : columns)
    add_tile(out, "processor", processor_row, column, families[2], processor_channels, families.subspan(3, 2));
  return out;
}

}  // namespace

const Module& apxc() {
  static const auto& generated = *new GeneratedFields(make_apxc_fields());  // never destroyed: views into it stay valid
  static const Module module{
      .id = 13,
      .name = "APXC",
      .sql_name = "apxc",
      .doc = "network counters of the routers of a Cray XC machine (AutoPerf)",
      .fields = generated.fields(),
      .versions = apxc_versions,
      .header = apxc_header,
      .header_magic = 0x4155544F50455246,  // "AUTOPERF"
      .families = apxc_families,
      .instead =
          "a record is a router, its counters add up with a dataframe or SQL; facts of the job are in the header",
  };
  return module;
}

}  // namespace darrow::tables

// LUSTRE: how a file is striped over object storage targets (OSTs). Since version 2 a layout may have components, each
// for a part of the file; the targets of all components follow behind them in one list.
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field lustre_fields[] = {
    i64("LUSTRE_OSTS", none, "count", "targets of the file system; only in old records").until(1),
    i64("LUSTRE_MDTS", none, "count", "metadata targets of the file system; only in old records").until(1),
    i64("LUSTRE_STRIPE_OFFSET", none, "count", "index of the first target; only in old records").until(1),
    i64("LUSTRE_STRIPE_SIZE", none, "bytes", "stripe size of the only component in old records").until(1),
    i64("LUSTRE_STRIPE_WIDTH", none, "count", "stripes of the only component in old records, and targets that follow").until(1),
    i64("num_comps", none, "count", "layout components that follow").since(2).internal(),
    i64("num_stripes", none, "count", "targets that follow, of all components together").since(2).internal(),
};

constexpr Field lustre_component[] = {
    i64("LUSTRE_COMP_STRIPE_SIZE", none, "bytes", "bytes placed on one target before moving to the next").nullable().called("stripe_size"),
    i64("LUSTRE_COMP_STRIPE_COUNT", none, "count", "targets that the component spreads over; 0: data on the metadata server").called("stripe_count"),
    i64("LUSTRE_COMP_STRIPE_PATTERN", none, "", "placement: 0 raid0, 2 mdt, 4 overstriped raid0, 8 foreign").nullable().called("stripe_pattern"),
    i64("LUSTRE_COMP_FLAGS", none, "flag", "state bits: 1 stale, 2 prefrd, 4 prefwr, 8 offline, 16 init, 32 nosync, …").nullable().called("flags"),
    i64("LUSTRE_COMP_EXT_START", none, "bytes", "first file offset of the component").otherwise(0).called("ext_start"),
    i64("LUSTRE_COMP_EXT_END", none, "bytes", "file offset behind the component; −1: end of file").otherwise(-1).called("ext_end"),
    i64("LUSTRE_COMP_MIRROR_ID", none, "id", "mirror that the component belongs to").nullable().called("mirror_id"),
    text("pool_name", 16, "pool of targets that the component was allocated from; empty: none").called("pool"),
};

constexpr Field lustre_target[] = {
    i64("ost_ids", none, "id", "targets in stripe order; each component owns the next stripe_count of them").nullable().called("osts"),
};

constexpr Repeat lustre_repeats[] = {
    {.name = "osts", .counts = {"LUSTRE_STRIPE_WIDTH", ""}, .fields = lustre_target, .last = 1},
    {.name = "components", .counts = {"num_comps", ""}, .fields = lustre_component, .first = 2},
    {.name = "osts", .counts = {"num_stripes", ""}, .fields = lustre_target, .first = 2},
};
// clang-format on

constexpr Version lustre_versions[] = {{1, 56, "3.1.0"}, {2, 32, "3.4.6"}};

}  // namespace

constexpr Module lustre{
    .id = 8,
    .name = "LUSTRE",
    .sql_name = "lustre",
    .doc = "striping of files over Lustre storage targets",
    .fields = lustre_fields,
    .versions = lustre_versions,
    .repeats = lustre_repeats,
    .instead = "the striping of a file is no quantity: select its record",
    .layout = true,
};
static_assert(valid(lustre));

}  // namespace darrow::tables

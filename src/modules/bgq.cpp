// BG/Q: facts about the Blue Gene/Q block that a job ran on. One record per rank, or one for all.
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;
using Accident::minus_one;

// clang-format off
constexpr Field bgq_fields[] = {
    i32("alignment", none, "bytes", "no meaning for I/O; only in old records").until(1, 0),
    pad("_pad", 4).until(1),
    i64("BGQ_CSJOBID", same, "id", "job number of the control system"),
    i64("BGQ_NNODES", same, "count", "compute nodes of the block"),
    i64("BGQ_RANKSPERNODE", same, "count", "processes per compute node"),
    i64("BGQ_DDRPERNODE", same, "MiB", "main memory per compute node"),
    i64("BGQ_INODES", same, "count", "different I/O nodes that served the job; in records of one rank the id of its I/O node").nullable().with(minus_one),
    i64("BGQ_ANODES", same, "count", "nodes along torus dimension A"),
    i64("BGQ_BNODES", same, "count", "nodes along torus dimension B"),
    i64("BGQ_CNODES", same, "count", "nodes along torus dimension C"),
    i64("BGQ_DNODES", same, "count", "nodes along torus dimension D"),
    i64("BGQ_ENODES", same, "count", "nodes along torus dimension E"),
    i64("BGQ_TORUSENABLED", same, "flag", "torus dimensions that wrap around, as bits: 1 is A, 2 is B, up to 16 for E"),

    f64("BGQ_F_TIMESTAMP", same, "seconds since start", "when these facts were collected"),
};
// clang-format on

constexpr Version bgq_versions[] = {{1, 120, "3.0.0"}, {2, 112, "3.1.0"}};

}  // namespace

constexpr Module bgq{
    .id = 7,
    .name = "BG/Q",
    .sql_name = "bgq",
    .doc = "Blue Gene/Q block that the job ran on",
    .fields = bgq_fields,
    .versions = bgq_versions,
    .upstream = {.fold = Upstream::Fold::first_only},
};
static_assert(valid(bgq));

}  // namespace darrow::tables

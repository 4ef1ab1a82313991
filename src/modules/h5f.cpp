// H5F: HDF5 files. Older logs call the module HDF5. A record is a file of one rank, or of all ranks (rank −1).
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field h5f_fields[] = {
    i64("H5F_OPENS", sum, "calls", "H5Fcreate and H5Fopen calls").as(Role::opens),
    i64("H5F_FLUSHES", sum, "calls", "H5Fflush calls").since(3).nullable().as(Role::meta_ops),
    i64("H5F_USE_MPIIO", flag, "flag", "1 if the last open asked for the MPI-IO driver, else 0").since(3).nullable(),

    f64("H5F_F_OPEN_START_TIMESTAMP", start, "seconds since start", "start of the first open; 0: never"),
    f64("H5F_F_CLOSE_START_TIMESTAMP", start, "seconds since start", "start of the first close; 0: never").since(2).nullable(),
    f64("H5F_F_OPEN_END_TIMESTAMP", end, "seconds since start", "end of the last open; 0: never").since(2).nullable(),
    f64("H5F_F_CLOSE_END_TIMESTAMP", end, "seconds since start", "end of the last close; 0: never"),
    f64("H5F_F_META_TIME", sum, "seconds", "time in create, open, flush and close calls").since(3).nullable().as(Role::meta_time),
};
// clang-format on

constexpr Version h5f_versions[] = {{1, 40, "3.0.0"}, {2, 56, "3.1.7"}, {3, 80, "3.2.0"}};

}  // namespace

constexpr Module h5f{
    .id = 3,
    .name = "H5F",
    .sql_name = "h5f",
    .doc = "HDF5 files",
    .fields = h5f_fields,
    .versions = h5f_versions,
    .upstream = {.fold = Upstream::Fold::reduction},
};
static_assert(valid(h5f));

}  // namespace darrow::tables

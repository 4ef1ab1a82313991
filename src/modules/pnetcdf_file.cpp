// PNETCDF_FILE: PnetCDF files. Older logs call the module PNETCDF and tell independent from collective opens.
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field pnetcdf_file_fields[] = {
    i64("PNETCDF_INDEP_OPENS", none, "calls", "independent opens in old records; part of PNETCDF_FILE_OPENS").until(2),
    i64("PNETCDF_COLL_OPENS", none, "calls", "collective opens in old records; part of PNETCDF_FILE_OPENS").until(2),
    i64("PNETCDF_FILE_CREATES", sum, "calls", "ncmpi_create calls").since(3).nullable().as(Role::opens),
    i64("PNETCDF_FILE_OPENS", sum, "calls", "ncmpi_open calls").since(3, 0).as(Role::opens),
    i64("PNETCDF_FILE_REDEFS", sum, "calls", "ncmpi_redef calls (back to define mode)").since(3).nullable().as(Role::meta_ops),
    i64("PNETCDF_FILE_INDEP_WAITS", sum, "calls", "ncmpi_wait calls that succeeded").since(3).nullable(),
    i64("PNETCDF_FILE_COLL_WAITS", sum, "calls", "ncmpi_wait_all calls that succeeded").since(3).nullable(),
    i64("PNETCDF_FILE_SYNCS", sum, "calls", "ncmpi_sync calls").since(3).nullable().as(Role::meta_ops),
    i64("PNETCDF_FILE_BYTES_READ", sum, "bytes", "bytes read by PnetCDF, header included").since(3).nullable().as(Role::bytes_read),
    i64("PNETCDF_FILE_BYTES_WRITTEN", sum, "bytes", "bytes written by PnetCDF, header included").since(3).nullable().as(Role::bytes_written),
    i64("PNETCDF_FILE_WAIT_FAILURES", sum, "calls", "ncmpi_wait and ncmpi_wait_all calls that returned an error").since(3).nullable(),

    f64("PNETCDF_FILE_F_OPEN_START_TIMESTAMP", start, "seconds since start", "start of the first open; 0: never"),
    f64("PNETCDF_FILE_F_CLOSE_START_TIMESTAMP", start, "seconds since start", "start of the first close; 0: never").since(2).nullable(),
    f64("PNETCDF_FILE_F_WAIT_START_TIMESTAMP", start, "seconds since start", "start of the first wait; 0: never").since(3).nullable(),
    f64("PNETCDF_FILE_F_OPEN_END_TIMESTAMP", end, "seconds since start", "end of the last open; 0: never").since(2).nullable(),
    f64("PNETCDF_FILE_F_CLOSE_END_TIMESTAMP", end, "seconds since start", "end of the last close; 0: never"),
    f64("PNETCDF_FILE_F_WAIT_END_TIMESTAMP", end, "seconds since start", "end of the last wait; 0: never").since(3).nullable(),
    f64("PNETCDF_FILE_F_META_TIME", sum, "seconds", "time in create, open, close, sync and define calls").since(3).nullable().as(Role::meta_time),
    f64("PNETCDF_FILE_F_WAIT_TIME", sum, "seconds", "time in waits, which carry out nonblocking requests").since(3).nullable().as(Role::wait_time),
};
// clang-format on

constexpr Version pnetcdf_file_versions[] = {{1, 48, "3.0.0"}, {2, 64, "3.1.7"}, {3, 152, "3.4.1"}};

}  // namespace

constexpr Module pnetcdf_file{
    .id = 5,
    .name = "PNETCDF_FILE",
    .sql_name = "pnetcdf_file",
    .doc = "PnetCDF files",
    .fields = pnetcdf_file_fields,
    .versions = pnetcdf_file_versions,
    .upstream = {.fold = Upstream::Fold::reduction},
};
static_assert(valid(pnetcdf_file));

}  // namespace darrow::tables

// PNETCDF_VAR: variables of PnetCDF files. A record is a variable of one rank, or of all ranks (rank −1).
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;
using Accident::minus_one;

// clang-format off
constexpr Field pnetcdf_var_fields[] = {
    u64("file_rec_id", same, "id", "record id of the netCDF file that holds the variable").as(Role::file),
    i64("PNETCDF_VAR_OPENS", sum, "calls", "times the variable was defined or looked up").as(Role::opens),
    i64("PNETCDF_VAR_INDEP_READS", sum, "calls", "blocking independent reads").as(Role::reads),
    i64("PNETCDF_VAR_INDEP_WRITES", sum, "calls", "blocking independent writes").as(Role::writes),
    i64("PNETCDF_VAR_COLL_READS", sum, "calls", "blocking collective reads; each process counts its own").as(Role::reads),
    i64("PNETCDF_VAR_COLL_WRITES", sum, "calls", "blocking collective writes; each process counts its own").as(Role::writes),
    i64("PNETCDF_VAR_NB_READS", sum, "calls", "nonblocking reads, counted when posted").as(Role::reads).with(minus_one),
    i64("PNETCDF_VAR_NB_WRITES", sum, "calls", "nonblocking writes, buffered or not, counted when posted").as(Role::writes).with(minus_one),
    i64("PNETCDF_VAR_BYTES_READ", sum, "bytes", "bytes read: elements times the size of the type in the file").as(Role::bytes_read),
    i64("PNETCDF_VAR_BYTES_WRITTEN", sum, "bytes", "bytes written: elements times the size of the type in the file").as(Role::bytes_written),
    i64("PNETCDF_VAR_RW_SWITCHES", sum, "count", "changes between reading and writing"),

    i64("PNETCDF_VAR_PUT_VAR", sum, "calls", "blocking writes of whole variables (ncmpi_put_var)"),
    i64("PNETCDF_VAR_PUT_VAR1", sum, "calls", "blocking writes of single elements (ncmpi_put_var1)"),
    i64("PNETCDF_VAR_PUT_VARA", sum, "calls", "blocking writes of subarrays (ncmpi_put_vara)"),
    i64("PNETCDF_VAR_PUT_VARS", sum, "calls", "blocking writes of strided subarrays (ncmpi_put_vars)"),
    i64("PNETCDF_VAR_PUT_VARM", sum, "calls", "blocking writes of mapped subarrays (ncmpi_put_varm)"),
    i64("PNETCDF_VAR_PUT_VARN", sum, "calls", "blocking writes of lists of subarrays (ncmpi_put_varn)"),
    i64("PNETCDF_VAR_PUT_VARD", sum, "calls", "blocking writes described by an MPI datatype (ncmpi_put_vard)"),
    i64("PNETCDF_VAR_GET_VAR", sum, "calls", "blocking reads of whole variables (ncmpi_get_var)"),
    i64("PNETCDF_VAR_GET_VAR1", sum, "calls", "blocking reads of single elements (ncmpi_get_var1)"),
    i64("PNETCDF_VAR_GET_VARA", sum, "calls", "blocking reads of subarrays (ncmpi_get_vara)"),
    i64("PNETCDF_VAR_GET_VARS", sum, "calls", "blocking reads of strided subarrays (ncmpi_get_vars)"),
    i64("PNETCDF_VAR_GET_VARM", sum, "calls", "blocking reads of mapped subarrays (ncmpi_get_varm)"),
    i64("PNETCDF_VAR_GET_VARN", sum, "calls", "blocking reads of lists of subarrays (ncmpi_get_varn)"),
    i64("PNETCDF_VAR_GET_VARD", sum, "calls", "blocking reads described by an MPI datatype (ncmpi_get_vard)"),
    i64("PNETCDF_VAR_IPUT_VAR", sum, "calls", "nonblocking writes of whole variables (ncmpi_iput_var)"),
    i64("PNETCDF_VAR_IPUT_VAR1", sum, "calls", "nonblocking writes of single elements (ncmpi_iput_var1)"),
    i64("PNETCDF_VAR_IPUT_VARA", sum, "calls", "nonblocking writes of subarrays (ncmpi_iput_vara)"),
    i64("PNETCDF_VAR_IPUT_VARS", sum, "calls", "nonblocking writes of strided subarrays (ncmpi_iput_vars)"),
    i64("PNETCDF_VAR_IPUT_VARM", sum, "calls", "nonblocking writes of mapped subarrays (ncmpi_iput_varm)"),
    i64("PNETCDF_VAR_IPUT_VARN", sum, "calls", "nonblocking writes of lists of subarrays (ncmpi_iput_varn)"),
    i64("PNETCDF_VAR_IGET_VAR", sum, "calls", "nonblocking reads of whole variables (ncmpi_iget_var)"),
    i64("PNETCDF_VAR_IGET_VAR1", sum, "calls", "nonblocking reads of single elements (ncmpi_iget_var1)"),
    i64("PNETCDF_VAR_IGET_VARA", sum, "calls", "nonblocking reads of subarrays (ncmpi_iget_vara)"),
    i64("PNETCDF_VAR_IGET_VARS", sum, "calls", "nonblocking reads of strided subarrays (ncmpi_iget_vars)"),
    i64("PNETCDF_VAR_IGET_VARM", sum, "calls", "nonblocking reads of mapped subarrays (ncmpi_iget_varm)"),
    i64("PNETCDF_VAR_IGET_VARN", sum, "calls", "nonblocking reads of lists of subarrays (ncmpi_iget_varn)"),
    i64("PNETCDF_VAR_BPUT_VAR", sum, "calls", "buffered nonblocking writes of whole variables (ncmpi_bput_var)"),
    i64("PNETCDF_VAR_BPUT_VAR1", sum, "calls", "buffered nonblocking writes of single elements (ncmpi_bput_var1)"),
    i64("PNETCDF_VAR_BPUT_VARA", sum, "calls", "buffered nonblocking writes of subarrays (ncmpi_bput_vara)"),
    i64("PNETCDF_VAR_BPUT_VARS", sum, "calls", "buffered nonblocking writes of strided subarrays (ncmpi_bput_vars)"),
    i64("PNETCDF_VAR_BPUT_VARM", sum, "calls", "buffered nonblocking writes of mapped subarrays (ncmpi_bput_varm)"),
    i64("PNETCDF_VAR_BPUT_VARN", sum, "calls", "buffered nonblocking writes of lists of subarrays (ncmpi_bput_varn)"),

    i64("PNETCDF_VAR_MAX_READ_TIME_SIZE", with_max, "bytes", "size of the slowest read, not the largest size"),
    i64("PNETCDF_VAR_MAX_WRITE_TIME_SIZE", with_max, "bytes", "size of the slowest write, not the largest size"),

    i64("PNETCDF_VAR_SIZE_READ_AGG_0_100", sum, "calls", "reads of 0 to 100 bytes").as(Role::size_read),
    i64("PNETCDF_VAR_SIZE_READ_AGG_100_1K", sum, "calls", "reads of 101 bytes to 1 KiB").as(Role::size_read),
    i64("PNETCDF_VAR_SIZE_READ_AGG_1K_10K", sum, "calls", "reads of more than 1 KiB, up to 10 KiB").as(Role::size_read),
    i64("PNETCDF_VAR_SIZE_READ_AGG_10K_100K", sum, "calls", "reads of more than 10 KiB, up to 100 KiB").as(Role::size_read),
    i64("PNETCDF_VAR_SIZE_READ_AGG_100K_1M", sum, "calls", "reads of more than 100 KiB, up to 1 MiB").as(Role::size_read),
    i64("PNETCDF_VAR_SIZE_READ_AGG_1M_4M", sum, "calls", "reads of more than 1 MiB, up to 4 MiB").as(Role::size_read),
    i64("PNETCDF_VAR_SIZE_READ_AGG_4M_10M", sum, "calls", "reads of more than 4 MiB, up to 10 MiB").as(Role::size_read),
    i64("PNETCDF_VAR_SIZE_READ_AGG_10M_100M", sum, "calls", "reads of more than 10 MiB, up to 100 MiB").as(Role::size_read),
    i64("PNETCDF_VAR_SIZE_READ_AGG_100M_1G", sum, "calls", "reads of more than 100 MiB, up to 1 GiB").as(Role::size_read),
    i64("PNETCDF_VAR_SIZE_READ_AGG_1G_PLUS", sum, "calls", "reads of more than 1 GiB").as(Role::size_read),
    i64("PNETCDF_VAR_SIZE_WRITE_AGG_0_100", sum, "calls", "writes of 0 to 100 bytes").as(Role::size_write),
    i64("PNETCDF_VAR_SIZE_WRITE_AGG_100_1K", sum, "calls", "writes of 101 bytes to 1 KiB").as(Role::size_write),
    i64("PNETCDF_VAR_SIZE_WRITE_AGG_1K_10K", sum, "calls", "writes of more than 1 KiB, up to 10 KiB").as(Role::size_write),
    i64("PNETCDF_VAR_SIZE_WRITE_AGG_10K_100K", sum, "calls", "writes of more than 10 KiB, up to 100 KiB").as(Role::size_write),
    i64("PNETCDF_VAR_SIZE_WRITE_AGG_100K_1M", sum, "calls", "writes of more than 100 KiB, up to 1 MiB").as(Role::size_write),
    i64("PNETCDF_VAR_SIZE_WRITE_AGG_1M_4M", sum, "calls", "writes of more than 1 MiB, up to 4 MiB").as(Role::size_write),
    i64("PNETCDF_VAR_SIZE_WRITE_AGG_4M_10M", sum, "calls", "writes of more than 4 MiB, up to 10 MiB").as(Role::size_write),
    i64("PNETCDF_VAR_SIZE_WRITE_AGG_10M_100M", sum, "calls", "writes of more than 10 MiB, up to 100 MiB").as(Role::size_write),
    i64("PNETCDF_VAR_SIZE_WRITE_AGG_100M_1G", sum, "calls", "writes of more than 100 MiB, up to 1 GiB").as(Role::size_write),
    i64("PNETCDF_VAR_SIZE_WRITE_AGG_1G_PLUS", sum, "calls", "writes of more than 1 GiB").as(Role::size_write),

    i64("PNETCDF_VAR_ACCESS1_ACCESS", top, "bytes", "size of the most common access, reads and writes together; 0: none").as(Role::access_size),
    i64("PNETCDF_VAR_ACCESS1_LENGTH_D1", top, "count", "elements along slot D1 of the most common access (slowest dimension)"),
    i64("PNETCDF_VAR_ACCESS1_LENGTH_D2", top, "count", "elements along slot D2 of the most common access"),
    i64("PNETCDF_VAR_ACCESS1_LENGTH_D3", top, "count", "elements along slot D3 of the most common access"),
    i64("PNETCDF_VAR_ACCESS1_LENGTH_D4", top, "count", "elements along slot D4 of the most common access"),
    i64("PNETCDF_VAR_ACCESS1_LENGTH_D5", top, "count", "elements along slot D5 of the most common access"),
    i64("PNETCDF_VAR_ACCESS1_STRIDE_D1", top, "count", "step in elements along slot D1 of the most common access (slowest dimension)"),
    i64("PNETCDF_VAR_ACCESS1_STRIDE_D2", top, "count", "step in elements along slot D2 of the most common access"),
    i64("PNETCDF_VAR_ACCESS1_STRIDE_D3", top, "count", "step in elements along slot D3 of the most common access"),
    i64("PNETCDF_VAR_ACCESS1_STRIDE_D4", top, "count", "step in elements along slot D4 of the most common access"),
    i64("PNETCDF_VAR_ACCESS1_STRIDE_D5", top, "count", "step in elements along slot D5 of the most common access"),
    i64("PNETCDF_VAR_ACCESS2_ACCESS", top, "bytes", "size of the second most common access, reads and writes together; 0: none"),
    i64("PNETCDF_VAR_ACCESS2_LENGTH_D1", top, "count", "elements along slot D1 of the second most common access (slowest dimension)"),
    i64("PNETCDF_VAR_ACCESS2_LENGTH_D2", top, "count", "elements along slot D2 of the second most common access"),
    i64("PNETCDF_VAR_ACCESS2_LENGTH_D3", top, "count", "elements along slot D3 of the second most common access"),
    i64("PNETCDF_VAR_ACCESS2_LENGTH_D4", top, "count", "elements along slot D4 of the second most common access"),
    i64("PNETCDF_VAR_ACCESS2_LENGTH_D5", top, "count", "elements along slot D5 of the second most common access"),
    i64("PNETCDF_VAR_ACCESS2_STRIDE_D1", top, "count", "step in elements along slot D1 of the second most common access (slowest dimension)"),
    i64("PNETCDF_VAR_ACCESS2_STRIDE_D2", top, "count", "step in elements along slot D2 of the second most common access"),
    i64("PNETCDF_VAR_ACCESS2_STRIDE_D3", top, "count", "step in elements along slot D3 of the second most common access"),
    i64("PNETCDF_VAR_ACCESS2_STRIDE_D4", top, "count", "step in elements along slot D4 of the second most common access"),
    i64("PNETCDF_VAR_ACCESS2_STRIDE_D5", top, "count", "step in elements along slot D5 of the second most common access"),
    i64("PNETCDF_VAR_ACCESS3_ACCESS", top, "bytes", "size of the third most common access, reads and writes together; 0: none"),
    i64("PNETCDF_VAR_ACCESS3_LENGTH_D1", top, "count", "elements along slot D1 of the third most common access (slowest dimension)"),
    i64("PNETCDF_VAR_ACCESS3_LENGTH_D2", top, "count", "elements along slot D2 of the third most common access"),
    i64("PNETCDF_VAR_ACCESS3_LENGTH_D3", top, "count", "elements along slot D3 of the third most common access"),
    i64("PNETCDF_VAR_ACCESS3_LENGTH_D4", top, "count", "elements along slot D4 of the third most common access"),
    i64("PNETCDF_VAR_ACCESS3_LENGTH_D5", top, "count", "elements along slot D5 of the third most common access"),
    i64("PNETCDF_VAR_ACCESS3_STRIDE_D1", top, "count", "step in elements along slot D1 of the third most common access (slowest dimension)"),
    i64("PNETCDF_VAR_ACCESS3_STRIDE_D2", top, "count", "step in elements along slot D2 of the third most common access"),
    i64("PNETCDF_VAR_ACCESS3_STRIDE_D3", top, "count", "step in elements along slot D3 of the third most common access"),
    i64("PNETCDF_VAR_ACCESS3_STRIDE_D4", top, "count", "step in elements along slot D4 of the third most common access"),
    i64("PNETCDF_VAR_ACCESS3_STRIDE_D5", top, "count", "step in elements along slot D5 of the third most common access"),
    i64("PNETCDF_VAR_ACCESS4_ACCESS", top, "bytes", "size of the fourth most common access, reads and writes together; 0: none"),
    i64("PNETCDF_VAR_ACCESS4_LENGTH_D1", top, "count", "elements along slot D1 of the fourth most common access (slowest dimension)"),
    i64("PNETCDF_VAR_ACCESS4_LENGTH_D2", top, "count", "elements along slot D2 of the fourth most common access"),
    i64("PNETCDF_VAR_ACCESS4_LENGTH_D3", top, "count", "elements along slot D3 of the fourth most common access"),
    i64("PNETCDF_VAR_ACCESS4_LENGTH_D4", top, "count", "elements along slot D4 of the fourth most common access"),
    i64("PNETCDF_VAR_ACCESS4_LENGTH_D5", top, "count", "elements along slot D5 of the fourth most common access"),
    i64("PNETCDF_VAR_ACCESS4_STRIDE_D1", top, "count", "step in elements along slot D1 of the fourth most common access (slowest dimension)"),
    i64("PNETCDF_VAR_ACCESS4_STRIDE_D2", top, "count", "step in elements along slot D2 of the fourth most common access"),
    i64("PNETCDF_VAR_ACCESS4_STRIDE_D3", top, "count", "step in elements along slot D3 of the fourth most common access"),
    i64("PNETCDF_VAR_ACCESS4_STRIDE_D4", top, "count", "step in elements along slot D4 of the fourth most common access"),
    i64("PNETCDF_VAR_ACCESS4_STRIDE_D5", top, "count", "step in elements along slot D5 of the fourth most common access"),
    i64("PNETCDF_VAR_ACCESS1_COUNT", top, "calls", "accesses with the most common size and shape"),
    i64("PNETCDF_VAR_ACCESS2_COUNT", top, "calls", "accesses with the second most common size and shape"),
    i64("PNETCDF_VAR_ACCESS3_COUNT", top, "calls", "accesses with the third most common size and shape"),
    i64("PNETCDF_VAR_ACCESS4_COUNT", top, "calls", "accesses with the fourth most common size and shape"),

    i64("PNETCDF_VAR_NDIMS", same, "count", "dimensions of the variable, the record dimension included"),
    i64("PNETCDF_VAR_NPOINTS", same, "count", "elements of the variable, of a record variable those of one record"),
    i64("PNETCDF_VAR_DATATYPE_SIZE", same, "bytes", "size of one element in the file"),
    i64("PNETCDF_VAR_IS_RECORD_VAR", flag, "flag", "1 if the first dimension is the unlimited (record) dimension, else 0"),

    i64("PNETCDF_VAR_FASTEST_RANK", fastest, "rank", "rank with the least read, write and metadata time; only in records of rank −1"),
    i64("PNETCDF_VAR_FASTEST_RANK_BYTES", fastest, "bytes", "bytes read and written by the fastest rank"),
    i64("PNETCDF_VAR_SLOWEST_RANK", slowest, "rank", "rank with the most read, write and metadata time; only in records of rank −1"),
    i64("PNETCDF_VAR_SLOWEST_RANK_BYTES", slowest, "bytes", "bytes read and written by the slowest rank"),

    f64("PNETCDF_VAR_F_OPEN_START_TIMESTAMP", start, "seconds since start", "start of the first open; 0: never"),
    f64("PNETCDF_VAR_F_READ_START_TIMESTAMP", start, "seconds since start", "start of the first read; 0: never"),
    f64("PNETCDF_VAR_F_WRITE_START_TIMESTAMP", start, "seconds since start", "start of the first write; 0: never"),
    f64("PNETCDF_VAR_F_CLOSE_START_TIMESTAMP", start, "seconds since start", "start of the first close; 0: never"),
    f64("PNETCDF_VAR_F_OPEN_END_TIMESTAMP", end, "seconds since start", "end of the last open; 0: never"),
    f64("PNETCDF_VAR_F_READ_END_TIMESTAMP", end, "seconds since start", "end of the last read; 0: never"),
    f64("PNETCDF_VAR_F_WRITE_END_TIMESTAMP", end, "seconds since start", "end of the last write; 0: never"),
    f64("PNETCDF_VAR_F_CLOSE_END_TIMESTAMP", end, "seconds since start", "end of the last close; 0: never"),

    f64("PNETCDF_VAR_F_READ_TIME", sum, "seconds", "time in read calls; of nonblocking ones only to post them").as(Role::read_time),
    f64("PNETCDF_VAR_F_WRITE_TIME", sum, "seconds", "time in write calls; of nonblocking ones only to post them").as(Role::write_time),
    f64("PNETCDF_VAR_F_META_TIME", sum, "seconds", "time in ncmpi_def_var and ncmpi_inq_varid").as(Role::meta_time),

    f64("PNETCDF_VAR_F_MAX_READ_TIME", with_max, "seconds", "duration of the slowest read"),
    f64("PNETCDF_VAR_F_MAX_WRITE_TIME", with_max, "seconds", "duration of the slowest write"),

    f64("PNETCDF_VAR_F_FASTEST_RANK_TIME", fastest, "seconds", "read, write and metadata time of the fastest rank"),
    f64("PNETCDF_VAR_F_SLOWEST_RANK_TIME", slowest, "seconds", "read, write and metadata time of the slowest rank").as(Role::slowest_time),
    f64("PNETCDF_VAR_F_VARIANCE_RANK_TIME", variance, "seconds^2", "population variance over ranks of read, write and metadata time; rank −1 only"),
    f64("PNETCDF_VAR_F_VARIANCE_RANK_BYTES", variance, "bytes^2", "population variance over ranks of bytes read and written; rank −1 only"),
};

constexpr Group pnetcdf_var_groups[] = {
    {GroupKind::max_with, {"PNETCDF_VAR_F_MAX_READ_TIME", "PNETCDF_VAR_MAX_READ_TIME_SIZE", ""}},
    {GroupKind::max_with, {"PNETCDF_VAR_F_MAX_WRITE_TIME", "PNETCDF_VAR_MAX_WRITE_TIME_SIZE", ""}},
    {GroupKind::fastest, {"PNETCDF_VAR_F_FASTEST_RANK_TIME", "PNETCDF_VAR_FASTEST_RANK", "PNETCDF_VAR_FASTEST_RANK_BYTES"}},
    {GroupKind::slowest, {"PNETCDF_VAR_F_SLOWEST_RANK_TIME", "PNETCDF_VAR_SLOWEST_RANK", "PNETCDF_VAR_SLOWEST_RANK_BYTES"}},
    {GroupKind::variance, {"PNETCDF_VAR_F_VARIANCE_RANK_TIME", "PNETCDF_VAR_F_VARIANCE_RANK_BYTES", ""}},
    {GroupKind::top, {"PNETCDF_VAR_ACCESS1_ACCESS", "PNETCDF_VAR_ACCESS1_COUNT", ""}, 4, 11, "accesses"},
};
// clang-format on

constexpr Version pnetcdf_var_versions[] = {{1, 1120, "3.4.1"}};

}  // namespace

constexpr Module pnetcdf_var{
    .id = 6,
    .name = "PNETCDF_VAR",
    .sql_name = "pnetcdf_var",
    .doc = "variables of PnetCDF files",
    .fields = pnetcdf_var_fields,
    .versions = pnetcdf_var_versions,
    .groups = pnetcdf_var_groups,
    .upstream = {.fold = Upstream::Fold::reduction, .common = Upstream::Common::erases},
};
static_assert(valid(pnetcdf_var));

}  // namespace darrow::tables

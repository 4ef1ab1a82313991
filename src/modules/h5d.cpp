// H5D: HDF5 datasets. A record is a dataset of one rank, or of all ranks (rank −1).
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field h5d_fields[] = {
    u64("file_rec_id", same, "id", "record id of the HDF5 file that holds the dataset; 0: not recorded").since(2, 0).as(Role::file),
    i64("H5D_OPENS", sum, "calls", "dataset creates and opens").as(Role::opens),
    i64("H5D_READS", sum, "calls", "H5Dread calls").as(Role::reads),
    i64("H5D_WRITES", sum, "calls", "H5Dwrite calls").as(Role::writes),
    i64("H5D_FLUSHES", sum, "calls", "H5Dflush calls").nullable().as(Role::meta_ops),
    i64("H5D_BYTES_READ", sum, "bytes", "bytes read: selected elements times element size").as(Role::bytes_read),
    i64("H5D_BYTES_WRITTEN", sum, "bytes", "bytes written: selected elements times element size").as(Role::bytes_written),
    i64("H5D_RW_SWITCHES", sum, "count", "changes between reading and writing"),
    i64("H5D_REGULAR_HYPERSLAB_SELECTS", sum, "calls", "accesses whose file selection was one regular hyperslab").nullable(),
    i64("H5D_IRREGULAR_HYPERSLAB_SELECTS", sum, "calls", "accesses whose file selection was a combined, irregular hyperslab").nullable(),
    i64("H5D_POINT_SELECTS", sum, "calls", "accesses that selected single elements"),

    i64("H5D_MAX_READ_TIME_SIZE", with_max, "bytes", "size of the slowest read, not the largest size"),
    i64("H5D_MAX_WRITE_TIME_SIZE", with_max, "bytes", "size of the slowest write, not the largest size"),

    i64("H5D_SIZE_READ_AGG_0_100", sum, "calls", "reads of 0 to 100 bytes").as(Role::size_read),
    i64("H5D_SIZE_READ_AGG_100_1K", sum, "calls", "reads of 101 bytes to 1 KiB").as(Role::size_read),
    i64("H5D_SIZE_READ_AGG_1K_10K", sum, "calls", "reads of more than 1 KiB, up to 10 KiB").as(Role::size_read),
    i64("H5D_SIZE_READ_AGG_10K_100K", sum, "calls", "reads of more than 10 KiB, up to 100 KiB").as(Role::size_read),
    i64("H5D_SIZE_READ_AGG_100K_1M", sum, "calls", "reads of more than 100 KiB, up to 1 MiB").as(Role::size_read),
    i64("H5D_SIZE_READ_AGG_1M_4M", sum, "calls", "reads of more than 1 MiB, up to 4 MiB").as(Role::size_read),
    i64("H5D_SIZE_READ_AGG_4M_10M", sum, "calls", "reads of more than 4 MiB, up to 10 MiB").as(Role::size_read),
    i64("H5D_SIZE_READ_AGG_10M_100M", sum, "calls", "reads of more than 10 MiB, up to 100 MiB").as(Role::size_read),
    i64("H5D_SIZE_READ_AGG_100M_1G", sum, "calls", "reads of more than 100 MiB, up to 1 GiB").as(Role::size_read),
    i64("H5D_SIZE_READ_AGG_1G_PLUS", sum, "calls", "reads of more than 1 GiB").as(Role::size_read),
    i64("H5D_SIZE_WRITE_AGG_0_100", sum, "calls", "writes of 0 to 100 bytes").as(Role::size_write),
    i64("H5D_SIZE_WRITE_AGG_100_1K", sum, "calls", "writes of 101 bytes to 1 KiB").as(Role::size_write),
    i64("H5D_SIZE_WRITE_AGG_1K_10K", sum, "calls", "writes of more than 1 KiB, up to 10 KiB").as(Role::size_write),
    i64("H5D_SIZE_WRITE_AGG_10K_100K", sum, "calls", "writes of more than 10 KiB, up to 100 KiB").as(Role::size_write),
    i64("H5D_SIZE_WRITE_AGG_100K_1M", sum, "calls", "writes of more than 100 KiB, up to 1 MiB").as(Role::size_write),
    i64("H5D_SIZE_WRITE_AGG_1M_4M", sum, "calls", "writes of more than 1 MiB, up to 4 MiB").as(Role::size_write),
    i64("H5D_SIZE_WRITE_AGG_4M_10M", sum, "calls", "writes of more than 4 MiB, up to 10 MiB").as(Role::size_write),
    i64("H5D_SIZE_WRITE_AGG_10M_100M", sum, "calls", "writes of more than 10 MiB, up to 100 MiB").as(Role::size_write),
    i64("H5D_SIZE_WRITE_AGG_100M_1G", sum, "calls", "writes of more than 100 MiB, up to 1 GiB").as(Role::size_write),
    i64("H5D_SIZE_WRITE_AGG_1G_PLUS", sum, "calls", "writes of more than 1 GiB").as(Role::size_write),

    i64("H5D_ACCESS1_ACCESS", top, "bytes", "size of the most common access, reads and writes together; 0: none").as(Role::access_size),
    i64("H5D_ACCESS1_LENGTH_D1", top, "count", "elements along slot D1 of the most common access").nullable(),
    i64("H5D_ACCESS1_LENGTH_D2", top, "count", "elements along slot D2 of the most common access").nullable(),
    i64("H5D_ACCESS1_LENGTH_D3", top, "count", "elements along slot D3 of the most common access").nullable(),
    i64("H5D_ACCESS1_LENGTH_D4", top, "count", "elements along slot D4 of the most common access").nullable(),
    i64("H5D_ACCESS1_LENGTH_D5", top, "count", "elements along slot D5 of the most common access (slowest dimension)").nullable(),
    i64("H5D_ACCESS1_STRIDE_D1", top, "count", "step in elements along slot D1 of the most common access").nullable(),
    i64("H5D_ACCESS1_STRIDE_D2", top, "count", "step in elements along slot D2 of the most common access").nullable(),
    i64("H5D_ACCESS1_STRIDE_D3", top, "count", "step in elements along slot D3 of the most common access").nullable(),
    i64("H5D_ACCESS1_STRIDE_D4", top, "count", "step in elements along slot D4 of the most common access").nullable(),
    i64("H5D_ACCESS1_STRIDE_D5", top, "count", "step in elements along slot D5 of the most common access (slowest dimension)").nullable(),
    i64("H5D_ACCESS2_ACCESS", top, "bytes", "size of the second most common access, reads and writes together; 0: none"),
    i64("H5D_ACCESS2_LENGTH_D1", top, "count", "elements along slot D1 of the second most common access").nullable(),
    i64("H5D_ACCESS2_LENGTH_D2", top, "count", "elements along slot D2 of the second most common access").nullable(),
    i64("H5D_ACCESS2_LENGTH_D3", top, "count", "elements along slot D3 of the second most common access").nullable(),
    i64("H5D_ACCESS2_LENGTH_D4", top, "count", "elements along slot D4 of the second most common access").nullable(),
    i64("H5D_ACCESS2_LENGTH_D5", top, "count", "elements along slot D5 of the second most common access (slowest dimension)").nullable(),
    i64("H5D_ACCESS2_STRIDE_D1", top, "count", "step in elements along slot D1 of the second most common access").nullable(),
    i64("H5D_ACCESS2_STRIDE_D2", top, "count", "step in elements along slot D2 of the second most common access").nullable(),
    i64("H5D_ACCESS2_STRIDE_D3", top, "count", "step in elements along slot D3 of the second most common access").nullable(),
    i64("H5D_ACCESS2_STRIDE_D4", top, "count", "step in elements along slot D4 of the second most common access").nullable(),
    i64("H5D_ACCESS2_STRIDE_D5", top, "count", "step in elements along slot D5 of the second most common access (slowest dimension)").nullable(),
    i64("H5D_ACCESS3_ACCESS", top, "bytes", "size of the third most common access, reads and writes together; 0: none"),
    i64("H5D_ACCESS3_LENGTH_D1", top, "count", "elements along slot D1 of the third most common access").nullable(),
    i64("H5D_ACCESS3_LENGTH_D2", top, "count", "elements along slot D2 of the third most common access").nullable(),
    i64("H5D_ACCESS3_LENGTH_D3", top, "count", "elements along slot D3 of the third most common access").nullable(),
    i64("H5D_ACCESS3_LENGTH_D4", top, "count", "elements along slot D4 of the third most common access").nullable(),
    i64("H5D_ACCESS3_LENGTH_D5", top, "count", "elements along slot D5 of the third most common access (slowest dimension)").nullable(),
    i64("H5D_ACCESS3_STRIDE_D1", top, "count", "step in elements along slot D1 of the third most common access").nullable(),
    i64("H5D_ACCESS3_STRIDE_D2", top, "count", "step in elements along slot D2 of the third most common access").nullable(),
    i64("H5D_ACCESS3_STRIDE_D3", top, "count", "step in elements along slot D3 of the third most common access").nullable(),
    i64("H5D_ACCESS3_STRIDE_D4", top, "count", "step in elements along slot D4 of the third most common access").nullable(),
    i64("H5D_ACCESS3_STRIDE_D5", top, "count", "step in elements along slot D5 of the third most common access (slowest dimension)").nullable(),
    i64("H5D_ACCESS4_ACCESS", top, "bytes", "size of the fourth most common access, reads and writes together; 0: none"),
    i64("H5D_ACCESS4_LENGTH_D1", top, "count", "elements along slot D1 of the fourth most common access").nullable(),
    i64("H5D_ACCESS4_LENGTH_D2", top, "count", "elements along slot D2 of the fourth most common access").nullable(),
    i64("H5D_ACCESS4_LENGTH_D3", top, "count", "elements along slot D3 of the fourth most common access").nullable(),
    i64("H5D_ACCESS4_LENGTH_D4", top, "count", "elements along slot D4 of the fourth most common access").nullable(),
    i64("H5D_ACCESS4_LENGTH_D5", top, "count", "elements along slot D5 of the fourth most common access (slowest dimension)").nullable(),
    i64("H5D_ACCESS4_STRIDE_D1", top, "count", "step in elements along slot D1 of the fourth most common access").nullable(),
    i64("H5D_ACCESS4_STRIDE_D2", top, "count", "step in elements along slot D2 of the fourth most common access").nullable(),
    i64("H5D_ACCESS4_STRIDE_D3", top, "count", "step in elements along slot D3 of the fourth most common access").nullable(),
    i64("H5D_ACCESS4_STRIDE_D4", top, "count", "step in elements along slot D4 of the fourth most common access").nullable(),
    i64("H5D_ACCESS4_STRIDE_D5", top, "count", "step in elements along slot D5 of the fourth most common access (slowest dimension)").nullable(),
    i64("H5D_ACCESS1_COUNT", top, "calls", "accesses with the most common size and shape"),
    i64("H5D_ACCESS2_COUNT", top, "calls", "accesses with the second most common size and shape"),
    i64("H5D_ACCESS3_COUNT", top, "calls", "accesses with the third most common size and shape"),
    i64("H5D_ACCESS4_COUNT", top, "calls", "accesses with the fourth most common size and shape"),

    i64("H5D_DATASPACE_NDIMS", same, "count", "dimensions of the dataset"),
    i64("H5D_DATASPACE_NPOINTS", same, "count", "elements of the dataset when it was last opened"),
    i64("H5D_DATATYPE_SIZE", same, "bytes", "size of one element"),
    i64("H5D_CHUNK_SIZE_D1", same, "count", "chunk length along the last (fastest) dimension; 0: not chunked"),
    i64("H5D_CHUNK_SIZE_D2", same, "count", "chunk length along the second to last dimension"),
    i64("H5D_CHUNK_SIZE_D3", same, "count", "chunk length along the third to last dimension"),
    i64("H5D_CHUNK_SIZE_D4", same, "count", "chunk length along the fourth to last dimension"),
    i64("H5D_CHUNK_SIZE_D5", same, "count", "chunk length along the fifth to last dimension"),
    i64("H5D_USE_MPIIO_COLLECTIVE", flag, "flag", "1 if any access asked for collective MPI-IO transfer, else 0"),
    i64("H5D_USE_DEPRECATED", flag, "flag", "1 if the last open or create used H5Dopen1 or H5Dcreate1, else 0"),

    i64("H5D_FASTEST_RANK", fastest, "rank", "rank with the least read, write and metadata time; only in records of rank −1"),
    i64("H5D_FASTEST_RANK_BYTES", fastest, "bytes", "bytes read and written by the fastest rank"),
    i64("H5D_SLOWEST_RANK", slowest, "rank", "rank with the most read, write and metadata time; only in records of rank −1"),
    i64("H5D_SLOWEST_RANK_BYTES", slowest, "bytes", "bytes read and written by the slowest rank"),

    f64("H5D_F_OPEN_START_TIMESTAMP", start, "seconds since start", "start of the first open; 0: never"),
    f64("H5D_F_READ_START_TIMESTAMP", start, "seconds since start", "start of the first read; 0: never"),
    f64("H5D_F_WRITE_START_TIMESTAMP", start, "seconds since start", "start of the first write; 0: never"),
    f64("H5D_F_CLOSE_START_TIMESTAMP", start, "seconds since start", "start of the first close; 0: never"),
    f64("H5D_F_OPEN_END_TIMESTAMP", end, "seconds since start", "end of the last open; 0: never"),
    f64("H5D_F_READ_END_TIMESTAMP", end, "seconds since start", "end of the last read; 0: never"),
    f64("H5D_F_WRITE_END_TIMESTAMP", end, "seconds since start", "end of the last write; 0: never"),
    f64("H5D_F_CLOSE_END_TIMESTAMP", end, "seconds since start", "end of the last close; 0: never"),

    f64("H5D_F_READ_TIME", sum, "seconds", "time in H5Dread calls").as(Role::read_time),
    f64("H5D_F_WRITE_TIME", sum, "seconds", "time in H5Dwrite calls").as(Role::write_time),
    f64("H5D_F_META_TIME", sum, "seconds", "time in create, open, close and flush calls").as(Role::meta_time),

    f64("H5D_F_MAX_READ_TIME", with_max, "seconds", "duration of the slowest read"),
    f64("H5D_F_MAX_WRITE_TIME", with_max, "seconds", "duration of the slowest write"),

    f64("H5D_F_FASTEST_RANK_TIME", fastest, "seconds", "read, write and metadata time of the fastest rank"),
    f64("H5D_F_SLOWEST_RANK_TIME", slowest, "seconds", "read, write and metadata time of the slowest rank").as(Role::slowest_time),
    f64("H5D_F_VARIANCE_RANK_TIME", variance, "seconds^2", "population variance over ranks of read, write and metadata time; rank −1 only"),
    f64("H5D_F_VARIANCE_RANK_BYTES", variance, "bytes^2", "population variance over ranks of bytes read and written; rank −1 only"),
};

constexpr Group h5d_groups[] = {
    {GroupKind::max_with, {"H5D_F_MAX_READ_TIME", "H5D_MAX_READ_TIME_SIZE", ""}},
    {GroupKind::max_with, {"H5D_F_MAX_WRITE_TIME", "H5D_MAX_WRITE_TIME_SIZE", ""}},
    {GroupKind::fastest, {"H5D_F_FASTEST_RANK_TIME", "H5D_FASTEST_RANK", "H5D_FASTEST_RANK_BYTES"}},
    {GroupKind::slowest, {"H5D_F_SLOWEST_RANK_TIME", "H5D_SLOWEST_RANK", "H5D_SLOWEST_RANK_BYTES"}},
    {GroupKind::variance, {"H5D_F_VARIANCE_RANK_TIME", "H5D_F_VARIANCE_RANK_BYTES", ""}},
    {GroupKind::top, {"H5D_ACCESS1_ACCESS", "H5D_ACCESS1_COUNT", ""}, 4, 11, "accesses"},
};
// clang-format on

constexpr Version h5d_versions[] = {{1, 904, "3.2.0"}, {2, 912, "3.3.0"}};

}  // namespace

constexpr Module h5d{
    .id = 4,
    .name = "H5D",
    .sql_name = "h5d",
    .doc = "HDF5 datasets",
    .fields = h5d_fields,
    .versions = h5d_versions,
    .groups = h5d_groups,
    .upstream = {.fold = Upstream::Fold::reduction, .common = Upstream::Common::erases},
};
static_assert(valid(h5d));

}  // namespace darrow::tables

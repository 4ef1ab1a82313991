// MPI-IO: MPI_File calls. A record is a file of one rank, or of all ranks (rank −1).
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field mpiio_fields[] = {
    i64("MPIIO_INDEP_OPENS", sum, "calls", "opens on a communicator with one process").as(Role::opens),
    i64("MPIIO_COLL_OPENS", sum, "calls", "opens on a communicator with several processes; each process counts its own").as(Role::opens),
    i64("MPIIO_INDEP_READS", sum, "calls", "blocking independent reads").as(Role::reads),
    i64("MPIIO_INDEP_WRITES", sum, "calls", "blocking independent writes").as(Role::writes),
    i64("MPIIO_COLL_READS", sum, "calls", "blocking collective reads; each process counts its own").as(Role::reads),
    i64("MPIIO_COLL_WRITES", sum, "calls", "blocking collective writes; each process counts its own").as(Role::writes),
    i64("MPIIO_SPLIT_READS", sum, "calls", "split collective reads, counted when they begin").as(Role::reads),
    i64("MPIIO_SPLIT_WRITES", sum, "calls", "split collective writes, counted when they begin").as(Role::writes),
    i64("MPIIO_NB_READS", sum, "calls", "nonblocking reads, independent or collective, counted when posted").as(Role::reads),
    i64("MPIIO_NB_WRITES", sum, "calls", "nonblocking writes, independent or collective, counted when posted").as(Role::writes),
    i64("MPIIO_SYNCS", sum, "calls", "MPI_File_sync calls").as(Role::meta_ops),
    i64("MPIIO_HINTS", sum, "calls", "opens and set_view calls that passed an info object"),
    i64("MPIIO_VIEWS", sum, "calls", "MPI_File_set_view calls").as(Role::meta_ops),
    i64("MPIIO_MODE", same, "", "access mode (amode bits) of the last open"),
    i64("MPIIO_BYTES_READ", sum, "bytes", "bytes read, as requested by the calls").as(Role::bytes_read),
    i64("MPIIO_BYTES_WRITTEN", sum, "bytes", "bytes written, as requested by the calls").as(Role::bytes_written),
    i64("MPIIO_RW_SWITCHES", sum, "count", "changes between reading and writing"),

    i64("MPIIO_MAX_READ_TIME_SIZE", with_max, "bytes", "size of the slowest read, not the largest size"),
    i64("MPIIO_MAX_WRITE_TIME_SIZE", with_max, "bytes", "size of the slowest write, not the largest size"),

    i64("MPIIO_SIZE_READ_AGG_0_100", sum, "calls", "reads of 0 to 100 bytes").as(Role::size_read),
    i64("MPIIO_SIZE_READ_AGG_100_1K", sum, "calls", "reads of 101 bytes to 1 KiB").as(Role::size_read),
    i64("MPIIO_SIZE_READ_AGG_1K_10K", sum, "calls", "reads of more than 1 KiB, up to 10 KiB").as(Role::size_read),
    i64("MPIIO_SIZE_READ_AGG_10K_100K", sum, "calls", "reads of more than 10 KiB, up to 100 KiB").as(Role::size_read),
    i64("MPIIO_SIZE_READ_AGG_100K_1M", sum, "calls", "reads of more than 100 KiB, up to 1 MiB").as(Role::size_read),
    i64("MPIIO_SIZE_READ_AGG_1M_4M", sum, "calls", "reads of more than 1 MiB, up to 4 MiB").as(Role::size_read),
    i64("MPIIO_SIZE_READ_AGG_4M_10M", sum, "calls", "reads of more than 4 MiB, up to 10 MiB").as(Role::size_read),
    i64("MPIIO_SIZE_READ_AGG_10M_100M", sum, "calls", "reads of more than 10 MiB, up to 100 MiB").as(Role::size_read),
    i64("MPIIO_SIZE_READ_AGG_100M_1G", sum, "calls", "reads of more than 100 MiB, up to 1 GiB").as(Role::size_read),
    i64("MPIIO_SIZE_READ_AGG_1G_PLUS", sum, "calls", "reads of more than 1 GiB").as(Role::size_read),
    i64("MPIIO_SIZE_WRITE_AGG_0_100", sum, "calls", "writes of 0 to 100 bytes").as(Role::size_write),
    i64("MPIIO_SIZE_WRITE_AGG_100_1K", sum, "calls", "writes of 101 bytes to 1 KiB").as(Role::size_write),
    i64("MPIIO_SIZE_WRITE_AGG_1K_10K", sum, "calls", "writes of more than 1 KiB, up to 10 KiB").as(Role::size_write),
    i64("MPIIO_SIZE_WRITE_AGG_10K_100K", sum, "calls", "writes of more than 10 KiB, up to 100 KiB").as(Role::size_write),
    i64("MPIIO_SIZE_WRITE_AGG_100K_1M", sum, "calls", "writes of more than 100 KiB, up to 1 MiB").as(Role::size_write),
    i64("MPIIO_SIZE_WRITE_AGG_1M_4M", sum, "calls", "writes of more than 1 MiB, up to 4 MiB").as(Role::size_write),
    i64("MPIIO_SIZE_WRITE_AGG_4M_10M", sum, "calls", "writes of more than 4 MiB, up to 10 MiB").as(Role::size_write),
    i64("MPIIO_SIZE_WRITE_AGG_10M_100M", sum, "calls", "writes of more than 10 MiB, up to 100 MiB").as(Role::size_write),
    i64("MPIIO_SIZE_WRITE_AGG_100M_1G", sum, "calls", "writes of more than 100 MiB, up to 1 GiB").as(Role::size_write),
    i64("MPIIO_SIZE_WRITE_AGG_1G_PLUS", sum, "calls", "writes of more than 1 GiB").as(Role::size_write),

    i64("MPIIO_ACCESS1_ACCESS", top, "bytes", "most common access size, reads and writes together; 0: none").as(Role::access_size),
    i64("MPIIO_ACCESS2_ACCESS", top, "bytes", "second most common access size, reads and writes together; 0: none"),
    i64("MPIIO_ACCESS3_ACCESS", top, "bytes", "third most common access size, reads and writes together; 0: none"),
    i64("MPIIO_ACCESS4_ACCESS", top, "bytes", "fourth most common access size, reads and writes together; 0: none"),
    i64("MPIIO_ACCESS1_COUNT", top, "calls", "accesses of the most common size"),
    i64("MPIIO_ACCESS2_COUNT", top, "calls", "accesses of the second most common size"),
    i64("MPIIO_ACCESS3_COUNT", top, "calls", "accesses of the third most common size"),
    i64("MPIIO_ACCESS4_COUNT", top, "calls", "accesses of the fourth most common size"),

    i64("MPIIO_FASTEST_RANK", fastest, "rank", "rank with the least read, write and metadata time; only in records of rank −1"),
    i64("MPIIO_FASTEST_RANK_BYTES", fastest, "bytes", "bytes read and written by the fastest rank"),
    i64("MPIIO_SLOWEST_RANK", slowest, "rank", "rank with the most read, write and metadata time; only in records of rank −1"),
    i64("MPIIO_SLOWEST_RANK_BYTES", slowest, "bytes", "bytes read and written by the slowest rank"),

    f64("MPIIO_F_OPEN_START_TIMESTAMP", start, "seconds since start", "start of the first open; 0: never"),
    f64("MPIIO_F_READ_START_TIMESTAMP", start, "seconds since start", "start of the first read; 0: never"),
    f64("MPIIO_F_WRITE_START_TIMESTAMP", start, "seconds since start", "start of the first write; 0: never"),
    f64("MPIIO_F_CLOSE_START_TIMESTAMP", start, "seconds since start", "start of the first close; 0: never").since(3).nullable(),
    f64("MPIIO_F_OPEN_END_TIMESTAMP", end, "seconds since start", "end of the last open; 0: never").since(3).nullable(),
    f64("MPIIO_F_READ_END_TIMESTAMP", end, "seconds since start", "end of the last read; 0: never"),
    f64("MPIIO_F_WRITE_END_TIMESTAMP", end, "seconds since start", "end of the last write; 0: never"),
    f64("MPIIO_F_CLOSE_END_TIMESTAMP", end, "seconds since start", "end of the last close; 0: never"),

    f64("MPIIO_F_READ_TIME", sum, "seconds", "time in read calls; of nonblocking ones only to post them").as(Role::read_time),
    f64("MPIIO_F_WRITE_TIME", sum, "seconds", "time in write and sync calls; of nonblocking ones only to post them").as(Role::write_time),
    f64("MPIIO_F_META_TIME", sum, "seconds", "time in open, close and set_view calls").as(Role::meta_time),

    f64("MPIIO_F_MAX_READ_TIME", with_max, "seconds", "duration of the slowest read"),
    f64("MPIIO_F_MAX_WRITE_TIME", with_max, "seconds", "duration of the slowest write"),

    f64("MPIIO_F_FASTEST_RANK_TIME", fastest, "seconds", "read, write and metadata time of the fastest rank"),
    f64("MPIIO_F_SLOWEST_RANK_TIME", slowest, "seconds", "read, write and metadata time of the slowest rank").as(Role::slowest_time),
    f64("MPIIO_F_VARIANCE_RANK_TIME", variance, "seconds^2", "population variance over ranks of read, write and metadata time; rank −1 only"),
    f64("MPIIO_F_VARIANCE_RANK_BYTES", variance, "bytes^2", "population variance over ranks of bytes read and written; rank −1 only"),
};

constexpr Group mpiio_groups[] = {
    {GroupKind::max_with, {"MPIIO_F_MAX_READ_TIME", "MPIIO_MAX_READ_TIME_SIZE", ""}},
    {GroupKind::max_with, {"MPIIO_F_MAX_WRITE_TIME", "MPIIO_MAX_WRITE_TIME_SIZE", ""}},
    {GroupKind::fastest, {"MPIIO_F_FASTEST_RANK_TIME", "MPIIO_FASTEST_RANK", "MPIIO_FASTEST_RANK_BYTES"}},
    {GroupKind::slowest, {"MPIIO_F_SLOWEST_RANK_TIME", "MPIIO_SLOWEST_RANK", "MPIIO_SLOWEST_RANK_BYTES"}},
    {GroupKind::variance, {"MPIIO_F_VARIANCE_RANK_TIME", "MPIIO_F_VARIANCE_RANK_BYTES", ""}},
    {GroupKind::top, {"MPIIO_ACCESS1_ACCESS", "MPIIO_ACCESS1_COUNT", ""}, 4, 1, "accesses"},
};
// clang-format on

constexpr Version mpiio_versions[] = {{1, 544, "3.0.0"}, {2, 544, "3.1.1"}, {3, 560, "3.1.7"}};

}  // namespace

constexpr Module mpiio{
    .id = 2,
    .name = "MPI-IO",
    .sql_name = "mpiio",
    .doc = "MPI_File calls",
    .fields = mpiio_fields,
    .versions = mpiio_versions,
    .groups = mpiio_groups,
    .upstream = {.fold = Upstream::Fold::accumulator, .common = Upstream::Common::skips_empty},
};
static_assert(valid(mpiio));

}  // namespace darrow::tables

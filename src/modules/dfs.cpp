// DFS: files of the DAOS file system. A record is a file of one rank, or of all ranks (rank −1).
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field dfs_fields[] = {
    i64("DFS_OPENS", sum, "calls", "dfs_open calls").as(Role::opens),
    i64("DFS_GLOBAL_OPENS", sum, "calls", "dfs_obj_global2local calls: opens from a handle that another process shared").as(Role::opens),
    i64("DFS_LOOKUPS", sum, "calls", "dfs_lookup and dfs_lookup_rel calls that led to the file").as(Role::opens),
    i64("DFS_DUPS", sum, "calls", "dfs_dup calls").as(Role::opens),
    i64("DFS_READS", sum, "calls", "contiguous reads (dfs_read), blocking or not").as(Role::reads),
    i64("DFS_READXS", sum, "calls", "noncontiguous reads (dfs_readx), blocking or not").as(Role::reads),
    i64("DFS_WRITES", sum, "calls", "contiguous writes (dfs_write), blocking or not").as(Role::writes),
    i64("DFS_WRITEXS", sum, "calls", "noncontiguous writes (dfs_writex), blocking or not").as(Role::writes),
    i64("DFS_NB_READS", sum, "calls", "nonblocking reads; part of DFS_READS and DFS_READXS"),
    i64("DFS_NB_WRITES", sum, "calls", "nonblocking writes; part of DFS_WRITES and DFS_WRITEXS"),
    i64("DFS_GET_SIZES", sum, "calls", "dfs_get_size calls").as(Role::meta_ops),
    i64("DFS_PUNCHES", sum, "calls", "dfs_punch calls (holes and truncation)").as(Role::meta_ops),
    i64("DFS_REMOVES", sum, "calls", "dfs_remove calls that deleted the file").as(Role::meta_ops),
    i64("DFS_STATS", sum, "calls", "dfs_ostat and dfs_osetattr calls").as(Role::meta_ops),
    i64("DFS_BYTES_READ", sum, "bytes", "bytes read").as(Role::bytes_read),
    i64("DFS_BYTES_WRITTEN", sum, "bytes", "bytes written").as(Role::bytes_written),
    i64("DFS_RW_SWITCHES", sum, "count", "changes between reading and writing"),

    i64("DFS_MAX_READ_TIME_SIZE", with_max, "bytes", "size of the slowest read, not the largest size"),
    i64("DFS_MAX_WRITE_TIME_SIZE", with_max, "bytes", "size of the slowest write, not the largest size"),

    i64("DFS_SIZE_READ_0_100", sum, "calls", "reads of 0 to 100 bytes").as(Role::size_read),
    i64("DFS_SIZE_READ_100_1K", sum, "calls", "reads of 101 bytes to 1 KiB").as(Role::size_read),
    i64("DFS_SIZE_READ_1K_10K", sum, "calls", "reads of more than 1 KiB, up to 10 KiB").as(Role::size_read),
    i64("DFS_SIZE_READ_10K_100K", sum, "calls", "reads of more than 10 KiB, up to 100 KiB").as(Role::size_read),
    i64("DFS_SIZE_READ_100K_1M", sum, "calls", "reads of more than 100 KiB, up to 1 MiB").as(Role::size_read),
    i64("DFS_SIZE_READ_1M_4M", sum, "calls", "reads of more than 1 MiB, up to 4 MiB").as(Role::size_read),
    i64("DFS_SIZE_READ_4M_10M", sum, "calls", "reads of more than 4 MiB, up to 10 MiB").as(Role::size_read),
    i64("DFS_SIZE_READ_10M_100M", sum, "calls", "reads of more than 10 MiB, up to 100 MiB").as(Role::size_read),
    i64("DFS_SIZE_READ_100M_1G", sum, "calls", "reads of more than 100 MiB, up to 1 GiB").as(Role::size_read),
    i64("DFS_SIZE_READ_1G_PLUS", sum, "calls", "reads of more than 1 GiB").as(Role::size_read),
    i64("DFS_SIZE_WRITE_0_100", sum, "calls", "writes of 0 to 100 bytes").as(Role::size_write),
    i64("DFS_SIZE_WRITE_100_1K", sum, "calls", "writes of 101 bytes to 1 KiB").as(Role::size_write),
    i64("DFS_SIZE_WRITE_1K_10K", sum, "calls", "writes of more than 1 KiB, up to 10 KiB").as(Role::size_write),
    i64("DFS_SIZE_WRITE_10K_100K", sum, "calls", "writes of more than 10 KiB, up to 100 KiB").as(Role::size_write),
    i64("DFS_SIZE_WRITE_100K_1M", sum, "calls", "writes of more than 100 KiB, up to 1 MiB").as(Role::size_write),
    i64("DFS_SIZE_WRITE_1M_4M", sum, "calls", "writes of more than 1 MiB, up to 4 MiB").as(Role::size_write),
    i64("DFS_SIZE_WRITE_4M_10M", sum, "calls", "writes of more than 4 MiB, up to 10 MiB").as(Role::size_write),
    i64("DFS_SIZE_WRITE_10M_100M", sum, "calls", "writes of more than 10 MiB, up to 100 MiB").as(Role::size_write),
    i64("DFS_SIZE_WRITE_100M_1G", sum, "calls", "writes of more than 100 MiB, up to 1 GiB").as(Role::size_write),
    i64("DFS_SIZE_WRITE_1G_PLUS", sum, "calls", "writes of more than 1 GiB").as(Role::size_write),

    i64("DFS_ACCESS1_ACCESS", top, "bytes", "most common access size, reads and writes together; 0: none").as(Role::access_size),
    i64("DFS_ACCESS2_ACCESS", top, "bytes", "second most common access size, reads and writes together; 0: none"),
    i64("DFS_ACCESS3_ACCESS", top, "bytes", "third most common access size, reads and writes together; 0: none"),
    i64("DFS_ACCESS4_ACCESS", top, "bytes", "fourth most common access size, reads and writes together; 0: none"),
    i64("DFS_ACCESS1_COUNT", top, "calls", "accesses of the most common size"),
    i64("DFS_ACCESS2_COUNT", top, "calls", "accesses of the second most common size"),
    i64("DFS_ACCESS3_COUNT", top, "calls", "accesses of the third most common size"),
    i64("DFS_ACCESS4_COUNT", top, "calls", "accesses of the fourth most common size"),

    i64("DFS_CHUNK_SIZE", same, "bytes", "chunk size: the unit of distribution over storage targets; 0: unknown"),

    i64("DFS_FASTEST_RANK", fastest, "rank", "rank with the least read, write and metadata time; only in records of rank −1"),
    i64("DFS_FASTEST_RANK_BYTES", fastest, "bytes", "bytes read and written by the fastest rank"),
    i64("DFS_SLOWEST_RANK", slowest, "rank", "rank with the most read, write and metadata time; only in records of rank −1"),
    i64("DFS_SLOWEST_RANK_BYTES", slowest, "bytes", "bytes read and written by the slowest rank"),

    f64("DFS_F_OPEN_START_TIMESTAMP", start, "seconds since start", "start of the first open; 0: never"),
    f64("DFS_F_READ_START_TIMESTAMP", start, "seconds since start", "start of the first read; 0: never"),
    f64("DFS_F_WRITE_START_TIMESTAMP", start, "seconds since start", "start of the first write; 0: never"),
    f64("DFS_F_CLOSE_START_TIMESTAMP", start, "seconds since start", "start of the first close; 0: never"),
    f64("DFS_F_OPEN_END_TIMESTAMP", end, "seconds since start", "end of the last open; 0: never"),
    f64("DFS_F_READ_END_TIMESTAMP", end, "seconds since start", "end of the last read; 0: never"),
    f64("DFS_F_WRITE_END_TIMESTAMP", end, "seconds since start", "end of the last write; 0: never"),
    f64("DFS_F_CLOSE_END_TIMESTAMP", end, "seconds since start", "end of the last close; 0: never"),

    f64("DFS_F_READ_TIME", sum, "seconds", "time in read calls").as(Role::read_time),
    f64("DFS_F_WRITE_TIME", sum, "seconds", "time in write calls").as(Role::write_time),
    f64("DFS_F_META_TIME", sum, "seconds", "time in all other calls, from open and lookup to remove and release").as(Role::meta_time),

    f64("DFS_F_MAX_READ_TIME", with_max, "seconds", "duration of the slowest read"),
    f64("DFS_F_MAX_WRITE_TIME", with_max, "seconds", "duration of the slowest write"),

    f64("DFS_F_FASTEST_RANK_TIME", fastest, "seconds", "read, write and metadata time of the fastest rank"),
    f64("DFS_F_SLOWEST_RANK_TIME", slowest, "seconds", "read, write and metadata time of the slowest rank").as(Role::slowest_time),

    uuid("pool_uuid", "DAOS pool of the file; all zero: unknown"),
    uuid("cont_uuid", "DAOS container that is the file system; all zero: unknown"),
};

constexpr Group dfs_groups[] = {
    {GroupKind::max_with, {"DFS_F_MAX_READ_TIME", "DFS_MAX_READ_TIME_SIZE", ""}},
    {GroupKind::max_with, {"DFS_F_MAX_WRITE_TIME", "DFS_MAX_WRITE_TIME_SIZE", ""}},
    {GroupKind::fastest, {"DFS_F_FASTEST_RANK_TIME", "DFS_FASTEST_RANK", "DFS_FASTEST_RANK_BYTES"}},
    {GroupKind::slowest, {"DFS_F_SLOWEST_RANK_TIME", "DFS_SLOWEST_RANK", "DFS_SLOWEST_RANK_BYTES"}},
    {GroupKind::top, {"DFS_ACCESS1_ACCESS", "DFS_ACCESS1_COUNT", ""}, 4, 1, "accesses"},
};
// clang-format on

constexpr Version dfs_versions[] = {{1, 584, "3.4.7"}};

}  // namespace

constexpr Module dfs{
    .id = 16,
    .name = "DFS",
    .sql_name = "dfs",
    .doc = "files of the DAOS file system",
    .fields = dfs_fields,
    .versions = dfs_versions,
    .groups = dfs_groups,
    .upstream = {.fold = Upstream::Fold::accumulator, .clamps = true},
    .bottom = true,
};
static_assert(valid(dfs));

}  // namespace darrow::tables

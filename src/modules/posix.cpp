// POSIX: calls on file descriptors. A record is a file of one rank, or of all ranks (rank −1).
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field posix_fields[] = {
    i64("POSIX_OPENS", sum, "calls", "descriptors obtained for the file: opens, POSIX_FILENOS and POSIX_DUPS together").as(Role::opens),
    i64("POSIX_FILENOS", sum, "calls", "fileno calls that exposed the descriptor of a known stream; part of POSIX_OPENS").since(4).nullable(),
    i64("POSIX_DUPS", sum, "calls", "descriptor duplications; part of POSIX_OPENS").since(4).nullable(),
    i64("POSIX_READS", sum, "calls", "read calls of all variants").as(Role::reads),
    i64("POSIX_WRITES", sum, "calls", "write calls of all variants").as(Role::writes),
    i64("POSIX_SEEKS", sum, "calls", "lseek and lseek64 calls").as(Role::meta_ops),
    i64("POSIX_STATS", sum, "calls", "stat, lstat and fstat calls; 0 in programs built with glibc 2.33 or later").as(Role::meta_ops),
    i64("POSIX_MMAPS", sum, "calls", "mmap and mmap64 calls; accesses through the mapping are not seen").nullable().as(Role::meta_ops),
    i64("POSIX_FOPENS", none, "calls", "stream opens in old records; records that have any are skipped").until(1, 0),
    i64("POSIX_FREADS", none, "calls", "stream reads in old records").until(1, 0),
    i64("POSIX_FWRITES", none, "calls", "stream writes in old records").until(1, 0),
    i64("POSIX_FSEEKS", none, "calls", "stream seeks in old records").until(1, 0),
    i64("POSIX_FSYNCS", sum, "calls", "fsync calls").as(Role::meta_ops),
    i64("POSIX_FDSYNCS", sum, "calls", "fdatasync calls").as(Role::meta_ops),
    i64("POSIX_RENAME_SOURCES", sum, "calls", "rename calls that moved this file name away").since(4).nullable().as(Role::meta_ops),
    i64("POSIX_RENAME_TARGETS", sum, "calls", "rename calls that gave a file this name").since(4).nullable(),
    u64("POSIX_RENAMED_FROM", same, "id", "record id of the first file that was renamed to this name; 0: none").since(4, 0),
    i64("POSIX_MODE", same, "", "permission bits of the last creating open (420 is octal 644); not the open flags"),
    i64("POSIX_BYTES_READ", sum, "bytes", "bytes read").as(Role::bytes_read),
    i64("POSIX_BYTES_WRITTEN", sum, "bytes", "bytes written").as(Role::bytes_written),
    i64("POSIX_MAX_BYTE_READ", max, "bytes", "highest file offset of a byte read, counted from 0").as(Role::max_byte_read),
    i64("POSIX_MAX_BYTE_WRITTEN", max, "bytes", "highest file offset of a byte written, counted from 0").as(Role::max_byte_written),

    i64("POSIX_CONSEC_READS", sum, "calls", "reads that began right behind the previous read of the same process").as(Role::consec_reads),
    i64("POSIX_CONSEC_WRITES", sum, "calls", "writes that began right behind the previous write of the same process").as(Role::consec_writes),
    i64("POSIX_SEQ_READS", sum, "calls", "reads that began anywhere behind the previous one; includes POSIX_CONSEC_READS").as(Role::seq_reads),
    i64("POSIX_SEQ_WRITES", sum, "calls", "writes that began anywhere behind the previous one; includes POSIX_CONSEC_WRITES").as(Role::seq_writes),
    i64("POSIX_RW_SWITCHES", sum, "count", "changes between reading and writing"),
    i64("POSIX_MEM_NOT_ALIGNED", sum, "calls", "accesses whose buffer address was not a multiple of POSIX_MEM_ALIGNMENT").as(Role::mem_not_aligned),
    i64("POSIX_MEM_ALIGNMENT", same, "bytes", "memory alignment that buffer addresses were tested against"),
    i64("POSIX_FILE_NOT_ALIGNED", sum, "calls", "accesses whose file offset was not a multiple of POSIX_FILE_ALIGNMENT").as(Role::file_not_aligned),
    i64("POSIX_FILE_ALIGNMENT", same, "bytes", "file alignment that offsets were tested against: the block size of the file system").nullable(),

    i64("POSIX_MAX_READ_TIME_SIZE", with_max, "bytes", "size of the slowest read, not the largest size"),
    i64("POSIX_MAX_WRITE_TIME_SIZE", with_max, "bytes", "size of the slowest write, not the largest size"),

    i64("POSIX_SIZE_READ_0_100", sum, "calls", "reads of 0 to 100 bytes").as(Role::size_read),
    i64("POSIX_SIZE_READ_100_1K", sum, "calls", "reads of 101 bytes to 1 KiB").as(Role::size_read),
    i64("POSIX_SIZE_READ_1K_10K", sum, "calls", "reads of more than 1 KiB, up to 10 KiB").as(Role::size_read),
    i64("POSIX_SIZE_READ_10K_100K", sum, "calls", "reads of more than 10 KiB, up to 100 KiB").as(Role::size_read),
    i64("POSIX_SIZE_READ_100K_1M", sum, "calls", "reads of more than 100 KiB, up to 1 MiB").as(Role::size_read),
    i64("POSIX_SIZE_READ_1M_4M", sum, "calls", "reads of more than 1 MiB, up to 4 MiB").as(Role::size_read),
    i64("POSIX_SIZE_READ_4M_10M", sum, "calls", "reads of more than 4 MiB, up to 10 MiB").as(Role::size_read),
    i64("POSIX_SIZE_READ_10M_100M", sum, "calls", "reads of more than 10 MiB, up to 100 MiB").as(Role::size_read),
    i64("POSIX_SIZE_READ_100M_1G", sum, "calls", "reads of more than 100 MiB, up to 1 GiB").as(Role::size_read),
    i64("POSIX_SIZE_READ_1G_PLUS", sum, "calls", "reads of more than 1 GiB").as(Role::size_read),
    i64("POSIX_SIZE_WRITE_0_100", sum, "calls", "writes of 0 to 100 bytes").as(Role::size_write),
    i64("POSIX_SIZE_WRITE_100_1K", sum, "calls", "writes of 101 bytes to 1 KiB").as(Role::size_write),
    i64("POSIX_SIZE_WRITE_1K_10K", sum, "calls", "writes of more than 1 KiB, up to 10 KiB").as(Role::size_write),
    i64("POSIX_SIZE_WRITE_10K_100K", sum, "calls", "writes of more than 10 KiB, up to 100 KiB").as(Role::size_write),
    i64("POSIX_SIZE_WRITE_100K_1M", sum, "calls", "writes of more than 100 KiB, up to 1 MiB").as(Role::size_write),
    i64("POSIX_SIZE_WRITE_1M_4M", sum, "calls", "writes of more than 1 MiB, up to 4 MiB").as(Role::size_write),
    i64("POSIX_SIZE_WRITE_4M_10M", sum, "calls", "writes of more than 4 MiB, up to 10 MiB").as(Role::size_write),
    i64("POSIX_SIZE_WRITE_10M_100M", sum, "calls", "writes of more than 10 MiB, up to 100 MiB").as(Role::size_write),
    i64("POSIX_SIZE_WRITE_100M_1G", sum, "calls", "writes of more than 100 MiB, up to 1 GiB").as(Role::size_write),
    i64("POSIX_SIZE_WRITE_1G_PLUS", sum, "calls", "writes of more than 1 GiB").as(Role::size_write),

    i64("POSIX_STRIDE1_STRIDE", top, "bytes", "most common gap between the end of an access and the start of the next; 0: none"),
    i64("POSIX_STRIDE2_STRIDE", top, "bytes", "second most common gap between the end of an access and the start of the next; 0: none"),
    i64("POSIX_STRIDE3_STRIDE", top, "bytes", "third most common gap between the end of an access and the start of the next; 0: none"),
    i64("POSIX_STRIDE4_STRIDE", top, "bytes", "fourth most common gap between the end of an access and the start of the next; 0: none"),
    i64("POSIX_STRIDE1_COUNT", top, "calls", "accesses behind the most common gap"),
    i64("POSIX_STRIDE2_COUNT", top, "calls", "accesses behind the second most common gap"),
    i64("POSIX_STRIDE3_COUNT", top, "calls", "accesses behind the third most common gap"),
    i64("POSIX_STRIDE4_COUNT", top, "calls", "accesses behind the fourth most common gap"),

    i64("POSIX_ACCESS1_ACCESS", top, "bytes", "most common access size, reads and writes together; 0: none").as(Role::access_size),
    i64("POSIX_ACCESS2_ACCESS", top, "bytes", "second most common access size, reads and writes together; 0: none"),
    i64("POSIX_ACCESS3_ACCESS", top, "bytes", "third most common access size, reads and writes together; 0: none"),
    i64("POSIX_ACCESS4_ACCESS", top, "bytes", "fourth most common access size, reads and writes together; 0: none"),
    i64("POSIX_ACCESS1_COUNT", top, "calls", "accesses of the most common size"),
    i64("POSIX_ACCESS2_COUNT", top, "calls", "accesses of the second most common size"),
    i64("POSIX_ACCESS3_COUNT", top, "calls", "accesses of the third most common size"),
    i64("POSIX_ACCESS4_COUNT", top, "calls", "accesses of the fourth most common size"),

    i64("POSIX_FASTEST_RANK", fastest, "rank", "rank with the least read, write and metadata time; only in records of rank −1"),
    i64("POSIX_FASTEST_RANK_BYTES", fastest, "bytes", "bytes read and written by the fastest rank"),
    i64("POSIX_SLOWEST_RANK", slowest, "rank", "rank with the most read, write and metadata time; only in records of rank −1"),
    i64("POSIX_SLOWEST_RANK_BYTES", slowest, "bytes", "bytes read and written by the slowest rank"),

    f64("POSIX_F_OPEN_START_TIMESTAMP", start, "seconds since start", "start of the first open; 0: never"),
    f64("POSIX_F_READ_START_TIMESTAMP", start, "seconds since start", "start of the first read; 0: never"),
    f64("POSIX_F_WRITE_START_TIMESTAMP", start, "seconds since start", "start of the first write; 0: never"),
    f64("POSIX_F_CLOSE_START_TIMESTAMP", start, "seconds since start", "start of the first close; 0: never").since(3).nullable(),
    f64("POSIX_F_OPEN_END_TIMESTAMP", end, "seconds since start", "end of the last open; 0: never").since(3).nullable(),
    f64("POSIX_F_READ_END_TIMESTAMP", end, "seconds since start", "end of the last read; 0: never"),
    f64("POSIX_F_WRITE_END_TIMESTAMP", end, "seconds since start", "end of the last write; 0: never"),
    f64("POSIX_F_CLOSE_END_TIMESTAMP", end, "seconds since start", "end of the last close; 0: never"),

    f64("POSIX_F_READ_TIME", sum, "seconds", "time in read calls").as(Role::read_time),
    f64("POSIX_F_WRITE_TIME", sum, "seconds", "time in write, fsync and fdatasync calls").as(Role::write_time),
    f64("POSIX_F_META_TIME", sum, "seconds", "time in open, close, seek, stat and rename calls").as(Role::meta_time),

    f64("POSIX_F_MAX_READ_TIME", with_max, "seconds", "duration of the slowest read"),
    f64("POSIX_F_MAX_WRITE_TIME", with_max, "seconds", "duration of the slowest write"),

    f64("POSIX_F_FASTEST_RANK_TIME", fastest, "seconds", "read, write and metadata time of the fastest rank"),
    f64("POSIX_F_SLOWEST_RANK_TIME", slowest, "seconds", "read, write and metadata time of the slowest rank").as(Role::slowest_time),
    f64("POSIX_F_VARIANCE_RANK_TIME", variance, "seconds^2", "population variance over ranks of read, write and metadata time; rank −1 only"),
    f64("POSIX_F_VARIANCE_RANK_BYTES", variance, "bytes^2", "population variance over ranks of bytes read and written; rank −1 only"),
};

constexpr Group posix_groups[] = {
    {GroupKind::max_with, {"POSIX_F_MAX_READ_TIME", "POSIX_MAX_READ_TIME_SIZE", ""}},
    {GroupKind::max_with, {"POSIX_F_MAX_WRITE_TIME", "POSIX_MAX_WRITE_TIME_SIZE", ""}},
    {GroupKind::fastest, {"POSIX_F_FASTEST_RANK_TIME", "POSIX_FASTEST_RANK", "POSIX_FASTEST_RANK_BYTES"}},
    {GroupKind::slowest, {"POSIX_F_SLOWEST_RANK_TIME", "POSIX_SLOWEST_RANK", "POSIX_SLOWEST_RANK_BYTES"}},
    {GroupKind::variance, {"POSIX_F_VARIANCE_RANK_TIME", "POSIX_F_VARIANCE_RANK_BYTES", ""}},
    {GroupKind::top, {"POSIX_STRIDE1_STRIDE", "POSIX_STRIDE1_COUNT", ""}, 4, 1, "strides"},
    {GroupKind::top, {"POSIX_ACCESS1_ACCESS", "POSIX_ACCESS1_COUNT", ""}, 4, 1, "accesses"},
};
// clang-format on

constexpr Version posix_versions[] = {{1, 680, "3.0.0"}, {2, 648, ""}, {3, 664, "3.1.0"}, {4, 704, "3.1.7"}};

}  // namespace

constexpr Module posix{
    .id = 1,
    .name = "POSIX",
    .sql_name = "posix",
    .doc = "calls on file descriptors",
    .fields = posix_fields,
    .versions = posix_versions,
    .groups = posix_groups,
    .upstream = {.fold = Upstream::Fold::accumulator, .clamps = true},
    .bottom = true,
};
static_assert(valid(posix));

}  // namespace darrow::tables

// STDIO: calls on C streams. A record is a file of one rank, or of all ranks (rank −1).
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field stdio_fields[] = {
    i64("STDIO_OPENS", sum, "calls", "streams opened, STDIO_FDOPENS included").as(Role::opens),
    i64("STDIO_FDOPENS", sum, "calls", "streams made from a known descriptor with fdopen; part of STDIO_OPENS").since(2).nullable(),
    i64("STDIO_READS", sum, "calls", "read calls of all kinds that delivered data").as(Role::reads),
    i64("STDIO_WRITES", sum, "calls", "write calls of all kinds that accepted data").as(Role::writes),
    i64("STDIO_SEEKS", sum, "calls", "fseek, fseeko, fsetpos and rewind calls").as(Role::meta_ops),
    i64("STDIO_FLUSHES", sum, "calls", "fflush calls on the stream").as(Role::meta_ops),
    i64("STDIO_BYTES_WRITTEN", sum, "bytes", "bytes written to the stream").as(Role::bytes_written),
    i64("STDIO_BYTES_READ", sum, "bytes", "bytes read from the stream").as(Role::bytes_read),
    i64("STDIO_MAX_BYTE_READ", max, "bytes", "highest file offset of a byte read, counted from 0").as(Role::max_byte_read),
    i64("STDIO_MAX_BYTE_WRITTEN", max, "bytes", "highest file offset of a byte written, counted from 0").as(Role::max_byte_written),

    i64("STDIO_FASTEST_RANK", fastest, "rank", "rank with the least read, write and metadata time; only in records of rank −1"),
    i64("STDIO_FASTEST_RANK_BYTES", fastest, "bytes", "bytes read and written by the fastest rank"),
    i64("STDIO_SLOWEST_RANK", slowest, "rank", "rank with the most read, write and metadata time; only in records of rank −1"),
    i64("STDIO_SLOWEST_RANK_BYTES", slowest, "bytes", "bytes read and written by the slowest rank"),

    f64("STDIO_F_META_TIME", sum, "seconds", "time in open, close and seek calls").as(Role::meta_time),
    f64("STDIO_F_WRITE_TIME", sum, "seconds", "time in write and fflush calls").as(Role::write_time),
    f64("STDIO_F_READ_TIME", sum, "seconds", "time in read calls").as(Role::read_time),

    f64("STDIO_F_OPEN_START_TIMESTAMP", start, "seconds since start", "start of the first open; 0: never"),
    f64("STDIO_F_CLOSE_START_TIMESTAMP", start, "seconds since start", "start of the first close; 0: never"),
    f64("STDIO_F_WRITE_START_TIMESTAMP", start, "seconds since start", "start of the first write; 0: never"),
    f64("STDIO_F_READ_START_TIMESTAMP", start, "seconds since start", "start of the first read; 0: never"),
    f64("STDIO_F_OPEN_END_TIMESTAMP", end, "seconds since start", "end of the last open; 0: never"),
    f64("STDIO_F_CLOSE_END_TIMESTAMP", end, "seconds since start", "end of the last close; 0: never"),
    f64("STDIO_F_WRITE_END_TIMESTAMP", end, "seconds since start", "end of the last write; 0: never"),
    f64("STDIO_F_READ_END_TIMESTAMP", end, "seconds since start", "end of the last read; 0: never"),

    f64("STDIO_F_FASTEST_RANK_TIME", fastest, "seconds", "read, write and metadata time of the fastest rank"),
    f64("STDIO_F_SLOWEST_RANK_TIME", slowest, "seconds", "read, write and metadata time of the slowest rank").as(Role::slowest_time),
    f64("STDIO_F_VARIANCE_RANK_TIME", variance, "seconds^2", "population variance over ranks of read, write and metadata time; rank −1 only"),
    f64("STDIO_F_VARIANCE_RANK_BYTES", variance, "bytes^2", "population variance over ranks of bytes read and written; rank −1 only"),
};

constexpr Group stdio_groups[] = {
    {GroupKind::fastest, {"STDIO_F_FASTEST_RANK_TIME", "STDIO_FASTEST_RANK", "STDIO_FASTEST_RANK_BYTES"}},
    {GroupKind::slowest, {"STDIO_F_SLOWEST_RANK_TIME", "STDIO_SLOWEST_RANK", "STDIO_SLOWEST_RANK_BYTES"}},
    {GroupKind::variance, {"STDIO_F_VARIANCE_RANK_TIME", "STDIO_F_VARIANCE_RANK_BYTES", ""}},
};
// clang-format on

constexpr Version stdio_versions[] = {{1, 240, "3.1.0"}, {2, 248, "3.1.7"}};

}  // namespace

constexpr Module stdio{
    .id = 9,
    .name = "STDIO",
    .sql_name = "stdio",
    .doc = "calls on C streams",
    .fields = stdio_fields,
    .versions = stdio_versions,
    .groups = stdio_groups,
    .upstream = {.fold = Upstream::Fold::accumulator},
    .bottom = true,
};
static_assert(valid(stdio));

}  // namespace darrow::tables

// DAOS: objects, arrays and key-value stores of DAOS. A record is an object of one rank, or of all ranks (rank −1).
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;
using Accident::stays_zero;

// clang-format off
constexpr Field daos_fields[] = {
    i64("DAOS_OBJ_OPENS", sum, "calls", "daos_obj_open calls").as(Role::opens),
    i64("DAOS_OBJ_FETCHES", sum, "calls", "daos_obj_fetch calls: reads of the object interface").as(Role::reads),
    i64("DAOS_OBJ_UPDATES", sum, "calls", "daos_obj_update calls: writes of the object interface").as(Role::writes),
    i64("DAOS_OBJ_PUNCHES", sum, "calls", "daos_obj_punch calls: whole objects deleted").as(Role::meta_ops),
    i64("DAOS_OBJ_DKEY_PUNCHES", sum, "calls", "daos_obj_punch_dkeys calls: distribution keys deleted").as(Role::meta_ops),
    i64("DAOS_OBJ_AKEY_PUNCHES", sum, "calls", "daos_obj_punch_akeys calls: attribute keys deleted").as(Role::meta_ops),
    i64("DAOS_OBJ_DKEY_LISTS", sum, "calls", "daos_obj_list_dkey calls: distribution keys listed").as(Role::meta_ops),
    i64("DAOS_OBJ_AKEY_LISTS", sum, "calls", "daos_obj_list_akey calls: attribute keys listed").as(Role::meta_ops),
    i64("DAOS_OBJ_RECX_LISTS", sum, "calls", "daos_obj_list_recx calls: record extents listed").as(Role::meta_ops),
    i64("DAOS_ARRAY_OPENS", sum, "calls", "daos_array_create, daos_array_open and daos_array_open_with_attr calls").as(Role::opens),
    i64("DAOS_ARRAY_READS", sum, "calls", "daos_array_read calls").as(Role::reads),
    i64("DAOS_ARRAY_WRITES", sum, "calls", "daos_array_write calls").as(Role::writes),
    i64("DAOS_ARRAY_GET_SIZES", sum, "calls", "daos_array_get_size calls").as(Role::meta_ops),
    i64("DAOS_ARRAY_SET_SIZES", sum, "calls", "daos_array_set_size calls").as(Role::meta_ops),
    i64("DAOS_ARRAY_STATS", sum, "calls", "daos_array_stat calls").as(Role::meta_ops),
    i64("DAOS_ARRAY_PUNCHES", sum, "calls", "daos_array_punch calls").as(Role::meta_ops),
    i64("DAOS_ARRAY_DESTROYS", sum, "calls", "daos_array_destroy calls").as(Role::meta_ops),
    i64("DAOS_KV_OPENS", sum, "calls", "daos_kv_open calls").as(Role::opens),
    i64("DAOS_KV_GETS", sum, "calls", "daos_kv_get calls: values read").as(Role::reads),
    i64("DAOS_KV_PUTS", sum, "calls", "daos_kv_put calls: values written").as(Role::writes),
    i64("DAOS_KV_REMOVES", sum, "calls", "daos_kv_remove calls").as(Role::meta_ops),
    i64("DAOS_KV_LISTS", sum, "calls", "daos_kv_list calls: keys listed").as(Role::meta_ops),
    i64("DAOS_KV_DESTROYS", sum, "calls", "daos_kv_destroy calls").as(Role::meta_ops),
    i64("DAOS_NB_OPS", sum, "calls", "nonblocking calls of any kind except close; part of the other counters").with(stays_zero),
    i64("DAOS_BYTES_READ", sum, "bytes", "bytes read: as requested from objects and arrays, value sizes from key-value stores").as(Role::bytes_read),
    i64("DAOS_BYTES_WRITTEN", sum, "bytes", "bytes written: as given to objects and arrays, value sizes to key-value stores").as(Role::bytes_written),
    i64("DAOS_RW_SWITCHES", sum, "count", "changes between reading and writing"),

    i64("DAOS_MAX_READ_TIME_SIZE", with_max, "bytes", "size of the slowest read, not the largest size"),
    i64("DAOS_MAX_WRITE_TIME_SIZE", with_max, "bytes", "size of the slowest write, not the largest size"),

    i64("DAOS_SIZE_READ_0_100", sum, "calls", "reads of 0 to 100 bytes").as(Role::size_read),
    i64("DAOS_SIZE_READ_100_1K", sum, "calls", "reads of 101 bytes to 1 KiB").as(Role::size_read),
    i64("DAOS_SIZE_READ_1K_10K", sum, "calls", "reads of more than 1 KiB, up to 10 KiB").as(Role::size_read),
    i64("DAOS_SIZE_READ_10K_100K", sum, "calls", "reads of more than 10 KiB, up to 100 KiB").as(Role::size_read),
    i64("DAOS_SIZE_READ_100K_1M", sum, "calls", "reads of more than 100 KiB, up to 1 MiB").as(Role::size_read),
    i64("DAOS_SIZE_READ_1M_4M", sum, "calls", "reads of more than 1 MiB, up to 4 MiB").as(Role::size_read),
    i64("DAOS_SIZE_READ_4M_10M", sum, "calls", "reads of more than 4 MiB, up to 10 MiB").as(Role::size_read),
    i64("DAOS_SIZE_READ_10M_100M", sum, "calls", "reads of more than 10 MiB, up to 100 MiB").as(Role::size_read),
    i64("DAOS_SIZE_READ_100M_1G", sum, "calls", "reads of more than 100 MiB, up to 1 GiB").as(Role::size_read),
    i64("DAOS_SIZE_READ_1G_PLUS", sum, "calls", "reads of more than 1 GiB").as(Role::size_read),
    i64("DAOS_SIZE_WRITE_0_100", sum, "calls", "writes of 0 to 100 bytes").as(Role::size_write),
    i64("DAOS_SIZE_WRITE_100_1K", sum, "calls", "writes of 101 bytes to 1 KiB").as(Role::size_write),
    i64("DAOS_SIZE_WRITE_1K_10K", sum, "calls", "writes of more than 1 KiB, up to 10 KiB").as(Role::size_write),
    i64("DAOS_SIZE_WRITE_10K_100K", sum, "calls", "writes of more than 10 KiB, up to 100 KiB").as(Role::size_write),
    i64("DAOS_SIZE_WRITE_100K_1M", sum, "calls", "writes of more than 100 KiB, up to 1 MiB").as(Role::size_write),
    i64("DAOS_SIZE_WRITE_1M_4M", sum, "calls", "writes of more than 1 MiB, up to 4 MiB").as(Role::size_write),
    i64("DAOS_SIZE_WRITE_4M_10M", sum, "calls", "writes of more than 4 MiB, up to 10 MiB").as(Role::size_write),
    i64("DAOS_SIZE_WRITE_10M_100M", sum, "calls", "writes of more than 10 MiB, up to 100 MiB").as(Role::size_write),
    i64("DAOS_SIZE_WRITE_100M_1G", sum, "calls", "writes of more than 100 MiB, up to 1 GiB").as(Role::size_write),
    i64("DAOS_SIZE_WRITE_1G_PLUS", sum, "calls", "writes of more than 1 GiB").as(Role::size_write),

    i64("DAOS_ACCESS1_ACCESS", top, "bytes", "most common access size, reads and writes together; 0: none").as(Role::access_size),
    i64("DAOS_ACCESS2_ACCESS", top, "bytes", "second most common access size, reads and writes together; 0: none"),
    i64("DAOS_ACCESS3_ACCESS", top, "bytes", "third most common access size, reads and writes together; 0: none"),
    i64("DAOS_ACCESS4_ACCESS", top, "bytes", "fourth most common access size, reads and writes together; 0: none"),
    i64("DAOS_ACCESS1_COUNT", top, "calls", "accesses of the most common size"),
    i64("DAOS_ACCESS2_COUNT", top, "calls", "accesses of the second most common size"),
    i64("DAOS_ACCESS3_COUNT", top, "calls", "accesses of the third most common size"),
    i64("DAOS_ACCESS4_COUNT", top, "calls", "accesses of the fourth most common size"),

    i64("DAOS_OBJ_OTYPE", same, "id", "type code of the object, taken from its id"),
    i64("DAOS_ARRAY_CELL_SIZE", same, "bytes", "size of one array cell; 0: not an array"),
    i64("DAOS_ARRAY_CHUNK_SIZE", same, "count", "cells per chunk (distribution key) of the array; 0: not an array"),

    i64("DAOS_FASTEST_RANK", fastest, "rank", "rank with the least read, write and metadata time; only in records of rank −1"),
    i64("DAOS_FASTEST_RANK_BYTES", fastest, "bytes", "bytes read and written by the fastest rank"),
    i64("DAOS_SLOWEST_RANK", slowest, "rank", "rank with the most read, write and metadata time; only in records of rank −1"),
    i64("DAOS_SLOWEST_RANK_BYTES", slowest, "bytes", "bytes read and written by the slowest rank"),

    f64("DAOS_F_OPEN_START_TIMESTAMP", start, "seconds since start", "start of the first open; 0: never"),
    f64("DAOS_F_READ_START_TIMESTAMP", start, "seconds since start", "start of the first read; 0: never"),
    f64("DAOS_F_WRITE_START_TIMESTAMP", start, "seconds since start", "start of the first write; 0: never"),
    f64("DAOS_F_CLOSE_START_TIMESTAMP", start, "seconds since start", "start of the first close; 0: never"),
    f64("DAOS_F_OPEN_END_TIMESTAMP", end, "seconds since start", "end of the last open; 0: never"),
    f64("DAOS_F_READ_END_TIMESTAMP", end, "seconds since start", "end of the last read; 0: never"),
    f64("DAOS_F_WRITE_END_TIMESTAMP", end, "seconds since start", "end of the last write; 0: never"),
    f64("DAOS_F_CLOSE_END_TIMESTAMP", end, "seconds since start", "end of the last close; 0: never"),

    f64("DAOS_F_READ_TIME", sum, "seconds", "time in fetch, array read and get calls").as(Role::read_time),
    f64("DAOS_F_WRITE_TIME", sum, "seconds", "time in update, array write and put calls").as(Role::write_time),
    f64("DAOS_F_META_TIME", sum, "seconds", "time in all other calls, from open and create to remove and destroy").as(Role::meta_time),

    f64("DAOS_F_MAX_READ_TIME", with_max, "seconds", "duration of the slowest read"),
    f64("DAOS_F_MAX_WRITE_TIME", with_max, "seconds", "duration of the slowest write"),

    f64("DAOS_F_FASTEST_RANK_TIME", fastest, "seconds", "read, write and metadata time of the fastest rank"),
    f64("DAOS_F_SLOWEST_RANK_TIME", slowest, "seconds", "read, write and metadata time of the slowest rank").as(Role::slowest_time),

    uuid("pool_uuid", "DAOS pool of the object"),
    uuid("cont_uuid", "DAOS container of the object"),
    u64("oid_hi", none, "id", "upper 64 bits of the object id"),
    u64("oid_lo", none, "id", "lower 64 bits of the object id"),
};

constexpr Group daos_groups[] = {
    {GroupKind::max_with, {"DAOS_F_MAX_READ_TIME", "DAOS_MAX_READ_TIME_SIZE", ""}},
    {GroupKind::max_with, {"DAOS_F_MAX_WRITE_TIME", "DAOS_MAX_WRITE_TIME_SIZE", ""}},
    {GroupKind::fastest, {"DAOS_F_FASTEST_RANK_TIME", "DAOS_FASTEST_RANK", "DAOS_FASTEST_RANK_BYTES"}},
    {GroupKind::slowest, {"DAOS_F_SLOWEST_RANK_TIME", "DAOS_SLOWEST_RANK", "DAOS_SLOWEST_RANK_BYTES"}},
    {GroupKind::top, {"DAOS_ACCESS1_ACCESS", "DAOS_ACCESS1_COUNT", ""}, 4, 1, "accesses"},
};
// clang-format on

constexpr Version daos_versions[] = {{1, 696, "3.4.7"}};

}  // namespace

constexpr Module daos{
    .id = 17,
    .name = "DAOS",
    .sql_name = "daos",
    .doc = "DAOS objects, arrays and key-value stores",
    .fields = daos_fields,
    .versions = daos_versions,
    .groups = daos_groups,
    .upstream = {.fold = Upstream::Fold::accumulator, .clamps = true},
};
static_assert(valid(daos));

}  // namespace darrow::tables

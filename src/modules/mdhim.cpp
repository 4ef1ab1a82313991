// MDHIM: the key-value store of that name. A record ends in a histogram of requests by server, which has at least one
// entry; Darshan counts that one to the fixed part (96 bytes), here it belongs to the list (88 bytes).
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;
using Accident::minus_one;

// clang-format off
constexpr Field mdhim_fields[] = {
    i64("MDHIM_PUTS", sum, "calls", "successful put calls").as(Role::writes),
    i64("MDHIM_GETS", sum, "calls", "successful get calls").as(Role::reads),
    i64("MDHIM_PUT_MAX_SIZE", with_max, "bytes", "largest value size of a put").with(minus_one),
    i64("MDHIM_GET_MAX_SIZE", with_max, "bytes", "largest key size of a get").with(minus_one),
    i64("MDHIM_SERVERS", same, "count", "servers, and entries of the histogram that follows").with(minus_one),

    f64("MDHIM_F_PUT_TIMESTAMP", start, "seconds since start", "start of the first put; 0: never"),
    f64("MDHIM_F_GET_TIMESTAMP", start, "seconds since start", "start of the first get; 0: never"),
    f64("MDHIM_F_PUT_MAX_DURATION", with_max, "seconds", "duration of the put with the largest value, not of the slowest put").with(minus_one),
    f64("MDHIM_F_GET_MAX_DURATION", with_max, "seconds", "duration of the get with the largest key, not of the slowest get").with(minus_one),
};

constexpr Field mdhim_server[] = {
    i64("server_histogram", sum, "calls", "puts and gets sent to each server").called("servers"),
};

constexpr Repeat mdhim_repeats[] = {
    {.name = "servers", .counts = {"MDHIM_SERVERS", ""}, .fields = mdhim_server, .at_least = 1},
};

constexpr Group mdhim_groups[] = {
    {GroupKind::max_with, {"MDHIM_PUT_MAX_SIZE", "MDHIM_F_PUT_MAX_DURATION", ""}},
    {GroupKind::max_with, {"MDHIM_GET_MAX_SIZE", "MDHIM_F_GET_MAX_DURATION", ""}},
};
// clang-format on

constexpr Version mdhim_versions[] = {{1, 88, "3.1.7"}};

}  // namespace

constexpr Module mdhim{
    .id = 12,
    .name = "MDHIM",
    .sql_name = "mdhim",
    .doc = "requests to the MDHIM key-value store",
    .fields = mdhim_fields,
    .versions = mdhim_versions,
    .repeats = mdhim_repeats,
    .groups = mdhim_groups,
    .upstream = {.fold = Upstream::Fold::reduction},
};
static_assert(valid(mdhim));

}  // namespace darrow::tables

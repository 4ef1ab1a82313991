// NULL: the example module of Darshan; never in logs of real jobs.
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;
using Accident::minus_one;

// clang-format off
constexpr Field null_fields[] = {
    i64("NULL_FOOS", sum, "calls", "calls of the imaginary function foo"),
    i64("NULL_FOO_MAX_DAT", with_max, "", "largest value passed to foo"),

    f64("NULL_F_FOO_TIMESTAMP", start, "seconds since start", "start of the first call of foo; 0: never"),
    f64("NULL_F_FOO_MAX_DURATION", with_max, "seconds", "duration of the call of foo with the largest value").with(minus_one),
};

constexpr Group null_groups[] = {
    {GroupKind::max_with, {"NULL_FOO_MAX_DAT", "NULL_F_FOO_MAX_DURATION", ""}},
};
// clang-format on

constexpr Version null_versions[] = {{1, 48, "3.0.0"}};

}  // namespace

constexpr Module null_module{
    .id = 0,
    .name = "NULL",
    .sql_name = "null",
    .doc = "example module for developers of Darshan",
    .fields = null_fields,
    .versions = null_versions,
    .groups = null_groups,
    .upstream = {.fold = Upstream::Fold::reduction},
    .example = true,
};
static_assert(valid(null_module));

}  // namespace darrow::tables

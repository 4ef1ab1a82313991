// DXT_POSIX, DXT_MPIIO: extended traces. A record lists every write, then every read, of a file by one rank;
// a row of the table is one such access. Offsets of DXT_MPIIO version 1 mean nothing.
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

/// The calling thread, null in records of versions before `version`. Any stored value may be a thread: none means null.
constexpr Field thread_id(std::uint8_t version) {
  auto f = u64("pthread_id", none, "id", "calling thread, unique within its process").since(version);
  f.absent = 0;
  f.expendable = true;
  return f.called("thread_id");
}

// clang-format off
constexpr Field dxt_fields[] = {
    i64("shared_record", none, "flag", "marker for shared files; 0 in all known logs"),
    text("hostname", 64, "node of the process").called("host").as(Role::node),
    i64("write_count", none, "count", "write segments, which come first"),
    i64("read_count", none, "count", "read segments, which come behind the write segments"),
};

constexpr Field dxt_posix_segment[] = {
    i64("offset", none, "bytes", "file offset at which the access began"),
    i64("length", none, "bytes", "bytes moved"),
    f64("start_time", none, "seconds since start", "when the call began").called("start"),
    f64("end_time", none, "seconds since start", "when the call returned").called("end"),
    thread_id(2),
};

constexpr Field dxt_mpiio_segment[] = {
    i64("offset", none, "bytes", "file offset of the first byte as seen through the file view").nullable(),
    i64("length", none, "bytes", "bytes requested"),
    f64("start_time", none, "seconds since start", "when the call began").called("start"),
    f64("end_time", none, "seconds since start", "when the call returned; of nonblocking ones when it was posted").called("end"),
    thread_id(3),
};

constexpr Repeat dxt_posix_repeats[] = {
    {.name = "segments", .counts = {"write_count", "read_count"}, .fields = dxt_posix_segment},
};
constexpr Repeat dxt_mpiio_repeats[] = {
    {.name = "segments", .counts = {"write_count", "read_count"}, .fields = dxt_mpiio_segment},
};
// clang-format on

constexpr Version dxt_posix_versions[] = {{1, 104, "3.1.3"}, {2, 104, ""}};
constexpr Version dxt_mpiio_versions[] = {{1, 104, "3.1.3"}, {2, 104, "3.2.0"}, {3, 104, ""}};

}  // namespace

constexpr std::string_view dxt_instead =
    "segments are single accesses: group them by any column with a dataframe or SQL";

constexpr Module dxt_posix{
    .id = 10,
    .name = "DXT_POSIX",
    .sql_name = "dxt_posix",
    .doc = "trace of single reads and writes on file descriptors",
    .fields = dxt_fields,
    .versions = dxt_posix_versions,
    .repeats = dxt_posix_repeats,
    .shape = Shape::segments,
    .instead = dxt_instead,
};
static_assert(valid(dxt_posix));

constexpr Module dxt_mpiio{
    .id = 11,
    .name = "DXT_MPIIO",
    .sql_name = "dxt_mpiio",
    .doc = "trace of single MPI-IO reads and writes",
    .fields = dxt_fields,
    .versions = dxt_mpiio_versions,
    .repeats = dxt_mpiio_repeats,
    .shape = Shape::segments,
    .instead = dxt_instead,
};
static_assert(valid(dxt_mpiio));

}  // namespace darrow::tables

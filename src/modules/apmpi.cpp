// APMPI (AutoPerf): MPI calls, messages and times of each rank. The region opens with one record about all ranks.
#include <cctype>

#include "modules/generated.hpp"
#include "modules/tables.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field apmpi_header[] = {
    i64("magic", none, "", "tells this record from the others").internal(),
    u32("sync_flag", none, "flag", "1 if barriers were inserted to tell waiting from communication"),
    pad("_pad", 4),
    f64("variance_total_mpitime", none, "seconds^2", "population variance over ranks of MPI_TOTAL_COMM_TIME"),
    f64("variance_total_mpisynctime", none, "seconds^2", "population variance over ranks of MPI_TOTAL_COMM_SYNC_TIME"),
};

constexpr Field apmpi_totals[] = {
    f64("MPI_TOTAL_COMM_TIME", sum, "seconds", "time in all operations, synchronisation included; 0 if reductions were disabled"),
    f64("MPI_TOTAL_COMM_SYNC_TIME", sum, "seconds", "synchronisation time of all operations; part of MPI_TOTAL_COMM_TIME"),
};

constexpr Field apmpi_node = text("node_name", 128, "node of the rank as MPI names it").called("node").as(Role::node);

constexpr Family apmpi_families[] = {
    {"MPI_{OP}_CALL_COUNT", "calls", "successful calls", Type::u64, sum, 74},

    {"MPI_{OP}_TOTAL_BYTES", "bytes", "bytes passed in all calls", Type::u64, sum, 46},
    {"MPI_{OP}_MSG_SIZE_AGG_0_256", "calls", "calls with 0 to 256 bytes", Type::u64, sum, 46},
    {"MPI_{OP}_MSG_SIZE_AGG_256_1K", "calls", "calls with 257 bytes to 1 KiB", Type::u64, sum, 46},
    {"MPI_{OP}_MSG_SIZE_AGG_1K_8K", "calls", "calls with more than 1 KiB, up to 8 KiB", Type::u64, sum, 46},
    {"MPI_{OP}_MSG_SIZE_AGG_8K_256K", "calls", "calls with more than 8 KiB, up to 256 KiB", Type::u64, sum, 46},
    {"MPI_{OP}_MSG_SIZE_AGG_256K_1M", "calls", "calls with more than 256 KiB, up to 1 MiB", Type::u64, sum, 46},
    {"MPI_{OP}_MSG_SIZE_AGG_1M_PLUS", "calls", "calls with more than 1 MiB", Type::u64, sum, 46},

    {"MPI_{OP}_TOTAL_TIME", "seconds", "time in all calls; of nonblocking ones only to post them", Type::f64, sum, 74},
    {"MPI_{OP}_MIN_TIME", "seconds", "shortest call; 0: never called", Type::f64, min, 74},
    {"MPI_{OP}_MAX_TIME", "seconds", "longest call; 0: never called", Type::f64, max, 74},

    {"MPI_{OP}_TOTAL_SYNC_TIME", "seconds", "time waited for others in barriers put before the calls", Type::f64, sum, 16},
};

constexpr std::span families(apmpi_families);
constexpr auto call_count = families[0];
constexpr auto sizes = families.subspan(1, 7);
constexpr auto times = families.subspan(8, 3);
constexpr auto sync_time = families[11];

constexpr std::string_view messages[] = {
    "Send", "Ssend", "Rsend", "Bsend", "Recv", "Sendrecv", "Sendrecv_replace",
    "Isend", "Issend", "Irsend", "Ibsend", "Irecv",
};
constexpr std::string_view completions[] = {
    "Probe", "Iprobe", "Test", "Testany", "Testall", "Testsome", "Wait", "Waitany", "Waitall", "Waitsome",
};
constexpr std::string_view barrier[] = {"Barrier"};
constexpr std::string_view nonblocking_barrier[] = {"Ibarrier"};
constexpr std::string_view collectives[] = {
    "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Scan", "Exscan", "Allgather", "Allgatherv",
    "Reduce", "Allreduce", "Reduce_scatter", "Alltoall", "Alltoallv", "Alltoallw",
};
constexpr std::string_view nonblocking_collectives[] = {
    "Ibcast", "Igather", "Igatherv", "Iscatter", "Iscatterv", "Iscan", "Iexscan", "Iallgather", "Iallgatherv",
    "Ireduce", "Iallreduce", "Ireduce_scatter", "Ialltoall", "Ialltoallv", "Ialltoallw",
};
constexpr std::string_view one_sided[] = {"Put", "Get", "Accumulate", "Get_accumulate"};
constexpr std::string_view one_sided_control[] = {
    "Fetch_and_op", "Compare_and_swap", "Win_fence", "Win_start", "Win_complete", "Win_post", "Win_wait", "Win_test",
    "Win_lock", "Win_unlock", "Win_unlock_all", "Win_flush", "Win_flush_all", "Win_flush_local", "Win_flush_local_all", "Win_sync",
};

/// Operations that have the same counters.
struct Operations {
  std::span<const std::string_view> names;
  bool sized = false;   // bytes are counted
  bool synced = false;  // may be preceded by a barrier
};
constexpr Operations operations[] = {
    {.names = messages, .sized = true},
    {.names = completions},
    {.names = barrier, .synced = true},
    {.names = nonblocking_barrier},
    {.names = collectives, .sized = true, .synced = true},
    {.names = nonblocking_collectives, .sized = true},
    {.names = one_sided, .sized = true},
    {.names = one_sided_control},
};
// clang-format on

constexpr Version apmpi_versions[] = {{1, 5232, "3.3.0"}};

/// Adds the members of some families for one operation: "Send" gives MPI_SEND_… with the meaning "MPI_Send: …".
void add(GeneratedFields& out, std::span<const Family> members, std::string_view operation) {
  std::string upper(operation);
  for (auto& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const auto& family : members) out.add(family, {{"{OP}", upper}}, "MPI_" + std::string(operation));
}

GeneratedFields make_apmpi_fields() {
  GeneratedFields out;
  for (const auto& group : operations)
    for (auto name : group.names) {
      add(out, {&call_count, 1}, name);
      if (group.sized) add(out, sizes, name);
    }
  for (const auto& group : operations)
    for (auto name : group.names) add(out, times, name);
  for (const auto& group : operations)
    if (group.synced)
      for (auto name : group.names) add(out, {&sync_time, 1}, name);
  for (const auto& field : apmpi_totals) out.add(field);
  out.add(apmpi_node);
  return out;
}

}  // namespace

const Module& apmpi() {
  static const auto& generated =
      *new GeneratedFields(make_apmpi_fields());  // never destroyed: views into it stay valid
  static const Module module{
      .id = 14,
      .name = "APMPI",
      .sql_name = "apmpi",
      .doc = "MPI calls, messages and times of each rank (AutoPerf)",
      .fields = generated.fields(),
      .versions = apmpi_versions,
      .header = apmpi_header,
      .header_magic = 0x41504D5049,  // "APMPI"
      .families = apmpi_families,
      .other_text_bytes = 256,
      .instead =
          "a record is a rank, nothing in it adds up to a job: use a dataframe or SQL; variances over ranks are in the "
          "header",
  };
  return module;
}

}  // namespace darrow::tables

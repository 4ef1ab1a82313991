// HEATMAP: bytes over time. A record holds the writes and reads of one rank through one layer in bins of equal width;
// the record's name tells the layer ("heatmap:POSIX").
#include "modules/tables.hpp"
#include "schema/checks.hpp"

namespace darrow::tables {
namespace {

using enum Rule;

// clang-format off
constexpr Field heatmap_fields[] = {
    f64("bin_width_seconds", none, "seconds", "time that one bin covers").called("bin_width"),
    i64("nbins", none, "count", "bins of each of the two lists"),
    pad("write_bins_ptr", 8),
    pad("read_bins_ptr", 8),
};

constexpr Field heatmap_write[] = {
    i64("write_bins", none, "bytes", "bytes written during each bin").called("write"),
};
constexpr Field heatmap_read[] = {
    i64("read_bins", none, "bytes", "bytes read during each bin").called("read"),
};

constexpr Repeat heatmap_repeats[] = {
    {.name = "write", .counts = {"nbins", ""}, .fields = heatmap_write},
    {.name = "read", .counts = {"nbins", ""}, .fields = heatmap_read},
};
// clang-format on

constexpr Version heatmap_versions[] = {{1, 48, "3.4.0"}};

}  // namespace

constexpr Module heatmap{
    .id = 15,
    .name = "HEATMAP",
    .sql_name = "heatmap",
    .doc = "bytes read and written over time",
    .fields = heatmap_fields,
    .versions = heatmap_versions,
    .repeats = heatmap_repeats,
    .instead = "heat maps add as matrices: add_heatmaps() in C++, aggregate() in Python",
};
static_assert(valid(heatmap));

}  // namespace darrow::tables

namespace darrow {

std::string_view heatmap_layer(std::uint64_t id) {
  switch (id) {  // hashes of "heatmap:POSIX" and so on: they survive when names are lost or obfuscated
    case 16592106915301738621u: return "POSIX";
    case 3668870418325792824u: return "MPIIO";
    case 3989511027826779520u: return "STDIO";
    case 1597927878319380788u: return "DFS";
    case 4131494093108637317u: return "DAOS";
    default: return {};
  }
}

}  // namespace darrow

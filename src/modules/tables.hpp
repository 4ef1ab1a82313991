/// The tables of all modules; registry.cpp lists them. Others use darrow::modules().
#pragma once

#include "darrow/module.hpp"

namespace darrow::tables {

extern const Module null_module, posix, mpiio, h5f, h5d, pnetcdf_file, pnetcdf_var, bgq, lustre, stdio, dxt_posix,
    dxt_mpiio, mdhim, heatmap, dfs, daos;
/// Built from generated families at first use.
const Module& apxc();
const Module& apmpi();

}  // namespace darrow::tables

namespace darrow {

/// The layer that a heat map record describes ("POSIX", "MPIIO", …) by its well-known id, or empty.
std::string_view heatmap_layer(std::uint64_t id);

}  // namespace darrow

/// The comments that go before the records of each module in darshan-parser's text.
#pragma once

#include "modules/parser_text.hpp"

namespace darrow::prose {

/// What the families of counters of a module mean, and what older versions lack. As many lines as darshan-parser has, for
/// those who count them; the words are ours.
struct Prose {
  std::span<const std::string_view> about;
  std::span<const ParserCaveat> caveats;
};

extern const Prose null_module, posix, mpiio, h5f, h5d, pnetcdf_file, pnetcdf_var, bgq, lustre, stdio, mdhim, apxc,
    apmpi, heatmap, dfs, daos;

}  // namespace darrow::prose

/// Where each field lies in a record of one version.
#pragma once

#include <optional>
#include <vector>

#include "darrow/module.hpp"

namespace darrow {

struct PlacedField {
  const Field* field;
  std::optional<std::size_t> offset;  ///< bytes from the start of the record; none: this version does not store it
};

/// The places of `fields` in version `v`, the first at `start`. Fields that are neither stored nor current are left out.
std::vector<PlacedField> place(std::span<const Field> fields, int v, int current, std::size_t start);

/// The same, behind id and rank, with which every record starts.
std::vector<PlacedField> with_base(std::vector<PlacedField> fields);

/// Size of the last text field in this region: some writers made it wider. `bytes`: inflated size behind the header.
struct TextWidth {
  std::size_t record_bytes;
  std::size_t text_bytes;  ///< 0: no such field
};
TextWidth record_width(const Module& module, int version, std::size_t bytes);

}  // namespace darrow

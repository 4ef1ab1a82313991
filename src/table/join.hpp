/// Columns put together from pieces of others.
#pragma once

#include <span>

#include "darrow/table.hpp"

namespace darrow {

/// Rows begin up to end of a column.
struct Piece {
  const Column* column;
  std::int64_t begin, end;
};

/// One column of all pieces, which are of one type, in their order. Lists and dictionaries are put together too: dictionaries become
/// plain text. REQUIRES: at least one piece. Throws std::bad_alloc; std::length_error when texts pass 2 GiB or lists 2^31 items.
Column join(std::span<const Piece> pieces);

/// One table of all batches, which have the same columns; nothing is copied if there is one. REQUIRES: at least one. Throws as above.
Table join(std::span<const Table* const> batches);

}  // namespace darrow

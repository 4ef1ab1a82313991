/// Columns of one value.
#pragma once

#include <vector>

#include "darrow/buffer.hpp"
#include "darrow/module.hpp"

namespace darrow {

/// Values of fields that a version lacks: one buffer for each default, as long as the longest batch so far.
class Defaults {
 public:
  Buffer of(const Field& field, std::size_t rows);
  /// 8 bytes of 0 for each row.
  Buffer zeros(std::size_t rows);

 private:
  struct Made {
    const Field* field;
    Buffer values;
  };
  std::vector<Made> made_;
};

}  // namespace darrow

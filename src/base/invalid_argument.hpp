/// What a caller asked for in vain.
#pragma once

#include <string>

#include "darrow/result.hpp"

namespace darrow {

/// The error invalid_argument; `region`: a module's name, "job", …, or empty.
inline Error invalid_argument(std::string_view region, std::string message) {
  return {.code = ErrorCode::invalid_argument,
          .message = std::move(message),
          .file = {},
          .region = std::string(region),
          .offset = {}};
}

}  // namespace darrow

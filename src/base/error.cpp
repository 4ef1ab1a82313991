#include <fmt/format.h>

#include "darrow/result.hpp"

namespace darrow {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::io: return "io";
    case ErrorCode::not_a_log: return "not_a_log";
    case ErrorCode::truncated: return "truncated";
    case ErrorCode::unfinished: return "unfinished";
    case ErrorCode::unsupported_version: return "unsupported_version";
    case ErrorCode::unsupported_compression: return "unsupported_compression";
    case ErrorCode::corrupt: return "corrupt";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::out_of_memory: return "out_of_memory";
  }
  return "unknown";
}

std::string Error::describe() const {
  std::string where;
  if (!region.empty()) where = region;
  if (offset) where += fmt::format("{}{}byte {}", where.empty() ? "" : ", ", inflated ? "inflated " : "", *offset);
  std::string text = file.empty() ? message : fmt::format("{}: {}", file, message);
  return where.empty() ? text : fmt::format("{} ({})", text, where);
}

}  // namespace darrow

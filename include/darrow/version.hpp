/// The version of the library: the one place that the build and the Python package read it from.
#pragma once

#include <string_view>

namespace darrow {

inline constexpr std::string_view version = "0.1.0";

}  // namespace darrow

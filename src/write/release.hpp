/// Releases of Darshan, and which versions of modules they know.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "darrow/module.hpp"

namespace darrow {

/// Major, minor, patch.
using Release = std::array<int, 3>;

/// "3.5.0"; none if it is something else.
std::optional<Release> parse_release(std::string_view text);

/// The first release that reads logs of format 3.41.
inline constexpr Release first_release_of_format{3, 4, 1};

/// The newest version of the module that the release knows, or 0.
int newest_version(const Module& module, const Release& release);

}  // namespace darrow

/// Subcommands that other programs provide: darrow-NAME beside this program or on PATH.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace darrow::cli {

/// The names of all that can be found, sorted.
std::vector<std::string> external_commands();
/// Where darrow-`command` is.
std::optional<std::string> program_of(std::string_view command);
/// Becomes darrow-`command` with the given arguments (as main gets them, from the command's name on).
/// Returns only if there is none, or it cannot be run.
void run_external(std::string_view command, char** arguments);

}  // namespace darrow::cli

/// Subcommands that other programs provide: darrow-NAME beside this program or on PATH.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace darrow::cli {

/// Such a program that comes with the Python package.
struct OfPackage {
  std::string_view name;
  std::string_view help;  ///< lines of the list of commands
};
std::span<const OfPackage> commands_of_package();

/// The names of all that can be found, sorted.
std::vector<std::string> external_commands();
/// Becomes darrow-`command` with the given arguments (as main gets them, from the command's name on).
/// Returns only if there is none, or it cannot be run.
void run_external(std::string_view command, char** arguments);

}  // namespace darrow::cli

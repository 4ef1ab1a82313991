/// The commands that come with the Python package, as programs of their own.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/command_table.hpp"

namespace darrow::cli {

/// What is known of such a command without its program, darrow-`name`.
struct OfPackage {
  std::string_view name;
  std::string_view usage;  ///< behind the name, in short
  std::string_view summary;
};

std::span<const OfPackage> commands_of_package();
bool is_of_package(std::string_view command);

/// What they take, as their programs tell. Of one that is not there, or does not tell, only what is known without;
/// in the second case a line on the standard error says so. Takes some seconds at most, whatever the programs do.
std::vector<CommandTable> package_tables();
/// The same of one; none if its program is not there or does not tell.
std::optional<CommandTable> package_table(std::string_view command);

}  // namespace darrow::cli

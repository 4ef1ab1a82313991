/// The commands that are part of this program.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "cli/command_table.hpp"

namespace darrow::cli {

/// A command to be run: what it takes, which goes into a request of its own, and what does its work.
struct Command {
  CommandTable table;
  std::function<int()> run;  ///< returns the exit code
};

struct BuiltIn {
  std::string_view name;
  Command (*make)();  ///< tables cost time, so they are made one by one
};

std::span<const BuiltIn> built_in_commands();
/// That of this name, or null.
const BuiltIn* built_in(std::string_view name);

}  // namespace darrow::cli

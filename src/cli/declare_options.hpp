/// What a table says, for CLI11, which only declare_options.cpp and main.cpp know.
#pragma once

#include "cli/command_table.hpp"

namespace CLI {
class App;
}

namespace darrow::cli {

/// Has `command` take what the table says, and meet it; what is needed but not given is an error.
void declare_options(CLI::App& command, const CommandTable& table);

}  // namespace darrow::cli

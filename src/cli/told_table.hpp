/// Tables of commands that other programs tell.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/command_table.hpp"

namespace darrow::cli {

/// A command's table from what its program answers to --command-table: entries "KEY VALUE", a NUL byte behind each. The
/// first is "darrow-command-table 1", the last "end "; "command NAME" begins a table, "argument NAME" and "option NAMES" a
/// row of it, and others tell of these: summary, usage, about, exits, example; value, help, again, propose, choice.
/// The tables behind the first are its actions. None if it is anything else, or holds what shells or man pages would not
/// take for text.
std::optional<CommandTable> told_table(std::string_view command, std::string answer);

}  // namespace darrow::cli

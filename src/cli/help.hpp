/// What --help prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace darrow::cli {

/// Whether there is help of that command, `completion` and `help` among them, or of the whole if it is empty.
bool has_help(std::string_view command);
/// Help of such a command, or of the whole if `command` is empty; with the programs found that extend it.
std::string help_text(std::string_view command);
/// The same as a man page; of commands of the Python package too, if they are there. None if there is no such page.
std::optional<std::string> man_text(std::string_view command);

}  // namespace darrow::cli

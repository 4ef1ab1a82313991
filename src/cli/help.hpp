/// What --help prints.
#pragma once

#include <string>
#include <string_view>

namespace darrow::cli {

/// Help of a built-in command, or of the whole if `command` is empty; with the programs found that extend it.
std::string help_text(std::string_view command);
/// The same as a man page.
std::string man_text(std::string_view command);
/// Help of `darrow completion`.
extern const std::string_view completion_help;

}  // namespace darrow::cli

/// What --help prints.
#pragma once

#include <string>
#include <string_view>

namespace darrow::cli {

/// The commands that are part of this program.
inline constexpr std::string_view built_in[] = {"info", "summary", "modules", "convert", "merge", "analyze"};
bool is_built_in(std::string_view command);

/// Help of a built-in command, or of the whole if `command` is empty; with the programs found that extend it.
std::string help_text(std::string_view command);
/// The same as a man page.
std::string man_text(std::string_view command);
/// Help of `darrow completion`.
extern const std::string_view completion_help;

}  // namespace darrow::cli

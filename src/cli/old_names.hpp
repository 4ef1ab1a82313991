/// The names of darshan-util's programs: called by one of them, darrow behaves as that program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace darrow::cli {

struct OldName {
  std::string_view program;
  std::string_view command;                   ///< the one of darrow that stands for it
  std::string_view added;                     ///< an option that is added: "--compat"; empty: none
  std::string_view usage;                     ///< what it takes: "LOG"
  std::span<const std::string_view> options;  ///< that it has, "--key=" with a value; they may be abbreviated
  std::size_t arguments;                      ///< how many it looks at, besides options
  int usage_code;                             ///< exit code when the command line makes no sense
};

/// The entry for what a program was called as ("/usr/bin/darshan-parser"), or null.
const OldName* old_name(std::string_view called_as);

/// What the command of `name` is given for the arguments of the old program: abbreviations in full.
std::vector<std::string> arguments_for(const OldName& name, int argc, char** argv);

/// The exit code of the old program for that of the command.
int old_exit_code(int code);

/// What all of them tell as their version.
inline constexpr std::string_view old_version = "3.5.0";

}  // namespace darrow::cli

/// Text that breaks no line and no field.
#pragma once

#include <string>
#include <string_view>

namespace darrow::util_text {

/// Whether text has control characters, which TABs and line ends are.
bool has_controls(std::string_view text);
/// The text with each of them as \xNN.
std::string escape_controls(std::string_view text);

}  // namespace darrow::util_text

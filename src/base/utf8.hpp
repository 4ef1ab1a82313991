/// Text of unknown encoding made valid UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace darrow {

/// Length of the valid UTF-8 sequence at the start of `text` (1 to 4 bytes), or 0 if there is none.
std::size_t utf8_sequence(std::string_view text);
/// Whether all of it is valid UTF-8.
bool is_utf8(std::string_view text);
/// The text with each byte that is not part of valid UTF-8 written as \xNN (lower-case digits).
std::string escape_utf8(std::string_view text);

}  // namespace darrow

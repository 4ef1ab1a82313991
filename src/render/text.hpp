/// Text for people: what can be shown, how wide it is, how it is shortened.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace darrow::render {

/// The first character of a text.
struct Character {
  char32_t value = 0;     ///< code point; the byte itself if it is not valid UTF-8
  std::size_t bytes = 0;  ///< how many it takes
  bool valid = false;     ///< whether it is valid UTF-8
};
/// REQUIRES: text is not empty.
Character first_character(std::string_view text);

/// Whether a code point acts on a terminal or hides there instead of showing itself: controls, marks of direction,
/// characters without width.
bool is_control(char32_t c);

/// Valid UTF-8 (see base/utf8.hpp) that is safe on a terminal, on one line: controls stand as \n, \t, \xNN, \uNNNN.
std::string printable(std::string_view text);

/// Cells that a printable text takes on a terminal (combining marks 0, wide East Asian characters and emoji 2).
std::size_t cells(std::string_view text);
/// At most `width` cells; what is cut off at the end or in the middle stands as "…".
std::string cut_end(std::string_view text, std::size_t width);
std::string cut_middle(std::string_view text, std::size_t width);
/// Lines of at most `width` cells, broken at blanks, else anywhere. At least one line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace darrow::render

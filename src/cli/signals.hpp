/// What becomes of files that are written when the program is interrupted.
#pragma once

namespace darrow::cli {

/// From now on, a program that is told to end removes what it has not finished first; a file that becomes too large is an
/// error of writing.
void handle_signals();

}  // namespace darrow::cli

#include "cli/output.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cli/exit_code.hpp"
#include "render/text.hpp"

namespace darrow::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::size_t terminal_width() {
  constexpr std::size_t usual = 80, least = 20;
  std::size_t width = 0;
  auto columns = environment("COLUMNS");
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  winsize size{};
  if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width == 0) width = usual;
  return width < least ? least : width;
}

/// False if `fd` does not take it.
bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    auto n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

void write_output(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) std::_Exit(done);
  complain(std::string("standard output: ") + std::strerror(errno));
  std::_Exit(lost);
}

Output::Output() : sink_(write_output), terminal_(isatty(STDOUT_FILENO)) {
  if (!terminal_) return;
  look_.width = terminal_width();
  look_.bold = environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

void complain(std::string_view message) { write_all(STDERR_FILENO, "darrow: " + render::printable(message) + "\n"); }

}  // namespace darrow::cli

#include "cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace darrow::cli {

Progress::Progress() {
  if (isatty(STDERR_FILENO)) waiting_ = std::thread([this] { wait(); });
}

Progress::~Progress() {
  if (!waiting_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    at_end_ = true;
  }
  ended_.notify_one();
  waiting_.join();
  if (late_) show("");
}

void Progress::tell(std::string_view line) {
  std::lock_guard lock(mutex_);
  line_ = line;
  if (late_) show(line_);
}

void Progress::wait() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, 500ms, [this] { return at_end_; })) return;
  late_ = true;
  show(line_);
}

/// Over what is shown: blanks wipe out the rest of it.
void Progress::show(std::string_view line) {
  std::string text(1, '\r');
  text += line;
  if (line.size() < shown_) text.append(shown_ - line.size(), ' ');
  if (line.empty()) text += '\r';
  shown_ = line.size();
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace darrow::cli

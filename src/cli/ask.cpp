#include "cli/ask.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace darrow::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most = 1 << 20;

/// What the new process does.
[[noreturn]] void become(const char* program, const char* argument, int out) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int nothing = open("/dev/null", O_RDWR);
  if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
    execl(program, program, argument, nullptr);
  _exit(127);
}

/// A program that runs. It ends with this.
class Asked {
 public:
  Asked(const std::string& program, const char* argument) {
    std::array<int, 2> ends;
    if (program.empty() || pipe2(ends.data(), O_CLOEXEC) != 0) return;
    process_ = fork();
    if (process_ == 0) become(program.c_str(), argument, ends[1]);
    close(ends[1]);
    if (process_ > 0) setpgid(process_, process_);  // whichever of the two comes first
    out_ = ends[0];
    if (process_ < 0) end_reading();
  }
  Asked(Asked&& other) noexcept
      : process_(std::exchange(other.process_, -1)),
        out_(std::exchange(other.out_, -1)),
        answer_(std::move(other.answer_)) {}
  Asked& operator=(Asked&&) = delete;
  ~Asked() {
    end_reading();
    if (process_ <= 0) return;
    kill(-process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  /// Where its answer comes from; -1 at the end.
  int out() const { return out_; }

  /// Takes a part of the answer that is there.
  void read_on() {
    std::array<char, 1 << 16> part;
    auto n = read(out_, part.data(), part.size());
    if (n < 0 && errno == EINTR) return;
    if (n > 0) answer_.append(part.data(), static_cast<std::size_t>(n));
    if (n <= 0) end_reading();
    if (answer_.size() > most) give_up();
  }

  void give_up() {
    answer_.clear();
    end_reading();
  }

  std::string answer() && { return std::move(answer_); }

 private:
  void end_reading() {
    if (out_ >= 0) close(out_);
    out_ = -1;
  }

  pid_t process_ = -1;
  int out_ = -1;
  std::string answer_;
};

}  // namespace

std::vector<std::string> ask(std::span<const std::string> programs, const char* argument,
                             std::chrono::milliseconds patience) {
  const auto end = Clock::now() + patience;
  std::vector<Asked> asked;
  for (const auto& program : programs) asked.emplace_back(program, argument);
  while (std::ranges::any_of(asked, [](const Asked& one) { return one.out() >= 0; })) {
    std::vector<pollfd> waiting;
    for (const auto& one : asked) waiting.push_back({.fd = one.out(), .events = POLLIN, .revents = 0});
    auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    int ready = left > 0 ? poll(waiting.data(), waiting.size(), static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (asked[i].out() < 0) continue;
      if (ready <= 0) asked[i].give_up();
      else if (waiting[i].revents != 0) asked[i].read_on();
    }
  }
  std::vector<std::string> answers;
  for (auto& one : asked) answers.push_back(std::move(one).answer());
  return answers;
}

}  // namespace darrow::cli

#include "cli/signals.hpp"

#include <csignal>

#include "darrow/write.hpp"

namespace darrow::cli {
namespace {

void end(int signal) {
  LogWriter::remove_unfinished();
  std::raise(signal);  // its usual action, once this handler returns
}

}  // namespace

void handle_signals() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now{};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;  // as nohup wants it
    now = {};
    now.sa_handler = end;
    now.sa_flags = SA_RESETHAND;
    sigaction(signal, &now, nullptr);
  }
}

}  // namespace darrow::cli

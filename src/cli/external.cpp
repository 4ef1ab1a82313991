#include "cli/external.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "cli/output.hpp"
#include "cli/package.hpp"

namespace darrow::cli {
namespace {

constexpr std::string_view prefix = "darrow-";

/// The folder of this program, if it can be told.
std::string own_folder() {
  std::array<char, PATH_MAX> self;
  auto n = readlink("/proc/self/exe", self.data(), self.size());
  std::string_view path(self.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  return std::string(path.substr(0, path.rfind('/')));
}

// The folder of this program, then those of PATH.
std::vector<std::string> folders() {
  std::vector<std::string> list;
  if (auto own = own_folder(); !own.empty()) list.push_back(std::move(own));
  const char* variable = std::getenv("PATH");
  std::string_view path = variable ? variable : "";
  while (!path.empty()) {
    auto end = std::min(path.find(':'), path.size());
    if (end > 0) list.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return list;
}

/// Has SIGINT wait (SIG_BLOCK), or not any more (SIG_UNBLOCK).
void hold_interrupts(int how) {
  sigset_t interrupts;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  sigprocmask(how, &interrupts, nullptr);
}

bool is_program(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<std::string> external_commands() {
  std::vector<std::string> names;
  for (auto& folder : folders()) {
    DIR* entries = opendir(folder.c_str());
    if (!entries) continue;
    while (auto* entry = readdir(entries)) {
      std::string_view name = entry->d_name;
      if (name.size() > prefix.size() && name.starts_with(prefix) && is_program(folder + "/" + entry->d_name))
        names.emplace_back(name.substr(prefix.size()));
    }
    closedir(entries);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::optional<std::string> program_of(std::string_view command) {
  if (command.empty() || command.find('/') != command.npos) return {};
  for (auto& folder : folders())
    if (auto path = fmt::format("{}/{}{}", folder, prefix, command); is_program(path)) return path;
  return {};
}

void run_external(std::string_view command, char** arguments) {
  auto path = program_of(command);
  if (!path) return;
  // While Python starts, an interrupt would show as a traceback. The package of this installation asks for it then.
  bool waits = is_of_package(command) && path->substr(0, path->rfind('/')) == own_folder();
  if (waits) hold_interrupts(SIG_BLOCK);
  arguments[0] = path->data();
  execv(path->c_str(), arguments);
  int reason = errno;
  if (waits) hold_interrupts(SIG_UNBLOCK);
  complain(fmt::format("{}: {}", *path, std::strerror(reason)));
}

}  // namespace darrow::cli

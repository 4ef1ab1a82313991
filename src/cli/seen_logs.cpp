#include "cli/seen_logs.hpp"

namespace darrow::cli {
namespace {

/// Content cannot be chosen to make many logs alike: the digest is mixed with their size, and few bits of it are enough.
std::size_t hash(const LogIdentity& log) {
  std::uint64_t h = (log.digest ^ log.size << 32) * 0x9e3779b97f4a7c15u;
  h = (h ^ static_cast<std::uint64_t>(log.jobid)) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 32;
}

}  // namespace

std::string_view SeenLogs::path(std::size_t log) const {
  auto begin = log ? ends_[log - 1] : 0;
  return std::string_view(paths_).substr(begin, ends_[log] - begin);
}

void SeenLogs::grow() {
  slots_.assign(slots_.empty() ? 64 : 4 * slots_.size(), 0);
  for (std::size_t i = 0; i < logs_.size(); ++i) {
    std::size_t at = hash(logs_[i]);
    while (slots_[at &= slots_.size() - 1]) ++at;
    slots_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

std::optional<std::string_view> SeenLogs::add(const LogIdentity& identity, std::string_view path) {
  if (2 * logs_.size() >= slots_.size()) grow();
  std::size_t at = hash(identity);
  while (slots_[at &= slots_.size() - 1] && logs_[slots_[at] - 1] != identity) ++at;
  if (slots_[at]) return this->path(slots_[at] - 1);
  logs_.push_back(identity);
  paths_ += path;
  ends_.push_back(paths_.size());
  slots_[at] = static_cast<std::uint32_t>(logs_.size());
  return {};
}

}  // namespace darrow::cli

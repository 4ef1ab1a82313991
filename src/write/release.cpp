#include "write/release.hpp"

#include <charconv>

namespace darrow {

std::optional<Release> parse_release(std::string_view text) {
  Release release{};
  const char *at = text.data(), *end = at + text.size();
  for (std::size_t i = 0; i < release.size(); ++i) {
    if (i > 0 && (at == end || *at++ != '.')) return {};
    if (at == end || *at < '0' || *at > '9') return {};
    auto [rest, status] = std::from_chars(at, end, release[i]);
    if (status != std::errc()) return {};
    at = rest;
  }
  return at == end ? std::optional(release) : std::nullopt;
}

int newest_version(const Module& module, const Release& release) {
  int newest = 0;
  for (const auto& v : module.versions)
    if (auto first = parse_release(v.release); first && *first <= release) newest = v.number;
  return newest;
}

}  // namespace darrow

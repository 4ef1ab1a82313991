#include <algorithm>
#include <unordered_set>

#include "base/id_hash.hpp"
#include "base/utf8.hpp"
#include "darrow/scan.hpp"

namespace darrow {

Result<std::optional<std::vector<std::uint64_t>>> wanted_ids(const Log& log,
                                                             const std::optional<std::vector<std::uint64_t>>& ids,
                                                             const std::optional<Pattern>& pattern,
                                                             const std::optional<std::vector<std::string>>& names) {
  if (!pattern && !names) return ids;
  auto all = log.names();
  if (!all) return all.error();
  std::optional<std::unordered_set<std::uint64_t, IdHash>> of_ids;
  if (ids) of_ids.emplace(ids->begin(), ids->end());
  std::unordered_set<std::string_view> exact;
  if (names) exact.insert(names->begin(), names->end());
  auto is_wanted = [&](std::string_view shown) {
    return (!names || exact.contains(shown)) && (!pattern || pattern->in(shown));
  };
  std::optional<std::vector<std::uint64_t>> wanted(std::in_place);
  for (std::int64_t i = 0; i < (*all)->size(); ++i) {
    const std::uint64_t id = (*all)->id(i);
    if (of_ids && !of_ids->contains(id)) continue;
    const std::string_view stored = (*all)->name(i);
    if (is_utf8(stored) ? is_wanted(stored) : is_wanted(escape_utf8(stored))) wanted->push_back(id);
  }
  return wanted;
}

}  // namespace darrow

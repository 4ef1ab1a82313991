#include "scan/name_filter.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "darrow/scan.hpp"

namespace darrow {

NameFilter::NameFilter(Ids ids, std::optional<Pattern> pattern, std::optional<std::vector<std::string>> names)
    : ids_(std::move(ids)), pattern_(std::move(pattern)), names_(std::move(names)) {
  if (ids_) std::ranges::sort(*ids_);
  if (names_) std::ranges::sort(*names_);
}

bool NameFilter::takes(std::uint64_t id, std::string_view shown) const {
  return (!ids_ || std::ranges::binary_search(*ids_, id)) &&
         (!names_ || std::ranges::binary_search(*names_, shown, std::less<>())) && (!pattern_ || pattern_->in(shown));
}

Result<NameFilter::Ids> NameFilter::ids_of(const Log& log) const {
  if (!by_name()) return ids_;
  auto names = log.names();
  if (!names) return names.error();
  Ids wanted(std::in_place);
  for (std::int64_t i = 0; i < (*names)->size(); ++i) {
    const std::uint64_t id = (*names)->id(i);
    const std::string_view stored = (*names)->name(i);
    if (is_utf8(stored) ? takes(id, stored) : takes(id, escape_utf8(stored))) wanted->push_back(id);
  }
  return wanted;
}

Result<std::optional<std::vector<std::uint64_t>>> wanted_ids(const Log& log,
                                                             const std::optional<std::vector<std::uint64_t>>& ids,
                                                             const std::optional<Pattern>& pattern,
                                                             const std::optional<std::vector<std::string>>& names) {
  return NameFilter(ids, pattern, names).ids_of(log);
}

}  // namespace darrow

#include "text/stripes.hpp"

#include <algorithm>

#include "modules/parser_text.hpp"

namespace darrow::util_text {
namespace {

const Column& part(const Column& list, std::string_view name) {
  const auto& parts = list.children[0].children;
  return *std::find_if(parts.begin(), parts.end(), [&](const Column& c) { return c.name == name; });
}

}  // namespace

void StripeTable::add(const Table& layouts) {
  const Column& list = *layouts.find(parser_text(*layouts.module).components->column);
  auto ids = layouts.find(id_field.name)->values<std::uint64_t>();
  auto numbers = [&](std::string_view name) { return part(list, name).values<std::int64_t>(); };
  auto sizes = numbers("stripe_size"), counts = numbers("stripe_count"), begins = numbers("ext_start"),
       ends = numbers("ext_end");
  const Column& targets = part(list, "osts");
  auto records = list.offsets.as<std::int32_t>(), components = targets.offsets.as<std::int32_t>();
  auto all = targets.children[0].values<std::int64_t>();
  for (std::size_t r = 0; r < ids.size(); ++r) {
    Stripes stripes;
    for (auto c = static_cast<std::size_t>(records[r]); c < static_cast<std::size_t>(records[r + 1]); ++c) {
      auto own = all.subspan(static_cast<std::size_t>(components[c]),
                             static_cast<std::size_t>(components[c + 1] - components[c]));
      stripes.push_back({sizes[c], counts[c], begins[c], ends[c], {own.begin(), own.end()}});
    }
    layouts_[ids[r]] = std::move(stripes);
  }
}

const Stripes* StripeTable::find(std::uint64_t id) const {
  auto at = layouts_.find(id);
  return at == layouts_.end() ? nullptr : &at->second;
}

void targets_of(const Stripes& stripes, std::int64_t offset, std::int64_t length, bool never_reset,
                std::vector<std::int64_t>& targets) {
  targets.clear();
  std::int64_t end;
  if (__builtin_add_overflow(offset, length, &end)) end = INT64_MAX;
  std::int64_t at = offset, taken = 0;
  for (const auto& component : stripes) {
    const auto count = std::min(component.stripe_count, static_cast<std::int64_t>(component.targets.size()));
    const std::int64_t last = component.end == -1 ? INT64_MAX : component.end;
    if (!never_reset) taken = 0;
    if (!never_reset && at >= 0 && at < component.begin)
      at = std::min(component.begin, end);  // what lies before has no targets
    if (count <= 0 || component.stripe_size <= 0 || at < component.begin || at >= last) continue;
    std::int64_t stripe = (at - component.begin) / component.stripe_size;
    for (; at < end && at < last; ++stripe) {
      targets.push_back(component.targets[static_cast<std::size_t>(stripe % count)]);
      std::int64_t next;
      if (__builtin_mul_overflow(stripe + 1, component.stripe_size, &next) ||
          __builtin_add_overflow(next, component.begin, &next))
        next = INT64_MAX;
      at = next;
      if (++taken < (never_reset ? component.stripe_count : count)) continue;
      at = component.end == -1 ? end : last;  // all targets were taken: the rest of the component has no others
      break;
    }
    // A stripe that the component cuts short ends with it.
    if (!never_reset) at = std::min(at, last);
  }
}

}  // namespace darrow::util_text

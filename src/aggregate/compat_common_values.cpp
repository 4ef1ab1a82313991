#include "aggregate/compat_common_values.hpp"

#include "aggregate/compat_wrap.hpp"

namespace darrow::compat {
namespace {

/// Puts a value before the first entry that it outranks. Returns false if there is none.
bool insert(CommonValues& aggregate, const CommonValue& v) {
  std::int64_t known = 0;  // of the same value, if an earlier insertion brought it
  for (const auto& entry : aggregate)
    if (entry.value == v.value) {
      known = entry.count;
      break;
    }
  auto total = static_cast<std::int32_t>(add(v.count, known));  // upstream's variable has 32 bits
  std::size_t at = 0;
  while (at < aggregate.size() &&
         (aggregate[at].count > total || (aggregate[at].count == total && aggregate[at].value[0] > v.value[0])))
    ++at;
  if (at == aggregate.size()) return false;

  const CommonValues before = aggregate;
  aggregate[at] = v;  // with its own count, not the total
  std::size_t to = at + 1;
  for (std::size_t from = at; from < before.size() && to < aggregate.size(); ++from)
    if (before[from].value != v.value) aggregate[to++] = before[from];
  return true;
}

}  // namespace

void merge(CommonValues& aggregate, CommonValues record, Upstream::Common rule) {
  if (rule != Upstream::Common::plain && record[0].value[0] == 0) return;
  std::array<bool, 4> merged{};
  for (std::size_t i = 0; i < record.size(); ++i)
    for (auto& entry : aggregate)
      if (entry.value == record[i].value) {
        entry.count = add(entry.count, record[i].count);
        if (rule == Upstream::Common::erases) record[i] = {};  // then the insertion stops here
        else merged[i] = true;
      }
  for (std::size_t i = 0; i < record.size(); ++i) {
    if (merged[i]) continue;
    if (record[i].value[0] == 0 || !insert(aggregate, record[i])) break;
  }
}

}  // namespace darrow::compat

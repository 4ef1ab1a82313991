#include "diff/row_lines.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace darrow::diffing {
namespace {

using util_text::LineValue;

void assign(const LineValue& from, DiffValue& to) {
  switch (from.kind) {
    case LineValue::Kind::i64: to = from.integer; break;
    case LineValue::Kind::u64: to = static_cast<std::uint64_t>(from.integer); break;
    case LineValue::Kind::f64: to = from.real; break;
    case LineValue::Kind::text: to = std::string(from.words); break;
  }
}

}  // namespace

void RowLines::take(const util_text::RecordLines& lines, std::int64_t row) {
  used_ = 0;
  lines.each(row, [&](std::string_view name, const LineValue& value) {
    if (used_ == lines_.size()) lines_.emplace_back();
    lines_[used_].name.assign(name);
    assign(value, lines_[used_++].value);
  });
}

void each_pair(const RowLines& a, const RowLines& b,
               const std::function<void(const HeldLine*, const HeldLine*)>& each) {
  const std::size_t both = std::min(a.size(), b.size());
  std::size_t same = 0;
  while (same < both && a[same].name == b[same].name) ++same;
  for (std::size_t i = 0; i < same; ++i) each(&a[i], &b[i]);
  if (same == a.size() && same == b.size()) return;

  std::map<std::string_view, const HeldLine*> rest;
  for (std::size_t i = same; i < b.size(); ++i) rest.emplace(b[i].name, &b[i]);
  for (std::size_t i = same; i < a.size(); ++i) {
    auto found = rest.find(a[i].name);
    each(&a[i], found == rest.end() ? nullptr : found->second);
    if (found != rest.end()) rest.erase(found);
  }
  for (std::size_t i = same; i < b.size(); ++i)
    if (rest.contains(b[i].name)) each(nullptr, &b[i]);
}

}  // namespace darrow::diffing

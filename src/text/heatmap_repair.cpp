#include "text/heatmap_repair.hpp"

#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/memory.hpp"

namespace darrow::util_text {
namespace {

using Bins = std::vector<std::int64_t>;

Column& find(Table& table, std::string_view name) {
  for (auto& c : table.columns)
    if (c.name == name) return c;
  throw std::logic_error("a table without heat maps");
}

Bins bins_of(const Column& list, std::size_t row) {
  auto offsets = list.offsets.as<std::int32_t>();
  auto all = list.children[0].values<std::int64_t>();
  auto begin = all.begin() + offsets[row];
  return {begin, begin + (offsets[row + 1] - offsets[row])};
}

template <typename T>
Buffer buffer_of(const std::vector<T>& values) {
  NewBuffer out(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(out.data, values.data(), out.size);
  return out.buffer();
}

/// Puts other lists in the place of those of a column.
void replace(Column& list, const std::vector<Bins>& rows) {
  std::vector<std::int32_t> offsets{0};
  Bins all;
  for (const auto& row : rows) {
    all.insert(all.end(), row.begin(), row.end());
    offsets.push_back(static_cast<std::int32_t>(all.size()));
  }
  list.offsets = buffer_of(offsets);
  list.children[0].data = buffer_of(all);
  list.children[0].length = static_cast<std::int64_t>(all.size());
}

}  // namespace

Table HeatmapRepair::repaired(const Table& table) {
  Table changed = table;
  auto widths = table.find("bin_width")->values<double>();
  std::vector<Bins> writes, reads;
  bool any = false;
  for (std::size_t row = 0; row < widths.size(); ++row) {
    Bins write = bins_of(*table.find("write"), row), read = bins_of(*table.find("read"), row);
    const auto bins = static_cast<std::int64_t>(write.size());
    if (!first_) first_ = {widths[row], bins};
    if (widths[row] == first_->width && bins == first_->bins + 1) {
      write.pop_back();
      read.pop_back();
      any = true;
    } else if (widths[row] == first_->width && bins == first_->bins - 1) {
      write.push_back(0);
      read.insert(read.begin(), 0);
      read.back() = 0;
      any = true;
    }
    writes.push_back(std::move(write));
    reads.push_back(std::move(read));
  }
  if (!any) return table;
  replace(find(changed, "write"), writes);
  replace(find(changed, "read"), reads);
  return changed;
}

}  // namespace darrow::util_text

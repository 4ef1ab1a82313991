#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>

#include "diff/comparison.hpp"

namespace darrow::diffing {
namespace {

/// What stands for records that cannot be decoded.
DiffValue bytes_of(Comparison& comparison, const util_text::Source& source, const ModuleInfo* info) {
  if (!info || info->length == 0) return {};
  auto bytes = source.log.bytes(info->name);
  if (!bytes) {
    comparison.lose(info->name, bytes.error());
    return {};
  }
  return fmt::format("version {}, {} bytes, CRC-32 {:08x}", info->version, bytes->size,
                     libdeflate_crc32(0, bytes->data, bytes->size));
}

}  // namespace

void Comparison::lose(std::string_view module, const Error& error) {
  end_.lost = true;
  complain(fmt::format("{}: {}", module, error.message));
}

std::vector<ModulePair> module_pairs(const util_text::Source& a, const util_text::Source& b) {
  std::vector<ModulePair> pairs;
  for (const auto& info : a.modules) pairs.push_back({.a = &info});
  for (const auto& info : b.modules) {
    auto same = std::ranges::find_if(pairs, [&](const ModulePair& pair) { return pair.any().id == info.id; });
    if (same != pairs.end()) same->b = &info;
    else pairs.push_back({.b = &info});
  }
  std::ranges::sort(pairs, {}, [](const ModulePair& pair) { return pair.any().id; });
  return pairs;
}

void compare_module_facts(Comparison& comparison, const ModulePair& pair) {
  auto compare = [&](std::string_view name, DiffValue a, DiffValue b) {
    comparison.compare({.kind = Difference::Kind::module,
                        .module = pair.any().name,
                        .counter = std::string(name),
                        .a = std::move(a),
                        .b = std::move(b)},
                       name);
  };
  auto partial = [](const ModuleInfo* info) { return DiffValue(std::int64_t{info && info->partial}); };
  compare("partial", partial(pair.a), partial(pair.b));
  auto is_opaque = [](const ModuleInfo* info) { return info && info->status != ModuleStatus::readable; };
  if (is_opaque(pair.a) || is_opaque(pair.b))
    compare("bytes", bytes_of(comparison, comparison.a(), pair.a), bytes_of(comparison, comparison.b(), pair.b));
}

}  // namespace darrow::diffing

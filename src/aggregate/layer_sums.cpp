#include "aggregate/layer_sums.hpp"

#include <algorithm>
#include <utility>

#include "table/build.hpp"

namespace darrow {
namespace {

/// Rows of layers need no file categories and common accesses.
constexpr auto detail = Activity::Detail::sums;

}  // namespace

void LayerRows::add(const std::string& label, Facts of_layer, bool is_partial, bool is_damaged) {
  labels.push_back(label);
  facts.push_back(std::move(of_layer));
  partial.emplace_back(is_partial);
  damaged.emplace_back(is_damaged);
}

Table LayerRows::table() const {
  Table table = layer_table("module", labels, facts);
  table.columns.push_back(value_column<bool>("partial", partial));
  table.columns.push_back(value_column<bool>("damaged", damaged));
  return table;
}

Table layers_schema() { return LayerRows().table(); }

bool LayerSums::has(const ModuleInfo& info) {
  return info.status == ModuleStatus::readable && info.module->instead.empty();
}

void LayerSums::begin(const ModuleInfo& info) {
  info_ = &info;
  is_empty_ = true;
  activity_.emplace(log_.job() ? log_.job()->nprocs : 0, detail);
}

std::optional<Error> LayerSums::add(const Table& batch) {
  if (!names_) {
    auto names = log_.name_places();
    if (!names) return names.error();
    names_ = *names;
  }
  // There are no more files than names, and each takes some compressed bytes.
  if (std::exchange(is_empty_, false))
    activity_->reserve(std::min(static_cast<std::size_t>(names_->size()), std::size_t{info_->length} / 32));
  const auto numbers = names_->find_all(batch.find("id")->values<std::uint64_t>());
  auto added = activity_->add(batch, {}, numbers);
  return added ? std::nullopt : std::optional(added.error());
}

void LayerSums::end() {
  const bool damaged = is_damaged(log_, info_->name);
  layers_.push_back({info_, facts_of(*activity_, damaged), damaged});
  activity_.reset();
}

std::optional<Error> LayerSums::read_rest() {
  for (const auto& info : log_.modules()) {
    if (!has(info) || std::ranges::count(layers_, &info, &Layer::info)) continue;
    begin(info);
    TableOptions counters;
    counters.columns = Activity::columns(*info.module, detail);
    std::optional<Error> failure;
    auto rows = log_.scan(info.name, counters, [&](const Table& batch) {
      if (!failure) failure = add(batch);
    });
    if (!rows) return rows.error();
    if (failure) return failure;
    end();
  }
  return {};
}

Table LayerSums::table() const {
  std::vector<const Layer*> by_id;
  for (const auto& layer : layers_) by_id.push_back(&layer);
  std::ranges::sort(by_id, {}, [](const Layer* layer) { return layer->info->id; });
  LayerRows rows;
  for (const Layer* layer : by_id) rows.add(layer->info->name, layer->facts, layer->info->partial, layer->is_damaged);
  return rows.table();
}

}  // namespace darrow

#include "cli/convert_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/logs.hpp"
#include "cli/names.hpp"

namespace darrow::cli {
namespace {

template <typename T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

template <typename T>
bool contains(const std::vector<T>& sorted, T value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

/// The ids that a choice takes, whichever module they are in.
class ChosenIds {
 public:
  /// Errors: those of Log::names().
  static Result<ChosenIds> create(const Log& log, const RecordChoice& choice);
  const Names& names() const { return *names_; }
  bool has(std::uint64_t id) const {
    if (!ids_.empty() && !contains(ids_, id)) return false;
    auto name = names_->find(id);
    return name < 0 ? takes_nameless_ : takes_name_[static_cast<std::size_t>(name)];
  }

 private:
  std::vector<std::uint64_t> ids_;  ///< empty: all
  std::shared_ptr<const Names> names_;
  std::vector<bool> takes_name_;
  bool takes_nameless_ = true;
};

Result<ChosenIds> ChosenIds::create(const Log& log, const RecordChoice& choice) {
  auto names = log.names();
  if (!names) return names.error();
  ChosenIds chosen;
  chosen.ids_ = choice.ids;
  sort_unique(chosen.ids_);
  chosen.names_ = *names;
  chosen.takes_name_.assign(static_cast<std::size_t>((*names)->size()), true);
  chosen.takes_nameless_ = choice.names.keeps_nameless();
  if (choice.names.empty()) return chosen;
  auto table = log.table("names");  // the text of the names
  if (!table) return table.error();
  auto& text = *(*table)->find("name");
  for (std::int64_t i = 0; i < (*table)->rows; ++i)
    chosen.takes_name_[static_cast<std::size_t>(i)] = choice.names.keeps(text.text(i));
  return chosen;
}

/// Those of a log that were asked for.
std::vector<const ModuleInfo*> chosen_modules(const Log& log, const std::vector<std::string>& asked,
                                              std::vector<Error>& unmet) {
  std::vector<const ModuleInfo*> chosen;
  std::vector<std::string_view> there;
  for (auto& module : log.modules()) {
    there.push_back(module.name);
    if (asked.empty() || std::find(asked.begin(), asked.end(), module.name) != asked.end()) chosen.push_back(&module);
  }
  for (auto& name : asked)
    if (std::find(there.begin(), there.end(), name) == there.end())
      unmet.push_back(plain_error(ErrorCode::not_found, fmt::format("no module {} in this log; it has: {}", name,
                                                                    there.empty() ? "none" : listed(there))));
  return chosen;
}

/// Goes through the modules of a log.
class Choosing {
 public:
  Choosing(const Log& log, const RecordChoice& choice, ChosenIds ids)
      : log_(log), choice_(choice), ids_(std::move(ids)), all_names_(choice.modules.empty() && choice.ranks.empty()) {}
  std::optional<Error> take(const ModuleInfo& module, ChosenPart& part);
  /// REQUIRES: the modules are taken.
  void take_names(ChosenPart& part);

 private:
  bool has_rank(std::int64_t rank) const {
    auto in = [rank](const RankRange& range) { return range.first <= rank && rank <= range.last; };
    return choice_.ranks.empty() || std::any_of(choice_.ranks.begin(), choice_.ranks.end(), in);
  }
  /// The ids and ranks of the records of a module that are chosen, each once and sorted.
  Result<std::pair<std::vector<std::uint64_t>, std::vector<std::int64_t>>> chosen_in(const ModuleInfo& module) const;

  const Log& log_;
  const RecordChoice& choice_;
  ChosenIds ids_;
  std::vector<std::uint64_t> used_;  ///< ids of the records taken
  bool all_names_;                   ///< also those that no record taken has
};

Result<std::pair<std::vector<std::uint64_t>, std::vector<std::int64_t>>> Choosing::chosen_in(
    const ModuleInfo& module) const {
  std::vector<std::uint64_t> ids;
  std::vector<std::int64_t> ranks;
  auto each = [&](const Table& batch) {
    auto id = batch.find("id")->values<std::uint64_t>();
    auto rank = batch.find("rank")->values<std::int64_t>();
    for (std::size_t i = 0; i < id.size(); ++i) {
      if (!has_rank(rank[i]) || !ids_.has(id[i])) continue;
      ids.push_back(id[i]);
      ranks.push_back(rank[i]);
    }
  };
  TableOptions options;
  options.part = TableOptions::Part::records;
  options.columns = {"id", "rank"};
  if (auto rows = log_.scan(module.name, options, each); !rows) return rows.error();
  sort_unique(ids);
  sort_unique(ranks);
  return std::pair(std::move(ids), std::move(ranks));
}

std::optional<Error> Choosing::take(const ModuleInfo& module, ChosenPart& part) {
  bool readable = module.status == ModuleStatus::readable, empty = module.length == 0;
  if (!choice_.by_record() && (!readable || empty)) {
    part.modules.push_back({&module, {}});
    all_names_ |= !empty;  // nobody knows which names it needs
    return {};
  }
  if (empty) return {};
  if (!readable) {
    part.unmet.push_back(
        plain_error(ErrorCode::unsupported_version,
                    fmt::format("{} is left out: of records that cannot be read none can be chosen", module.name)));
    return {};
  }
  RecordSelection which;
  if (!choice_.everything()) {
    auto chosen = chosen_in(module);
    if (!chosen) return chosen.error();
    auto& [ids, ranks] = *chosen;
    used_.insert(used_.end(), ids.begin(), ids.end());
    if (choice_.by_record() && ids.empty()) return {};
    if (choice_.by_id()) which.ids = std::move(ids);
    if (!choice_.ranks.empty()) which.ranks = std::move(ranks);
  }
  part.modules.push_back({&module, std::move(which)});
  return {};
}

void Choosing::take_names(ChosenPart& part) {
  sort_unique(used_);
  auto& names = ids_.names();
  for (std::int64_t i = 0; i < names.size(); ++i)
    if (auto id = names.id(i); ids_.has(id) && (all_names_ || contains(used_, id))) part.names.push_back(i);
}

}  // namespace

Result<ChosenPart> choose(const Log& log, const RecordChoice& choice) {
  ChosenPart part;
  auto modules = chosen_modules(log, choice.modules, part.unmet);
  if (modules.empty() && !part.unmet.empty()) return part.unmet.front();
  auto ids = ChosenIds::create(log, choice);
  if (!ids) return ids.error();
  Choosing choosing(log, choice, std::move(*ids));
  for (auto* module : modules)
    if (auto error = choosing.take(*module, part)) return *error;
  choosing.take_names(part);
  return part;
}

}  // namespace darrow::cli

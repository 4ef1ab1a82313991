#include "diff/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "darrow/metrics.hpp"
#include "text/data_lines.hpp"

namespace darrow::diffing {
namespace {

bool is_time(const Field& field) { return field.unit.starts_with("seconds"); }

/// What stands before the number of list elements, and whole names of all other lines.
std::vector<std::string_view> line_names(const Module& module, bool of_lists) {
  std::vector<std::string_view> names;
  const ParserText& text = parser_text(module);
  if (of_lists) {
    for (const auto& line : text.lists) names.push_back(line.name);
    if (text.components) names.push_back(text.components->start);
    return names;
  }
  for (auto lines : {text.before, text.behind, text.header})
    for (const auto& line : lines) names.push_back(line.name);
  for (const Field* field : util_text::line_counters(module)) names.push_back(field->name);
  for (const auto& field : module.fields)
    if (!field.hidden) names.push_back(field.label());
  if (text.components) names.insert(names.end(), {text.components->count, text.components->list_count});
  return names;
}

/// Whether something is called so, or, if `is_start`, begins so. Keys of metadata are the logs' own.
bool is_known(std::string_view word, bool is_start) {
  if (word.starts_with(metadata_key)) return true;
  auto fits = [&](std::string_view name) { return is_start ? name.starts_with(word) : name == word; };
  using Facts = std::span<const std::string_view>;
  for (auto facts : {Facts(job_facts), Facts(other_facts), Facts(trace_facts)})
    if (std::ranges::any_of(facts, fits)) return true;
  for (const auto& metric : metrics())
    if (fits(metric.name)) return true;
  for (const Module* module : modules()) {
    if (std::ranges::any_of(line_names(*module, false), fits)) return true;
    for (auto start : line_names(*module, true))
      if (word.starts_with(start) || (is_start && start.starts_with(word))) return true;
  }
  return false;
}

/// The number, if it is one.
std::optional<double> number(const DiffValue& value) {
  if (auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (auto* u = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*u);
  if (auto* d = std::get_if<double>(&value)) return *d;
  return {};
}

}  // namespace

NameGroups::NameGroups(const Module& module) {
  const ParserText& text = parser_text(module);
  auto add = [&](const Field& field, std::string_view name) {
    if (is_time(field)) times.insert(std::string(name));
    if (field.role == Role::node) nodes.insert(std::string(name));
  };
  for (auto fields : {module.fields, module.header})
    for (const auto& field : fields) {
      add(field, field.name);
      add(field, field.label());
      for (auto lines : {text.before, text.behind, text.header})
        for (const auto& line : lines)
          if (line.column == field.label()) add(field, line.name);
    }
  for (const auto& group : module.groups)  // whose members a time decides on
    if (group.kind == GroupKind::max_with || group.kind == GroupKind::fastest || group.kind == GroupKind::slowest)
      for (auto member : group.members)
        if (!member.empty()) times.insert(std::string(member));
  if (!text.is_heatmap) return;
  for (const auto& line : text.lists) time_lists.emplace_back(line.name);  // the numbers of bins are places in time
  for (const auto& repeat : module.repeats)
    for (auto count : repeat.counts)
      if (!count.empty()) times.insert(std::string(count));
}

Result<Rules> Rules::create(const DiffOptions& options) {
  Rules rules(options);
  auto unknown = [](std::string_view what, std::string_view word) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = fmt::format("no {} is called \"{}\"", what, word),
                 .file = {},
                 .region = {},
                 .offset = {}};
  };
  for (const auto& word : options.ignore) {
    const bool is_start = word.size() > 1 && word.ends_with('*');
    const auto start = word.substr(0, word.size() - is_start);
    if (word == times || word == job || word == nodes) rules.groups_.insert(word);
    else if (auto* module = is_start ? nullptr : find_module(word)) rules.modules_.insert(module);
    else if (!is_known(start, is_start)) return unknown("counter, module or group", word);
    else if (is_start) rules.starts_.push_back(start);
    else rules.names_.insert(word);
  }
  for (const auto& [name, tolerance] : options.tolerances)
    if (!is_known(name, false)) return unknown("counter", name);
  return rules;
}

bool Rules::ignores(std::string_view name) const {
  return names_.contains(name) || std::ranges::any_of(starts_, [&](const auto& s) { return name.starts_with(s); });
}

bool Rules::ignores(const NameGroups& groups, std::string_view name) const {
  if (ignores(name)) return true;
  if (ignores_group(nodes) && groups.nodes.contains(name)) return true;
  if (!ignores_group(times)) return false;
  if (groups.times.contains(name)) return true;
  return std::ranges::any_of(groups.time_lists, [&](const auto& start) { return name.starts_with(start); });
}

bool Rules::within(double tolerance, double a, double b) const {
  if (a == b) return true;
  if (std::isnan(a) || std::isnan(b)) return !compat() && std::isnan(a) && std::isnan(b);
  return std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

bool Rules::equal(std::string_view name, const DiffValue& a, const DiffValue& b) const {
  const bool are_floats = std::holds_alternative<double>(a) && std::holds_alternative<double>(b);
  if (!are_floats && a == b) return true;
  return (are_floats || options_->tolerances.contains(name)) && near(name, a, b);
}

bool Rules::near(std::string_view name, const DiffValue& a, const DiffValue& b) const {
  auto left = number(a), right = number(b);
  if (!left || !right) return a == b;
  auto own = options_->tolerances.find(name);
  return within(own == options_->tolerances.end() ? options_->tolerance : own->second, *left, *right);
}

}  // namespace darrow::diffing

// From a table to what CLI11 parses.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "cli/names.hpp"
#include "cli/option_values.hpp"
#include "cli/options.hpp"

namespace darrow::cli {
namespace {

/// "-o,--output", as CLI11 wants names.
std::string names_of(const OptionRow& row) {
  std::string names(row.names);
  std::erase(names, ' ');
  return names.append(row.other_names);
}

CLI::Option* declare(CLI::App& command, const OptionRow& row) {
  auto names = names_of(row);
  if (auto* set = std::get_if<SetFlag>(&row.meet))
    return command.add_flag_function(names, [set = *set](std::int64_t) { set(); });
  std::string name = names.substr(names.rfind("--") == names.npos ? 0 : names.find("--"));
  name = name.substr(0, name.find(','));
  auto take_one = [take = std::get<TakeText>(row.meet), choices = row.choices, name](const std::string& value) {
    if (!choices.empty() && std::ranges::find(choices, value) == choices.end())
      throw CLI::ValidationError(name, fmt::format("\"{}\" is none of {}", value, listed(choices)));
    try {
      take(value);
    } catch (const Wrong& wrong) {
      throw CLI::ValidationError(name, wrong.message);
    }
  };
  if (!row.again) return command.add_option_function<std::string>(names, take_one);
  auto take_all = [take_one](const std::vector<std::string>& values) { std::ranges::for_each(values, take_one); };
  auto* option = command.add_option_function<std::vector<std::string>>(names, take_all);
  if (row.list) option->delimiter(',');
  bool is_argument = !row.names.starts_with('-');
  if (!is_argument) option->allow_extra_args(false);
  return option;
}

}  // namespace

void declare_options(CLI::App& command, const CommandTable& table) {
  std::map<std::string_view, CLI::Option*> declared;
  for (const auto& row : table.arguments) declare(command, row);
  for (const auto& section : table.sections)
    for (const auto& row : section.rows) declared[row.names] = declare(command, row);
  for (const auto& section : table.sections)
    for (const auto& row : section.rows)
      if (!row.excludes.empty()) declared.at(row.names)->excludes(declared.at(row.excludes));
}

}  // namespace darrow::cli

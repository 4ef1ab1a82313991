// From a table to what CLI11 parses.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "cli/declare_options.hpp"
#include "cli/names.hpp"
#include "cli/option_values.hpp"

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
    return command.add_flag_function(names, [set = *set](std::int64_t) { set(); })->disable_flag_override();
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
  if (!row.bare.empty()) return command.add_flag(fmt::format("{}{{{}}}", names, row.bare))->each(take_one);
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
  std::vector<std::pair<std::string_view, CLI::Option*>> needed;
  auto add = [&](const OptionRow& row) {
    auto* option = declared[row.names] = declare(command, row);
    if (!row.needed) return;
    auto last = row.names.rfind(' ');
    needed.emplace_back(last == row.names.npos ? row.names : row.names.substr(last + 1), option);
  };
  for (const auto& row : table.arguments) add(row);
  for (const auto& section : table.sections)
    for (const auto& row : section.rows) add(row);
  for (const auto& section : table.sections)
    for (const auto& row : section.rows)
      if (!row.excludes.empty()) declared.at(row.names)->excludes(declared.at(row.excludes));
  command.final_callback([needed] {
    for (auto& [name, option] : needed)
      if (option->empty()) throw CLI::ParseError(fmt::format("{} is missing", name), CLI::ExitCodes::RequiredError);
  });
}

}  // namespace darrow::cli

#include "cli/package.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "cli/ask.hpp"
#include "cli/external.hpp"
#include "cli/output.hpp"
#include "cli/told_table.hpp"

namespace darrow::cli {
namespace {

constexpr OfPackage of_package[] = {
    {"export", "LOG… -o DIR", "all that logs hold as Parquet, CSV, JSON or Arrow"},
    {"import", "DIR -o OUT", "logs again, from such Parquet or Arrow files"},
    {"sql", "QUERY LOG…", "a question in SQL about logs, a lake or an export"},
    {"lake", "update DIR PATH…", "many logs as one Parquet data set, kept up to date"},
};
constexpr std::chrono::seconds patience(5);

/// What the programs of these commands tell that they take; none for each that is not there or does not tell.
std::vector<std::optional<CommandTable>> told_by(std::span<const OfPackage> commands) {
  std::vector<std::string> programs;
  for (const auto& command : commands) programs.push_back(program_of(command.name).value_or(""));
  auto answers = ask(programs, "--command-table", patience);
  std::vector<std::optional<CommandTable>> tables;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    tables.push_back(told_table(commands[i].name, std::move(answers[i])));
    if (!tables.back() && !programs[i].empty()) complain(fmt::format("{} does not tell what it takes", programs[i]));
  }
  return tables;
}

}  // namespace

std::span<const OfPackage> commands_of_package() { return of_package; }

bool is_of_package(std::string_view command) {
  return std::ranges::find(of_package, command, &OfPackage::name) != std::end(of_package);
}

std::vector<CommandTable> package_tables() {
  std::vector<CommandTable> tables;
  auto told = told_by(of_package);
  for (std::size_t i = 0; i < told.size(); ++i) {
    CommandTable known{.name = of_package[i].name,
                       .summary = of_package[i].summary,
                       .usage = of_package[i].usage,
                       .about = {},
                       .arguments = {},
                       .sections = {}};
    tables.push_back(std::move(told[i]).value_or(std::move(known)));
  }
  return tables;
}

std::optional<CommandTable> package_table(std::string_view command) {
  auto* found = std::ranges::find(of_package, command, &OfPackage::name);
  if (found == std::end(of_package)) return {};
  return std::move(told_by({found, 1}).front());
}

}  // namespace darrow::cli

// Scripts that make shells complete command lines, from the tables of commands.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/built_in.hpp"
#include "cli/command_table.hpp"
#include "cli/package.hpp"
#include "darrow/module.hpp"

namespace darrow::cli {
namespace {

std::vector<std::string_view> names_of(const OptionRow& row) {
  std::vector<std::string_view> names;
  std::string_view rest = row.names;
  while (true) {
    auto comma = rest.find(", ");
    names.push_back(rest.substr(0, comma));
    if (comma == rest.npos) return names;
    rest.remove_prefix(comma + 2);
  }
}

/// All options of a command.
std::vector<const OptionRow*> options_of(const CommandTable& table) {
  std::vector<const OptionRow*> rows;
  for (const auto& section : table.sections)
    for (const auto& row : section.rows) rows.push_back(&row);
  return rows;
}

std::string joined(const std::vector<std::string_view>& texts, std::string_view between = " ") {
  return fmt::format("{}", fmt::join(texts, between));
}

/// The values that a shell proposes for an option or argument, if there are some in particular.
std::vector<std::string_view> values_of(const OptionRow& row) {
  auto values = row.choices;
  if (row.proposal == Proposal::modules)
    for (const Module* module : modules())
      if (!module->example) values.push_back(module->sql_name);
  return values;
}

/// A help text as one line that single quotes of shells may stand around.
std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (std::string_view("'\\\n").find(c) != std::string_view::npos) c = ' ';
  return line;
}

std::vector<std::string_view> names_of(const std::vector<CommandTable>& tables) {
  std::vector<std::string_view> names;
  for (const auto& table : tables) names.push_back(table.name);
  return names;
}

/// "update" of "lake update".
std::string_view last_word(const CommandTable& action) { return action.name.substr(action.name.rfind(' ') + 1); }

/// The names of all actions, as texts in quotes.
std::string quoted_actions(const std::vector<CommandTable>& tables) {
  std::string names;
  for (const auto& table : tables)
    for (const auto& action : table.actions) names += fmt::format("{}'{}'", names.empty() ? "" : " ", action.name);
  return names;
}

// bash -----------------------------------------------------------------------------------------------------------------

/// What makes bash propose some words.
std::string bash_words(const std::vector<std::string_view>& words) {
  return fmt::format("_darrow_words '{}'", joined(words));
}

/// What makes bash propose values of an option or argument.
std::string bash_values(const OptionRow& row, std::string otherwise) {
  if (auto values = values_of(row); !values.empty()) return bash_words(values);
  if (row.proposal == Proposal::directories) return "_darrow_files -d";
  return row.proposal == Proposal::files ? "_darrow_files -f" : otherwise;
}

std::string bash_case(const CommandTable& table) {
  std::string cases;
  std::vector<std::string_view> actions;
  for (const auto& action : table.actions) {
    cases += bash_case(action);
    actions.push_back(last_word(action));
  }
  std::vector<std::string_view> all;
  std::string values;
  for (const auto* row : options_of(table)) {
    auto names = names_of(*row);
    all.insert(all.end(), names.begin(), names.end());
    if (row->value.empty()) continue;
    std::vector<std::string> before;
    for (auto name : names) {
      if (row->bare.empty()) before.emplace_back(name);  // else its value is no word of its own
      if (name.starts_with("--")) before.push_back(fmt::format("{}=", name));
    }
    values += fmt::format("        {}) {}; return ;;\n", fmt::join(before, "|"), bash_values(*row, "COMPREPLY=()"));
  }
  all.insert(all.end(), {"-h", "--help"});
  std::string arguments = actions.empty() ? "_darrow_files -f" : bash_words(actions);
  for (const auto& row : table.arguments) arguments = bash_values(row, arguments);
  return cases + fmt::format(
                     "    '{} '*)\n      case $before in\n{}      esac\n"
                     "      if [[ $word == -* ]]; then {}; else {}; fi ;;\n",
                     table.name, values, bash_words(all), arguments);
}

std::string bash_script(const std::vector<CommandTable>& tables) {
  std::string cases;
  for (const auto& table : tables) cases += bash_case(table);
  return fmt::format(
      R"(# Completion of darrow for bash: source it, or put it in bash-completion's folder under the name darrow.
_darrow_words() {{
  mapfile -t COMPREPLY < <(compgen -W "$1" -P "$option" -- "$word")
}}
# Files (-f) or directories (-d). Names with quotes or backslashes that were typed are left to readline.
_darrow_files() {{
  mapfile -t COMPREPLY < <(compgen "$1" -P "$option" -- "$word")
  local others=default
  [[ $1 == -d ]] && others=dirnames
  compopt -o $others -o filenames 2> /dev/null
}}
_darrow() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} option=
  if [[ $word == --*=* ]]; then  # = does not part words
    before=${{word%%=*}}= option=${{word%%=*}}= word=${{word#*=}}
  elif [[ $word == = ]]; then
    before+== word=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD-2]}}=
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _darrow_words '{0} help completion --help --version'
    return
  fi
  local IFS=' '
  case "${{COMP_WORDS[*]:1:COMP_CWORD-1}} " in
    'help '*) _darrow_words '{0} completion help --man' ;;
    'completion '*) _darrow_words '{2}' ;;
{1}    *) _darrow_files -f ;;
  esac
}}
complete -F _darrow darrow
)",
      joined(names_of(tables)), cases, joined({std::begin(shells), std::end(shells)}));
}

// zsh ------------------------------------------------------------------------------------------------------------------

/// Text within a specification, in which colons and brackets mean something.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (char c : one_line(text)) {
    if (c == ':') escaped += '\\';
    escaped += c == '[' ? '(' : c == ']' ? ')' : c;
  }
  return escaped;
}

std::string zsh_action(const OptionRow& row) {
  auto values = values_of(row);
  if (!values.empty()) return fmt::format("({})", joined(values));
  if (row.proposal == Proposal::directories) return "_files -/";
  return row.proposal == Proposal::files ? "_files" : " ";
}

std::string zsh_option(const OptionRow& row) {
  auto names = names_of(row);
  std::string value = row.value.empty() ? "" : fmt::format(":{}:{}", zsh_text(row.value), zsh_action(row));
  if (!row.bare.empty()) return fmt::format("        '{}=-[{}]:{}' \\\n", names[0], zsh_text(row.help), value);
  std::string text = fmt::format("[{}]{}", zsh_text(row.help), value);
  if (names.size() == 1) return fmt::format("        '{}{}{}' \\\n", row.again ? "*" : "", names[0], text);
  return fmt::format("        {}'({})'{{{}}}'{}' \\\n", row.again ? "'*'" : "", joined(names), joined(names, ","),
                     text);
}

/// Names with their texts, as _describe takes them.
std::string zsh_described(std::string_view name, std::string_view text) {
  return fmt::format("'{}:{}'", name, zsh_text(text));
}

std::string zsh_case(const CommandTable& table) {
  std::string cases, actions, last;
  for (const auto& action : table.actions) {
    cases += zsh_case(action);
    actions += fmt::format("{}{}", actions.empty() ? "" : " ", zsh_described(last_word(action), action.summary));
  }
  cases += fmt::format("    '{}')\n", table.name);
  if (!actions.empty()) {
    cases += fmt::format("      local -a known=({})\n", actions);
    last = " ':action: _describe action known'";
  }
  cases += "      _arguments \\\n";
  for (const auto* row : options_of(table)) cases += zsh_option(*row);
  for (const auto& row : table.arguments)
    last += fmt::format(" '{}:{}:{}'", row.again ? "*" : "", zsh_text(row.names), zsh_action(row));
  return cases + fmt::format("        '(- *)'{{-h,--help}}'[this help]'{} ;;\n", last);
}

std::string zsh_script(const std::vector<CommandTable>& tables) {
  std::string commands, cases;
  for (const auto& table : tables) {
    commands += fmt::format("    {}\n", zsh_described(table.name, table.summary));
    cases += zsh_case(table);
  }
  return fmt::format(R"(#compdef darrow
# Completion of darrow for zsh: put it in a folder of $fpath under the name _darrow.
_darrow() {{
  local -a commands=(
{0}    'help:what a command takes'
    'completion:a script for a shell'
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=${{words[2]}}
  local -a parted=({4})  # names of two words
  if ((CURRENT > 3 && ${{parted[(Ie)$command ${{words[3]}}]}})); then
    command+=" ${{words[3]}}"
    shift words
    ((CURRENT--))
  fi
  shift words
  ((CURRENT--))
  case $command in
    help) _arguments '--man[as a man page]' '1:command:({2} completion help)' ;;
    completion) _arguments '1:shell:({3})' ;;
{1}    *) _files ;;
  esac
}}
_darrow "$@"
)",
                     commands, cases, joined(names_of(tables)), joined({std::begin(shells), std::end(shells)}),
                     quoted_actions(tables));
}

// fish -----------------------------------------------------------------------------------------------------------------

/// What goes for a command.
std::string fish_for(std::string_view command) {
  return fmt::format("complete -c darrow -n '__darrow_runs {}'", command);
}

constexpr std::string_view fish_directories = " -a '(__fish_complete_directories (commandline -ct))'";

std::string fish_option(std::string_view command, const OptionRow& row) {
  std::string line = fish_for(command);
  for (auto name : names_of(row)) {
    bool is_long = name.starts_with("--");
    line += fmt::format(" -{} {}", is_long ? 'l' : 's', name.substr(is_long ? 2 : 1));
  }
  auto values = values_of(row);
  if (!row.value.empty() && row.bare.empty()) line += row.proposal == Proposal::files ? " -r -F" : " -x";
  if (!values.empty()) line += fmt::format(" -a '{}'", joined(values));
  else if (row.proposal == Proposal::directories) line += fish_directories;
  return fmt::format("{} -d '{}'\n", line, one_line(row.help));
}

std::string fish_command(const CommandTable& table) {
  std::string lines;
  for (const auto& action : table.actions) {
    lines += fmt::format("{} -f -a {} -d '{}'\n", fish_for(table.name), last_word(action), one_line(action.summary));
    lines += fish_command(action);
  }
  for (const auto* row : options_of(table)) lines += fish_option(table.name, *row);
  for (const auto& row : table.arguments)
    if (auto values = values_of(row); !values.empty())
      lines += fmt::format("{} -f -a '{}'\n", fish_for(table.name), joined(values));
  if (!table.arguments.empty() && table.arguments.back().proposal == Proposal::directories)
    lines += fmt::format("{} -f{}\n", fish_for(table.name), fish_directories);
  return lines;
}

std::string fish_script(const std::vector<CommandTable>& tables) {
  std::string script = fmt::format(
      R"(# Completion of darrow for fish: put it in ~/.config/fish/completions under the name darrow.fish.
function __darrow_runs
    set -l words (commandline -opc)
    set -l command $words[2]
    contains -- "$words[2..3]" {}
    and set command "$words[2..3]"
    test "$command" = "$argv"
end
)",
      quoted_actions(tables));
  auto top = [&](std::string_view name, std::string_view text) {
    script += fmt::format("complete -c darrow -n __fish_use_subcommand -f -a {} -d '{}'\n", name, one_line(text));
  };
  for (const auto& table : tables) top(table.name, table.summary);
  top("help", "what a command takes");
  top("completion", "a script for a shell");
  script += fish_for("help") + " -f -l man -d 'as a man page'\n";
  script += fmt::format("{} -f -a '{} completion help'\n", fish_for("help"), joined(names_of(tables)));
  script += fmt::format("{} -f -a '{}'\n", fish_for("completion"), joined({std::begin(shells), std::end(shells)}));
  for (const auto& table : tables) script += fish_command(table);
  return script;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  std::vector<CommandTable> tables;
  for (const auto& command : built_in_commands()) tables.push_back(command.make().table);
  std::ranges::move(package_tables(), std::back_inserter(tables));
  if (shell == "bash") return bash_script(tables);
  return shell == "zsh" ? zsh_script(tables) : fish_script(tables);
}

}  // namespace darrow::cli

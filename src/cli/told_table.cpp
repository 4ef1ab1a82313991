#include "cli/told_table.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace darrow::cli {
namespace {

/// Whether a text has one of these characters at least, and no other.
bool is_of(std::string_view text, std::string_view signs) {
  constexpr std::string_view always = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  auto is_known = [&](char c) { return always.find(c) != text.npos || signs.find(c) != text.npos; };
  return !text.empty() && std::ranges::all_of(text, is_known);
}

bool is_text(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c == '\n' || (c >= ' ' && c != 0x7f); });
}

std::optional<Proposal> proposal_called(std::string_view name) {
  if (name == "files") return Proposal::files;
  if (name == "directories") return Proposal::directories;
  return {};
}

/// Puts entries together.
class Teller {
 public:
  /// Returns whether it makes sense.
  bool take(std::string_view key, std::string_view value) {
    if (!is_text(value)) return false;
    if (key == "command") return begin(value);
    return !tables_.empty() && (of_table(key, value) || begin_row(key, value) || (row_ && of_row(key, value)));
  }

  std::vector<CommandTable> tables() && { return std::move(tables_); }

 private:
  bool begin(std::string_view name) {
    tables_.push_back({.name = name,
                       .summary = {},
                       .usage = {},
                       .about = {},
                       .arguments = {},
                       .sections = {{.title = "Options:", .rows = {}}}});
    row_ = nullptr;
    return is_of(name, " ");
  }

  bool of_table(std::string_view key, std::string_view value) {
    auto& table = tables_.back();
    if (key == "summary") table.summary = value;
    else if (key == "usage") table.usage = value;
    else if (key == "about") table.about = value;
    else if (key == "exits") table.exits = value;
    else if (key == "example") table.examples.push_back(value);
    else return false;
    return true;
  }

  bool begin_row(std::string_view key, std::string_view names) {
    if (key != "argument" && key != "option") return false;
    auto& table = tables_.back();
    bool is_option = key == "option";
    row_ = &(is_option ? table.sections.front().rows : table.arguments).emplace_back();
    row_->names = names;
    return !is_option || (is_of(names, ", ") && names.starts_with('-'));
  }

  bool of_row(std::string_view key, std::string_view value) {
    if (key == "value") row_->value = value;
    else if (key == "help") row_->help = value;
    else if (key == "again") row_->again = true;
    else if (key == "choice") row_->choices.push_back(value);
    else if (key != "propose") return false;
    if (key == "choice") return is_of(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ.+");
    if (key != "propose") return true;
    auto proposal = proposal_called(value);
    row_->proposal = proposal.value_or(Proposal::nothing);
    return proposal.has_value();
  }

  std::vector<CommandTable> tables_;
  OptionRow* row_ = nullptr;  ///< of the last table
};

/// The next entry, which is taken off; empty at the end.
std::string_view next(std::string_view& rest) {
  auto end = rest.find('\0');
  auto entry = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return entry;
}

}  // namespace

std::optional<CommandTable> told_table(std::string_view command, std::string answer) {
  auto texts = std::make_shared<const std::string>(std::move(answer));
  std::string_view rest = *texts;
  if (next(rest) != "darrow-command-table 1" || !rest.ends_with(std::string_view("\0end \0", 6))) return {};
  Teller teller;
  while (rest != std::string_view("end \0", 5)) {
    auto entry = next(rest);
    auto blank = entry.find(' ');
    if (blank == entry.npos || !teller.take(entry.substr(0, blank), entry.substr(blank + 1))) return {};
  }
  auto tables = std::move(teller).tables();
  if (tables.empty() || tables.front().name != command) return {};
  auto table = std::move(tables.front());
  for (auto& action : std::span(tables).subspan(1)) {
    if (!action.name.starts_with(std::string(command) + " ") || std::ranges::count(action.name, ' ') != 1) return {};
    table.actions.push_back(std::move(action));
  }
  table.texts = texts;
  return table;
}

}  // namespace darrow::cli

// Man pages, from the tables of commands.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command_table.hpp"
#include "darrow/version.hpp"

namespace darrow::cli {
namespace {

/// Text as roff shows it: hyphens that may be copied, no lines that are taken for requests.
std::string roff(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
    at_start = c == '\n';
  }
  return out;
}

/// Without line breaks at the ends.
std::string_view trimmed(std::string_view text) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

/// Paragraphs, each filled anew; what is laid out by blanks stays as it is.
std::string paragraphs(std::string_view text) {
  std::string out;
  text = trimmed(text);
  while (!text.empty()) {
    auto end = text.find("\n\n");
    auto paragraph = text.substr(0, end);
    bool is_laid_out = paragraph.find("\n  ") != paragraph.npos || paragraph.find("  ") != paragraph.npos;
    out += is_laid_out ? ".PP\n.nf\n" + roff(paragraph) + "\n.fi\n" : ".PP\n" + roff(paragraph) + "\n";
    text = end == text.npos ? std::string_view() : trimmed(text.substr(end));
  }
  return out;
}

std::string heading(std::string_view title) {
  std::string upper(title);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return ".SH " + roff(upper) + "\n";
}

std::string row(const OptionRow& row) {
  std::string line;
  std::string_view names = row.names;
  while (true) {
    auto comma = names.find(", ");
    line += "\\fB" + roff(names.substr(0, comma)) + "\\fR";
    if (comma == names.npos) break;
    line += ", ";
    names.remove_prefix(comma + 2);
  }
  if (!row.bare.empty()) line += fmt::format("[=\\fI{}\\fR]", roff(row.value));
  else if (!row.value.empty()) line += " \\fI" + roff(row.value) + "\\fR";
  return ".TP\n" + line + "\n" + roff(row.help) + "\n";
}

std::string rows(const OptionSection& section) {
  std::string text;
  for (const auto& option : section.rows) text += row(option);
  if (section.title == "Options:") text += ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\na summary of this page\n";
  return text + paragraphs(section.after);
}

std::string sentence(std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  if (!line.empty()) line.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(line.front())));
  return ".PP\n" + roff(line) + "\n";
}

std::string section(const OptionSection& section) {
  return (section.title == "Options:" ? heading("Options") : sentence(section.title)) + rows(section);
}

/// The commands below it, with their options.
std::string actions(const CommandTable& table) {
  std::string text = table.actions.empty() ? "" : heading("Actions");
  for (const auto& action : table.actions) {
    text += fmt::format(".SS \\fBdarrow {}\\fR {}\n", roff(action.name), roff(action.usage));
    text += sentence(fmt::format("{}.", action.summary)) + paragraphs(action.about);
    for (const auto& section : action.sections) text += rows(section);
  }
  return text;
}

/// The section that is called "Options:" first, under whose heading the others stand too.
std::string options(const CommandTable& table) {
  std::string first, others;
  for (const auto& part : table.sections) (part.title == "Options:" ? first : others) += section(part);
  return first + others;
}

}  // namespace

std::string man_page(const CommandTable& table) {
  std::string upper(table.name);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string page = fmt::format(".TH DARROW\\-{} 1 \"\" \"darrow {}\"\n", roff(upper), version);
  page += fmt::format(".SH NAME\ndarrow\\-{} \\- {}\n", roff(table.name), roff(table.summary));
  page += fmt::format(".SH SYNOPSIS\n\\fBdarrow {}\\fR {}\n", roff(table.name), roff(table.usage));
  page += ".SH DESCRIPTION\n" + paragraphs(table.about) + options(table) + actions(table);
  if (!table.more.empty()) page += heading("Output") + paragraphs(table.more);
  if (!table.exits.empty()) page += heading("Exit status") + paragraphs(table.exits);
  page += heading("Examples") + ".nf\n";
  for (auto example : table.examples) page += roff(example) + "\n";
  return page + ".fi\n";
}

std::string top_man_page(std::string_view commands, std::string_view more) {
  return fmt::format(
      ".TH DARROW 1 \"\" \"darrow {}\"\n.SH NAME\ndarrow \\- reads and writes the I/O logs of Darshan\n"
      ".SH SYNOPSIS\n\\fBdarrow\\fR COMMAND [OPTION…] [ARGUMENT…]\n.SH DESCRIPTION\n{}{}",
      version, paragraphs(commands), paragraphs(more));
}

}  // namespace darrow::cli

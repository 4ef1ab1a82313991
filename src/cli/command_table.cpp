#include "cli/command_table.hpp"

#include <fmt/format.h>

#include "render/text.hpp"

namespace darrow::cli {
namespace {

constexpr std::size_t width = 80, text_at = 27;

/// The names as they are given, each with the value.
std::string head_of(std::string_view names, std::string_view value) {
  std::string head = "  ";
  while (true) {
    auto comma = names.find(", ");
    bool is_long = names.substr(0, comma).starts_with("--");
    head.append(names.substr(0, comma));
    if (!value.empty() && (is_long || comma == names.npos)) head.append(" ").append(value);
    if (comma == names.npos) break;
    head += ", ";
    names.remove_prefix(comma + 2);
  }
  return head;
}

std::string head_of(const OptionRow& row) {
  if (row.bare.empty()) return head_of(row.names, row.value);
  return fmt::format("  {0}, {0}={1}", row.names, row.value);
}

/// A row as "  --option VALUE   text", its text in a column of its own.
std::string line_of(std::string head, std::string_view help) {
  if (head.size() + 2 > text_at) head += '\n';
  else head.append(text_at - head.size(), ' ');
  auto lines = render::wrap(help, width - text_at);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0 || head.ends_with('\n')) head.append(text_at, ' ');
    head.append(lines[i]).append("\n");
  }
  return head;
}

}  // namespace

std::string help_of(const CommandTable& table) {
  std::string text = fmt::format("darrow {}: {}.\n\nUsage: darrow {} {}\n\n{}", table.name, table.summary, table.name,
                                 table.usage, table.about);
  for (const auto& section : table.sections) {
    text.append("\n").append(section.title).append("\n");
    for (const auto& row : section.rows) text += line_of(head_of(row), row.help);
    if (section.title == "Options:") text += line_of("  -h, --help", "this help");
    text.append(section.after);
  }
  if (!table.more.empty()) text.append("\n").append(table.more);
  if (!table.exits.empty()) text.append("\nExit codes: ").append(table.exits);
  text += "\nExamples:\n";
  for (auto example : table.examples) text.append("  ").append(example).append("\n");
  return text;
}

}  // namespace darrow::cli

#include "cli/old_names.hpp"

namespace darrow::cli {
namespace {

// clang-format off
constexpr std::string_view parser_options[] = {"--all", "--base", "--file", "--perf", "--total", "--show-incomplete", "--version", "--help"};
constexpr std::string_view dxt_options[] = {"--show-incomplete", "--version", "--help"};

constexpr OldName names[] = {
    {"darshan-parser", "parse", parser_options, 1},
    {"darshan-dxt-parser", "dxt", dxt_options, 1},
};
// clang-format on

/// The only option that begins so; else what was given. What is none of the options is marked, so that none of darrow's is meant.
std::string in_full(const OldName& name, const std::string& given) {
  std::string_view found;
  for (auto option : name.options) {
    if (given == option) return given;
    if (!option.starts_with(given)) continue;
    if (!found.empty()) return given + " (ambiguous)";
    found = option;
  }
  return found.empty() ? given + " (unknown)" : std::string(found);
}

}  // namespace

const OldName* old_name(std::string_view called_as) {
  called_as.remove_prefix(called_as.rfind('/') + 1);  // npos + 1 is 0
  for (const auto& name : names)
    if (name.program == called_as) return &name;
  return nullptr;
}

std::vector<std::string> arguments_for(const OldName& name, int argc, char** argv) {
  std::vector<std::string> arguments{"darrow", std::string(name.command), "--compat"};
  bool options = true;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    options = options && argument != "--";
    bool is_option = options && argument.size() > 1 && argument[0] == '-';
    arguments.push_back(is_option ? in_full(name, argument) : argument);
  }
  return arguments;
}

}  // namespace darrow::cli

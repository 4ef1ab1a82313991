#include "cli/old_names.hpp"

#include <cstdint>

#include "cli/exit_code.hpp"

namespace darrow::cli {
namespace {

// clang-format off
constexpr std::string_view parser_options[] = {"--all", "--base", "--file", "--perf", "--total", "--show-incomplete", "--version", "--help"};
constexpr std::string_view dxt_options[] = {"--show-incomplete", "--version", "--help"};
constexpr std::string_view convert_options[] = {"--bzip2", "--obfuscate", "--obfuscate_jobid", "--obfuscate_uid", "--obfuscate_exe", "--obfuscate_names", "--key=", "--annotate=", "--file=", "--reset-md", "--version", "--help"};
constexpr std::string_view merge_options[] = {"--output=", "--shared-redux", "--job-end-time=", "--version", "--help"};
constexpr std::string_view few_options[] = {"--version", "--help"};

constexpr OldName names[] = {
    {"darshan-parser", "parse", "--compat", "LOG", parser_options, 1, 1},
    {"darshan-dxt-parser", "dxt", "--compat", "LOG", dxt_options, 1, 1},
    {"darshan-convert", "convert", "", "IN OUT", convert_options, 2, 1},
    {"darshan-diff", "diff", "--compat", "LOG LOG", few_options, SIZE_MAX, util_failure},
    {"darshan-merge", "merge", "", "LOG…", merge_options, SIZE_MAX, 1},
    {"darshan-analyzer", "analyze", "--compat", "DIRECTORY", few_options, 1, 1},
};
// clang-format on

/// An option as it was given.
struct Given {
  std::string in_full;
  bool takes_next = false;  ///< the argument behind it is its value
};

/// The only option that begins so; else what was given. What is none of the options is marked, so that none of darrow's is meant.
Given option_of(const OldName& name, const std::string& given) {
  auto equals = given.find('=');
  const std::string start = given.substr(0, equals), value = equals == given.npos ? "" : given.substr(equals);
  std::string_view found;
  for (auto option : name.options) {
    bool takes_value = option.ends_with('=');
    auto known = option.substr(0, option.size() - takes_value);
    if (!known.starts_with(start)) continue;
    if (!found.empty() && known != start) return {given + " (ambiguous)"};
    found = option;
    if (known == start) break;
  }
  if (found.empty()) return {given + " (unknown)"};
  bool takes_value = found.ends_with('=');
  if (!takes_value && !value.empty()) return {std::string(found) + " (takes no value)"};
  return {std::string(found.substr(0, found.size() - takes_value)) + value, takes_value && value.empty()};
}

}  // namespace

const OldName* old_name(std::string_view called_as) {
  called_as.remove_prefix(called_as.rfind('/') + 1);  // npos + 1 is 0
  for (const auto& name : names)
    if (name.program == called_as) return &name;
  return nullptr;
}

std::vector<std::string> arguments_for(const OldName& name, int argc, char** argv) {
  std::vector<std::string> arguments{"darrow", std::string(name.command)};
  if (!name.added.empty()) arguments.emplace_back(name.added);
  bool options = true;
  std::size_t others = 0;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (options && argument == "--") {
      options = false;
      arguments.push_back(argument);
    } else if (options && argument.size() > 1 && argument[0] == '-') {
      auto given = option_of(name, argument);
      arguments.push_back(given.in_full);
      if (given.takes_next && i + 1 < argc) arguments.back().append("=").append(argv[++i]);
    } else if (++others <= name.arguments) {
      arguments.push_back(argument);
    }
  }
  return arguments;
}

int old_exit_code(int code) {
  if (code == nothing) return util_failure;
  return code == lost ? static_cast<int>(done) : code;
}

}  // namespace darrow::cli

#include "cli/built_in.hpp"

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"

namespace darrow::cli {
namespace {

/// A command whose table and work share a request.
template <typename Request>
Command command(CommandTable (*table)(Request&), int (*run)(const Request&)) {
  auto request = std::make_shared<Request>();
  return {table(*request), [request, run] { return run(*request); }};
}

constexpr BuiltIn commands[] = {
    {"info", [] { return command(info_table, run_info); }},
    {"summary", [] { return command(summary_table, run_summary); }},
    {"modules", [] { return command(modules_table, run_modules); }},
    {"convert", [] { return command(convert_table, run_convert); }},
    {"merge", [] { return command(merge_table, run_merge); }},
    {"analyze", [] { return command(analyze_table, run_analyze); }},
    {"parse", [] { return command(parse_table, run_parse); }},
    {"diff", [] { return command(diff_table, run_diff); }},
    {"dxt", [] { return command(dxt_table, run_dxt); }},
};

}  // namespace

std::span<const BuiltIn> built_in_commands() { return commands; }

const BuiltIn* built_in(std::string_view name) {
  auto* found = std::ranges::find(commands, name, &BuiltIn::name);
  return found == std::end(commands) ? nullptr : found;
}

}  // namespace darrow::cli

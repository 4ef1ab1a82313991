#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string_view>

#include "cli/option_values.hpp"

namespace darrow::cli {
namespace {

/// "123", "4G", "512 MiB".
std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t number = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc()) return {};
  std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (suffix.starts_with(' ')) suffix.remove_prefix(1);
  if (suffix.ends_with('B') || suffix.ends_with('b')) suffix.remove_suffix(1);
  if (suffix.size() == 2 && suffix[1] == 'i') suffix.remove_suffix(1);
  if (suffix.empty()) return number;
  constexpr std::string_view powers = "kmgt";
  auto power = powers.find(static_cast<char>(suffix[0] | 0x20));
  if (suffix.size() != 1 || power == powers.npos) return {};
  auto shift = 10 * (power + 1);
  if (number > UINT64_MAX >> shift) return {};
  return number << shift;
}

/// Options that may be given again and again, each with names between commas.
void add_names(CLI::App& command, const std::string& option, std::vector<std::string>& names) {
  command.add_option(option, names)->delimiter(',')->allow_extra_args(false);
}

NamedPattern named_pattern(const std::string& text) {
  auto equals = text.find('=');
  if (equals == 0 || equals == text.npos) throw Wrong{fmt::format("\"{}\" is no NAME=REGEX, such as h5=\\.h5$", text)};
  return {text.substr(0, equals), pattern(text.substr(equals + 1))};
}

GroupKey group_key(const std::string& text) {
  auto key = GroupKey::parse_of_logs(text);
  if (!key) throw Wrong{key.error().message};
  return *key;
}

template <typename T>
T count(const std::string& text) {
  auto value = number<T>(text);
  if (!value) throw Wrong{fmt::format("\"{}\" is no number of 0 or more", text)};
  return *value;
}

void add_group_options(CLI::App& command, GroupRequest& groups) {
  auto add_key = [&groups](auto& text) {
    if (text != "module") groups.keys.push_back(group_key(text));
    groups.is_given = true;
  };
  add_each(command, "--by", add_key)->delimiter(',');
  add_each(command, "--pattern", [&groups](auto& text) { groups.patterns.push_back(named_pattern(text)); });
  add_each(command, "--name", [&groups](auto& text) { groups.names.find.push_back(pattern(text)); });
  add_each(command, "--exclude", [&groups](auto& text) { groups.names.exclude.push_back(pattern(text)); });
  add_each(command, "--id", [&groups](auto& text) { groups.ids.push_back(record_id(text)); })->delimiter(',');
  add_each(command, "--rank", [&groups](auto& text) { groups.ranks.push_back(rank_range(text)); })->delimiter(',');
  command.add_option("--sort", groups.sort);
  add_each(command, "--limit", [&groups](auto& text) { groups.limit = count<std::size_t>(text); });
  add_threads(command, groups.threads);
}

}  // namespace

void add_format(CLI::App& command, Format& format) {
  auto set = [&format](const std::string& name) {
    format = name == "csv" ? Format::csv : name == "json" ? Format::json : Format::table;
  };
  command.add_option_function<std::string>("--format", set)->check(CLI::IsMember({"table", "csv", "json"}));
}

void add_threads(CLI::App& command, unsigned& threads) {
  add_each(command, "--threads", [&threads](auto& text) { threads = count<unsigned>(text); });
}

void add_open_options(CLI::App& command, OpenOptions& options) {
  command.add_flag("--strict", options.strict);
  auto set_limit = [&options](const std::string& text) {
    auto size = parse_size(text);
    if (!size) throw CLI::ValidationError("--max-region-bytes", text + " is no size, such as 512M");
    options.max_region_bytes = *size;
  };
  command.add_option_function<std::string>("--max-region-bytes", set_limit);
}

void add_info_options(CLI::App& command, LogOptions& options) {
  command.add_option("LOG", options.logs);  // main demands it: CLI11 would tell this before a misspelt option
  add_format(command, options.format);
  add_open_options(command, options.open);
  command.add_flag("--fail-partial", options.fail_partial);
}

void add_summary_options(CLI::App& command, SummaryRequest& request) {
  add_info_options(command, request);
  add_names(command, "--module", request.modules);
  add_names(command, "--metric", request.metrics);
  auto set_layer = [&request](const std::string& name) { request.bottom = name == "bottom"; };
  command.add_option_function<std::string>("--layer", set_layer)->check(CLI::IsMember({"module", "bottom"}));
  add_group_options(command, request.groups);
}

void add_modules_options(CLI::App& command, ModulesOptions& options) {
  command.add_option("NAME", options.name);
  add_format(command, options.format);
  command.add_flag("--all", options.all);
  command.add_flag("--metrics", options.metrics);
}

}  // namespace darrow::cli

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include "cli/names.hpp"
#include "cli/option_values.hpp"
#include "cli/options.hpp"

namespace darrow::cli {
namespace {

const Module& known_module(const std::string& name) {
  if (auto* module = module_called(name)) return *module;
  throw Wrong{fmt::format("no module is called \"{}\"; there are: {}", name, all_modules())};
}

/// "POSIX", "mpiio", "module 40".
std::string module_name(const std::string& name) {
  constexpr std::string_view unknown = "module ";
  if (!name.starts_with(unknown) || !number<unsigned>(name.substr(unknown.size())))
    return std::string(known_module(name).name);
  return name;
}

/// "POSIX=3".
std::pair<const Module*, int> module_version(const std::string& text) {
  auto equals = text.rfind('=');
  auto version = equals == text.npos ? std::nullopt : number<int>(text.substr(equals + 1));
  if (!version) throw Wrong{fmt::format("\"{}\" is no MODULE=N, such as POSIX=3", text)};
  auto& module = known_module(text.substr(0, equals));
  if (!module.has_version(*version))
    throw Wrong{fmt::format("{} has no version {}; there are 1 to {}", module.name, *version, module.current())};
  return {&module, *version};
}

/// "KEY=VALUE", several between TABs.
void add_metadata(std::string_view text, std::vector<std::pair<std::string, std::string>>& metadata) {
  while (true) {
    auto end = text.find('\t');
    auto piece = text.substr(0, end);
    auto equals = piece.find('=');
    if (equals == piece.npos || equals == 0 || piece.find('\n') != piece.npos)
      throw Wrong{fmt::format("\"{}\" is no KEY=VALUE on one line", piece)};
    metadata.emplace_back(piece.substr(0, equals), piece.substr(equals + 1));
    if (end == text.npos) return;
    text.remove_prefix(end + 1);
  }
}

/// A number of 32 bits, with a sign or without.
std::optional<std::uint32_t> hash_key(std::string_view text) {
  auto key = number<std::int64_t>(text);
  if (!key || *key < std::numeric_limits<std::int32_t>::min() || *key > std::numeric_limits<std::uint32_t>::max())
    return {};
  return static_cast<std::uint32_t>(*key);
}

}  // namespace

void add_write_options(CLI::App& command, WriteOptions& write) {
  auto set_compression = [&write](const std::string& name) {
    for (auto kind : {Compression::zlib, Compression::bzip2, Compression::none})
      if (to_string(kind) == name) write.compression = kind;
  };
  auto* compression = command.add_option_function<std::string>("--compression", set_compression);
  compression->check(CLI::IsMember({"zlib", "bzip2", "none"}));
  auto set_bzip2 = [&write] { write.compression = Compression::bzip2; };
  command.add_flag_callback("--bzip2", set_bzip2)->excludes(compression);
  auto set_level = [&write](const std::string& text) {
    auto level = number<int>(text);
    if (!level || *level < 1) throw CLI::ValidationError("--level", fmt::format("\"{}\" is no level, such as 6", text));
    write.level = *level;
  };
  command.add_option_function<std::string>("--level", set_level);
  auto set_order = [&write](const std::string& name) {
    write.byte_order = name == "big" ? ByteOrder::big : ByteOrder::little;
  };
  command.add_option_function<std::string>("--byte-order", set_order)->check(CLI::IsMember({"little", "big"}));
  command.add_option("--target", write.target);
}

namespace {

/// What of the log is written.
void add_choice(CLI::App& command, RecordChoice& choice) {
  add_each(command, "--name", [&choice](auto& text) { choice.names.find.push_back(pattern(text)); });
  add_each(command, "--exclude", [&choice](auto& text) { choice.names.exclude.push_back(pattern(text)); });
  add_each(command, "--id,--file", [&choice](auto& text) { choice.ids.push_back(record_id(text)); })->delimiter(',');
  add_each(command, "--rank", [&choice](auto& text) { choice.ranks.push_back(rank_range(text)); })->delimiter(',');
  add_each(command, "--module", [&choice](auto& text) { choice.modules.push_back(module_name(text)); })->delimiter(',');
}

/// What is changed in it.
void add_changes(CLI::App& command, ConvertRequest& request) {
  auto& job = request.job;
  command.add_flag("--reset-md", job.reset_metadata);
  add_each(command, "--annotate", [&job](auto& text) { add_metadata(text, job.metadata); });
  command.add_flag("--obfuscate-jobid,--obfuscate_jobid", job.obfuscate_jobid);
  command.add_flag("--obfuscate-uid,--obfuscate_uid", job.obfuscate_uid);
  command.add_flag("--obfuscate-exe,--obfuscate_exe", job.obfuscate_exe);
  command.add_flag("--obfuscate-names,--obfuscate_names", request.obfuscate_names);
  command.add_flag_callback("--obfuscate", [&request] {
    request.obfuscate_names = true;
    request.job.obfuscate_jobid = request.job.obfuscate_uid = request.job.obfuscate_exe = true;
  });
  auto set_key = [&job](const std::string& text) {
    auto key = hash_key(text);
    if (!key) throw CLI::ValidationError("--key", fmt::format("\"{}\" is no whole number of 32 bits", text));
    job.key = *key;
  };
  command.add_option_function<std::string>("--key", set_key);
}

}  // namespace

void add_convert_options(CLI::App& command, ConvertRequest& request) {
  command.add_option("IN", request.in);
  command.add_option("OUT", request.out);
  command.add_flag("-f,--force", request.overwrite);
  add_open_options(command, request.open);
  add_write_options(command, request.write);
  add_each(command, "--module-version", [&request](auto& text) { request.versions.push_back(module_version(text)); });
  add_choice(command, request.choice);
  add_changes(command, request);
}

}  // namespace darrow::cli

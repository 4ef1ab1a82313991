// Options that several commands have.
#include <fmt/format.h>

#include <charconv>

#include "cli/command_table.hpp"
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

}  // namespace

OptionRow path_argument(std::string_view name, TakeText take, bool again) {
  return {.names = name,
          .value = {},
          .help = {},
          .meet = std::move(take),
          .again = again,
          .proposal = Proposal::files,
          .needed = true};
}

OptionRow logs_argument(std::string_view name, std::vector<std::string>& logs) {
  return path_argument(name, [&logs](const std::string& log) { logs.push_back(log); }, true);
}

OptionRow format_row(Format& format) {
  auto set = [&format](const std::string& name) {
    format = name == "csv" ? Format::csv : name == "json" ? Format::json : Format::table;
  };
  return {.names = "--format",
          .value = "FORMAT",
          .help = "table (for people, the default), csv or json",
          .meet = set,
          .choices = {"table", "csv", "json"}};
}

OptionRow threads_row(unsigned& threads) {
  return {.names = "--threads",
          .value = "N",
          .help = "logs read at the same time (default: one for each processor)",
          .meet = [&threads](const std::string& text) { threads = count<unsigned>(text); },
          .again = true};
}

OptionRow fail_partial_row(LogOptions& options) {
  return {.names = "--fail-partial",
          .value = {},
          .help = "exit with 3 also if a module is partial, that is, if Darshan ran out of memory while it counted",
          .meet = [&options] { options.fail_partial = true; }};
}

OptionRow strict_row(OpenOptions& open) {
  return {
      .names = "--strict", .value = {}, .help = "refuse a log of which anything is lost or untrusted", .meet = [&open] {
        open.strict = true;
      }};
}

OptionRow max_region_row(OpenOptions& open) {
  auto set = [&open](const std::string& text) {
    auto size = parse_size(text);
    if (!size) throw Wrong{text + " is no size, such as 512M"};
    open.max_region_bytes = *size;
  };
  return {.names = "--max-region-bytes",
          .value = "SIZE",
          .help = "inflate no region of a log beyond SIZE bytes (default 4G; suffixes K, M, G, T: powers of 1024)",
          .meet = set};
}

std::vector<OptionRow> write_rows(WriteOptions& write) {
  auto set_compression = [&write](const std::string& name) {
    for (auto kind : {Compression::zlib, Compression::bzip2, Compression::none})
      if (to_string(kind) == name) write.compression = kind;
  };
  auto set_level = [&write](const std::string& text) {
    auto level = number<int>(text);
    if (!level || *level < 1) throw Wrong{fmt::format("\"{}\" is no level, such as 6", text)};
    write.level = *level;
  };
  auto set_order = [&write](const std::string& name) {
    write.byte_order = name == "big" ? ByteOrder::big : ByteOrder::little;
  };
  return {{.names = "--compression",
           .value = "KIND",
           .help = "zlib (the default), bzip2 or none",
           .meet = set_compression,
           .choices = {"zlib", "bzip2", "none"}},
          {.names = "--bzip2",
           .value = {},
           .help = "short for --compression bzip2",
           .meet = [&write] { write.compression = Compression::bzip2; },
           .excludes = "--compression"},
          {.names = "--level",
           .value = "N",
           .help = "zlib: 1 (fast) to 12 (small), 6 if not given; bzip2: 1 to 9, 9 if not given",
           .meet = set_level},
          {.names = "--byte-order",
           .value = "ORDER",
           .help = "of all numbers: little (the default) or big",
           .meet = set_order,
           .choices = {"little", "big"}},
          {.names = "--target",
           .value = "RELEASE",
           .help = "module versions that this release of Darshan reads, such as 3.4.1. What they cannot hold is an "
                   "error, but thread ids of traces are left out and told on stderr",
           .meet = [&write](const std::string& text) { write.target = text; }}};
}

}  // namespace darrow::cli

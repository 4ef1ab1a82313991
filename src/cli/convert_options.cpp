#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string_view>

#include "cli/command_table.hpp"
#include "cli/names.hpp"
#include "cli/option_values.hpp"

namespace darrow::cli {
namespace {

const Module& known_module(const std::string& name) {
  if (auto* module = find_module(name)) return *module;
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

/// How the log is written.
OptionSection form_section(ConvertRequest& request) {
  std::vector<OptionRow> rows = {
      {.names = "-f, --force", .value = {}, .help = "overwrite OUT", .meet = [&request] { request.overwrite = true; }}};
  for (auto& row : write_rows(request.write)) rows.push_back(std::move(row));
  rows.push_back({.names = "--module-version",
                  .value = "MODULE=N",
                  .help = "a module in version N, if nothing is lost by it; may be given again, for others",
                  .meet = [&request](const std::string& text) { request.versions.push_back(module_version(text)); },
                  .again = true,
                  .proposal = Proposal::modules});
  rows.push_back(strict_row(request.open));
  rows.push_back(max_region_row(request.open));
  return {"Options:", std::move(rows)};
}

/// What of the log is written.
OptionSection choice_section(RecordChoice& choice) {
  std::vector<OptionRow> rows = {
      {.names = "--name",
       .value = "REGEX",
       .help = "records whose name has REGEX anywhere in it",
       .meet = [&choice](const std::string& text) { choice.names.find.push_back(pattern(text)); },
       .again = true},
      {.names = "--exclude",
       .value = "REGEX",
       .help = "records whose name has it nowhere; those without name stay",
       .meet = [&choice](const std::string& text) { choice.names.exclude.push_back(pattern(text)); },
       .again = true},
      {.names = "--id, --file",
       .value = "ID",
       .help = "records with this id (decimal)",
       .meet = [&choice](const std::string& text) { choice.ids.push_back(record_id(text)); },
       .again = true,
       .list = true},
      {.names = "--rank",
       .value = "R",
       .help = "records of this rank; 0-7: of these, -1: of all ranks together",
       .meet = [&choice](const std::string& text) { choice.ranks.push_back(rank_range(text)); },
       .again = true,
       .list = true},
      {.names = "--module",
       .value = "NAME",
       .help = "this module (POSIX, mpi-io, mpiio, …)",
       .meet = [&choice](const std::string& text) { choice.modules.push_back(module_name(text)); },
       .again = true,
       .list = true,
       .proposal = Proposal::modules}};
  return {R"(A part of the log (records have to meet all that is asked for; each may be given
again, and all but the first two several with commas):)",
          std::move(rows), R"(Names that are not chosen go too, and with --rank or --module those that no
record has any more. Of modules that are not known no records can be chosen:
they are left out and told on stderr. REGEX has the syntax of RE2, and a dot
stands for any character. Names are looked at as darrow shows them: bytes that
are not UTF-8 stand as \xNN (so '\\xff' finds the byte 255).
)"};
}

OptionSection metadata_section(JobChanges& job) {
  std::vector<OptionRow> rows = {
      {.names = "--reset-md", .value = {}, .help = "drop it first", .meet = [&job] { job.reset_metadata = true; }},
      {.names = "--annotate",
       .value = "KEY=VALUE",
       .help = "add this, or put it in the place of what KEY has; may be given again, or several with TABs",
       .meet = [&job](const std::string& text) { add_metadata(text, job.metadata); },
       .again = true}};
  return {"Metadata:", std::move(rows)};
}

OptionSection obfuscation_section(ConvertRequest& request) {
  auto& job = request.job;
  auto set_all = [&request] {
    request.obfuscate_names = true;
    request.job.obfuscate_jobid = request.job.obfuscate_uid = request.job.obfuscate_exe = true;
  };
  auto set_key = [&job](const std::string& text) {
    auto key = hash_key(text);
    if (!key) throw Wrong{fmt::format("\"{}\" is no whole number of 32 bits", text)};
    job.key = *key;
  };
  std::vector<OptionRow> rows = {
      {.names = "--obfuscate", .value = {}, .help = "all of these:", .meet = set_all},
      {.names = "--obfuscate-jobid",
       .value = {},
       .help = "the job number, unless it is 0",
       .meet = [&job] { job.obfuscate_jobid = true; },
       .other_names = ",--obfuscate_jobid"},
      {.names = "--obfuscate-uid",
       .value = {},
       .help = "the user number",
       .meet = [&job] { job.obfuscate_uid = true; },
       .other_names = ",--obfuscate_uid"},
      {.names = "--obfuscate-exe",
       .value = {},
       .help = "the command line",
       .meet = [&job] { job.obfuscate_exe = true; },
       .other_names = ",--obfuscate_exe"},
      {.names = "--obfuscate-names",
       .value = {},
       .help = "names, behind the mount on which they lie; those of standard streams and heat maps stay",
       .meet = [&request] { request.obfuscate_names = true; },
       .other_names = ",--obfuscate_names"},
      {.names = "--key", .value = "K", .help = "a number of 32 bits (default 0)", .meet = set_key}};
  return {"Names that no one shall read, hashed with a key:", std::move(rows),
          R"(This is no anonymity. Record ids, mounts, metadata (hints and annotations among
it), host and node names, names of pools, times and all counters stay as they
are. An id is a hash of the path: who guesses a path can check it. With the key,
or by trying all 2^32 of them, the same goes for everything hashed here.
)"};
}

}  // namespace

CommandTable convert_table(ConvertRequest& request) {
  auto path = [](std::string_view name, std::string& into) {
    return path_argument(name, [&into](const std::string& text) { into = text; });
  };
  CommandTable table;
  table.name = "convert";
  table.summary = "a log written anew";
  table.usage = "[OPTION…] IN OUT";
  table.about = R"(IN is a file or a pipe, - the standard input. OUT is a file, a device or a pipe,
- the standard output. It is a log of format 3.41 with the newest version of
each module; numbers stay as they are in every bit. OUT comes into being when it
is complete, and may be IN (with --force). The same input and options give the
same bytes.
)";
  table.arguments = {path("IN", request.in), path("OUT", request.out)};
  table.sections = {form_section(request), choice_section(request.choice), metadata_section(request.job),
                    obfuscation_section(request)};
  table.exits = R"(0 done; 2 usage; 3 written, but something was lost or is untrusted,
or was not there to be chosen; 4 nothing was written.
)";
  table.examples = {"darrow convert --level 12 job.darshan small.darshan",
                    "darrow convert --name '\\.h5$' --exclude '^/tmp/' job.darshan h5.darshan",
                    "darrow convert --rank 0,-1 --module posix,stdio job.darshan part.darshan",
                    "darrow convert --obfuscate --key 20417 --reset-md job.darshan shared.darshan",
                    "darrow convert --annotate 'note=before tuning' --force job.darshan job.darshan",
                    "darrow convert --target 3.4.1 new.darshan old.darshan",
                    "darrow convert --id 6301063301082038805 job.darshan - | darrow summary -"};
  return table;
}

}  // namespace darrow::cli

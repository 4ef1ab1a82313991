/// What a command takes, told once: its command line, --help, man page and completion all come from this.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/commands.hpp"

namespace darrow::cli {

/// What a shell proposes for a value.
enum class Proposal : std::uint8_t { nothing, files, directories, modules };

// What happens when an option is met. What takes a text throws Wrong if it makes no sense.
using SetFlag = std::function<void()>;
using TakeText = std::function<void(const std::string&)>;

/// One option, or an argument that is none.
struct OptionRow {
  std::string_view names;  ///< "-o, --output", "--by"; of an argument its name in the help: "LOG"
  std::string_view value;  ///< what stands for its value: "OUT"; empty: a flag
  std::string_view help;   ///< running text; of an argument it stands elsewhere
  std::variant<SetFlag, TakeText> meet;
  bool again = false;                          ///< it may be given again
  bool list = false;                           ///< several values with commas
  std::vector<std::string_view> choices = {};  ///< the values there are; empty: any
  Proposal proposal = Proposal::nothing;       ///< beyond the choices
  std::string_view excludes = {};              ///< another option that must not be given with it: "--compression"
  bool needed = false;                         ///< it has to be given
  std::string_view bare = {};                  ///< what `--name` without `=value` stands for, if that may be
  std::string_view other_names = {};           ///< that work but are not told, after a comma each
};

/// Options under a title. Texts have their lines.
struct OptionSection {
  std::string_view title;  ///< "Options:"
  std::vector<OptionRow> rows;
  std::string_view after = {};  ///< what is to be said below them
};

struct CommandTable {
  std::string_view name;     ///< "merge"
  std::string_view summary;  ///< "several logs into one"
  std::string_view usage;    ///< behind the name: "[OPTION…] LOG… -o OUT"
  std::string_view about;    ///< paragraphs
  std::vector<OptionRow> arguments;
  std::vector<OptionSection> sections;  ///< one is called "Options:", where --help comes last
  std::string_view more = {};           ///< paragraphs behind the options, as they are
  std::string_view exits = {};          ///< what the exit codes mean
  std::vector<std::string_view> examples = {};
  std::vector<CommandTable> actions = {};  ///< commands below it: "lake update"
  std::shared_ptr<const void> texts = {};  ///< where these texts lie, unless they are part of this program
};

// The tables of the commands; what they take goes into the request.
CommandTable info_table(LogOptions& options);
CommandTable summary_table(SummaryRequest& request);
CommandTable modules_table(ModulesOptions& options);
CommandTable convert_table(ConvertRequest& request);
CommandTable merge_table(MergeRequest& request);
CommandTable analyze_table(AnalyzeRequest& request);
CommandTable parse_table(ParseRequest& request);
CommandTable dxt_table(DxtRequest& request);
CommandTable diff_table(DiffRequest& request);

// Rows that several commands have.
/// A file that has to be given, as an argument; `again`: or several.
OptionRow path_argument(std::string_view name, TakeText take, bool again = false);
/// Logs, as an argument.
OptionRow logs_argument(std::string_view name, std::vector<std::string>& logs);
OptionRow format_row(Format& format);
OptionRow threads_row(unsigned& threads);
OptionRow strict_row(OpenOptions& open);
OptionRow fail_partial_row(LogOptions& options);
OptionRow max_region_row(OpenOptions& open);
/// The form of a log to be written: compression, level, byte order, target.
std::vector<OptionRow> write_rows(WriteOptions& write);

/// The text of --help.
std::string help_of(const CommandTable& table);
/// The man page, as roff.
std::string man_page(const CommandTable& table);
/// That of the program, from its help: the commands, and what stands behind them.
std::string top_man_page(std::string_view commands, std::string_view more);
/// A script that makes a shell complete command lines. `shell`: one of `shells`.
std::string completion_script(std::string_view shell);
inline constexpr std::string_view shells[] = {"bash", "zsh", "fish"};

}  // namespace darrow::cli

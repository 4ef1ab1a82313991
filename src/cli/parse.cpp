/// The commands that write the text of darshan-util's tools.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/logs.hpp"
#include "cli/output.hpp"

namespace darrow::cli {
namespace {

/// Opens the log and has `write(log, output)` write its text. Returns the exit code.
template <typename Write>
int write_text(const LogOptions& options, bool compat, Write write) {
  const std::string file = display_name(options.logs[0]);
  auto failed = [&](const Error& error) {
    complain(error.describe());
    return compat ? util_failure : static_cast<int>(nothing);
  };
  auto log = open_log(options.logs[0], options.open);
  if (!log) return failed(log.error());
  if (options.open.strict)  // nothing is written of a log that shall be refused
    if (auto error = first_error(file, (*log)->verify())) return failed(*error);

  bool told = false;
  TextOutput output{.text = write_output, .complain = [&](const std::string& message) {
                      told = true;
                      complain(fmt::format("{}: {}", file, message));
                    }};
  auto end = write(**log, output);
  if (!end) return failed(end.error());
  auto problems = (*log)->problems();
  complain_about(file, problems);
  if (compat) return *end == TextEnd::stopped ? util_failure : static_cast<int>(done);
  Outcome outcome(options);
  outcome.read(**log, problems);
  int code = outcome.exit_code();
  return code == done && *end == TextEnd::lost ? static_cast<int>(lost) : code;
}

}  // namespace

int run_parse(const ParseRequest& request) {
  ParserTextOptions text = request.text;
  text.base = text.base || !(text.total || text.file || text.perf || text.file_list || text.file_list_detailed);
  if ((text.file_list || text.file_list_detailed) && text.compat != UtilBuild::v3_4) {
    complain("parse: --file-list is an option of builds up to 3.4 (--compat=3.4); see darrow summary --by file");
    return usage;
  }
  return write_text(request, text.compat.has_value(),
                    [&](const Log& log, const TextOutput& output) { return write_parser_text(log, text, output); });
}

int run_dxt(const DxtRequest& request) {
  return write_text(request, request.text.compat.has_value(), [&](const Log& log, const TextOutput& output) {
    return write_dxt_text(log, request.text, output);
  });
}

}  // namespace darrow::cli

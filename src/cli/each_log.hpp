/// The frame of the commands that tell something of each log.
#pragma once

#include <new>
#include <string>

#include "cli/commands.hpp"
#include "cli/logs.hpp"
#include "cli/output.hpp"
#include "cli/parts.hpp"
#include "darrow/log_paths.hpp"

namespace darrow::cli {

/// command.read(); memory that cannot be had fails the log, not the program.
template <typename Command>
auto read_log(const Command& command, const std::string& argument, const OpenOptions& options)
    -> decltype(command.read(argument, options)) {
  try {
    return command.read(argument, options);
  } catch (const std::bad_alloc&) {
    return Error{.code = ErrorCode::out_of_memory,
                 .message = "not enough memory",
                 .file = display_name(argument),
                 .region = {},
                 .offset = {}};
  }
}

/// Runs a command over the logs that its command line stands for; a log that fails does not stop the others. Command has:
///   struct Facts { file, log, problems, … }; maybe also unmet: errors of what was asked for in vain
///   Result<Facts> read(argument, open_options);
///   void text(facts, sink, look);  csv_header(csv);  csv(facts, csv);  csv_failure(file, error, csv);  json(facts, json);
///   static constexpr bool lists_problems: whether its text tells the problems.
template <typename Command>
int each_log(const Command& command, const LogOptions& options) {
  Output out;
  Outcome outcome(options);
  render::JsonWriter json(out.sink());
  render::CsvWriter csv(out.sink(), out.terminal());
  if (options.format == Format::json) begin_logs(json);
  if (options.format == Format::csv) command.csv_header(csv);
  bool first = true;
  auto lost = [&](const std::string& file, const Error& error) {
    outcome.failed(error);
    if (options.format == Format::json) json_failure(file, error, json);
    if (options.format == Format::csv) command.csv_failure(file, error, csv);
  };
  auto tell = [&](const std::string& argument) {
    out.flush();  // what is told of a log stands before complaints about the next
    auto facts = read_log(command, argument, options.open);
    if (!facts) {
      lost(display_name(argument), facts.error());
      return true;
    }
    outcome.read(*facts->log, facts->problems);
    if constexpr (requires { facts->unmet; })
      for (auto& error : facts->unmet) outcome.lacks(error);
    if (!Command::lists_problems || options.format == Format::csv) complain_about(facts->file, facts->problems);
    switch (options.format) {
      case Format::table:
        if (!first) out.sink().put('\n');
        first = false;
        command.text(*facts, out.sink(), out.look());
        break;
      case Format::csv: command.csv(*facts, csv); break;
      case Format::json: command.json(*facts, json); break;
    }
    return true;
  };
  each_log_path(options.logs, tell, [&](const Error& error) { lost(error.file, error); });
  if (options.format == Format::json) end_logs(json);
  return outcome.exit_code();
}

}  // namespace darrow::cli

/// What the command line of each subcommand takes, for CLI11, which only declare_options.cpp and main.cpp know.
#pragma once

#include "cli/command_table.hpp"
#include "cli/commands.hpp"

namespace CLI {
class App;
}

namespace darrow::cli {

void add_info_options(CLI::App& command, LogOptions& options);
void add_summary_options(CLI::App& command, SummaryRequest& request);
void add_modules_options(CLI::App& command, ModulesOptions& options);
void add_convert_options(CLI::App& command, ConvertRequest& request);
void add_merge_options(CLI::App& command, MergeRequest& request);
void add_analyze_options(CLI::App& command, AnalyzeRequest& request);

/// What a table says.
void declare_options(CLI::App& command, const CommandTable& table);

}  // namespace darrow::cli

/// What the command line of each subcommand takes. Its sources and main.cpp are the only ones that know CLI11.
#pragma once

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

/// --format.
void add_format(CLI::App& command, Format& format);
/// --threads.
void add_threads(CLI::App& command, unsigned& threads);
/// --strict and --max-region-bytes.
void add_open_options(CLI::App& command, OpenOptions& options);
/// The form of a log to be written: --compression, --bzip2, --level, --byte-order and --target.
void add_write_options(CLI::App& command, WriteOptions& write);

}  // namespace darrow::cli

#include <CLI/CLI.hpp>

#include "cli/options.hpp"

namespace darrow::cli {

void add_analyze_options(CLI::App& command, AnalyzeRequest& request) {
  command.add_option("PATH", request.logs);
  add_format(command, request.format);
  add_threads(command, request.threads);
  command.add_flag("--compat", request.compat);
  add_open_options(command, request.open);
}

}  // namespace darrow::cli

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/option_values.hpp"
#include "cli/options.hpp"

namespace darrow::cli {

void add_merge_options(CLI::App& command, MergeRequest& request) {
  command.add_option("LOG", request.logs);
  command.add_option("-o,--output", request.out);
  command.add_flag("-f,--force", request.overwrite);
  command.add_flag("--shared-redux", request.merge.reduce_shared);
  auto set_end = [&request](const std::string& text) {
    request.merge.end_time = number<std::int64_t>(text);
    if (request.merge.end_time.value_or(0) < 1)
      throw CLI::ValidationError("--job-end-time", fmt::format("\"{}\" is no number of seconds since 1970", text));
  };
  command.add_option_function<std::string>("--job-end-time", set_end);
  add_open_options(command, request.open);
  add_write_options(command, request.merge.write);
}

}  // namespace darrow::cli

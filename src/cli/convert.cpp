// `darrow convert`: a log written anew.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <optional>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/logs.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"

namespace darrow::cli {
namespace {

class Conversion {
 public:
  Conversion(const ConvertRequest& request, LogWriter writer)
      : request_(request), file_(display_name(request.in)), writer_(std::move(writer)) {}
  /// The exit code, or why nothing was written.
  Result<ExitCode> run();

 private:
  Result<ExitCode> convert(const Log& log);
  void add_job_and_names(const Log& log, const Names& names, const std::vector<std::int64_t>& chosen);
  void leave_out_foreign(const Log& log, std::vector<ChosenPart::Records>& modules);
  std::optional<Error> add_modules(const Log& log, const std::vector<ChosenPart::Records>& modules);
  std::optional<Error> write();
  /// Those of what was asked for.
  std::vector<Problem> problems_of(const Log& log) const;
  /// Something that does not keep the rest from being written.
  void lose(std::string message) {
    lost_ = true;
    auto error = plain_error(ErrorCode::not_found, std::move(message));
    error.file = file_;
    complain(error.describe());
  }

  const ConvertRequest& request_;
  std::string file_;
  LogWriter writer_;
  bool lost_ = false;
};

Result<ExitCode> Conversion::run() {
  std::error_code failure;
  if (!request_.overwrite && request_.out != "-" && std::filesystem::is_regular_file(request_.out, failure))
    return exists_already(request_.out);  // at once, not after all the work
  auto log = open_log(request_.in, request_.open);
  if (!log) return log.error();
  auto result = convert(**log);
  if (!result && result.error().file.empty()) result.error().file = file_;
  return result;
}

Result<ExitCode> Conversion::convert(const Log& log) {
  if (request_.open.strict)
    if (auto error = first_error(file_, log.verify())) return *error;
  if (!log.job()) {
    complain_about(file_, log.problems());
    return plain_error(ErrorCode::corrupt, "no job can be read, and no log can be written without one");
  }
  auto names = log.names();
  if (!names) return names.error();
  auto chosen = choose(log, request_.choice);
  if (!chosen) return chosen.error();

  leave_out_foreign(log, chosen->modules);
  add_job_and_names(log, **names, chosen->names);
  if (auto error = add_modules(log, chosen->modules)) return *error;
  if (auto error = write()) return *error;

  for (auto& error : chosen->unmet) lose(error.message);
  if (chosen->modules.empty() && !request_.choice.everything())
    lose("no record was chosen: there is none in the output");
  auto problems = problems_of(log);
  complain_about(file_, problems);
  lost_ |= first_error(file_, problems).has_value();
  for (auto& problem : writer_.problems())
    if (problem.kind == ProblemKind::value_left_out) complain(as_error(file_, problem).describe());
  return lost_ ? lost : done;
}

void Conversion::add_job_and_names(const Log& log, const Names& names, const std::vector<std::int64_t>& chosen) {
  std::vector<Mount> mounts(log.mounts().begin(), log.mounts().end());
  std::vector<bool> used(mounts.size());
  for (auto i : chosen) {
    auto at = names.mount(i);
    const Mount* mount = at < 0 ? nullptr : &log.mounts()[static_cast<std::size_t>(at)];
    if (mount) used[static_cast<std::size_t>(at)] = true;
    if (request_.obfuscate_names)
      writer_.add_name(names.id(i), obfuscated_name(names.name(i), mount, request_.job.key));
    else writer_.add_name(names.id(i), names.name(i));
  }
  auto job = changed(*log.job(), request_.job);
  if (auto dropped = drop_mounts(job, mounts, used))
    lose(fmt::format("mounts left out for which the job record has no room, and on which no name lies: {}", dropped));
  writer_.set_job(std::move(job));
  writer_.set_mounts(std::move(mounts));
}

/// Modules of which nobody knows where their numbers are, so that their byte order cannot change.
void Conversion::leave_out_foreign(const Log& log, std::vector<ChosenPart::Records>& modules) {
  auto order = log.byte_order();
  if (order == request_.write.byte_order) return;
  std::erase_if(modules, [&](const ChosenPart::Records& part) {
    if (part.module->status == ModuleStatus::readable || part.module->length == 0) return false;
    lose(fmt::format("{} is left out: the byte order of what is not known cannot change (--byte-order {} keeps it)",
                     part.module->name, to_string(order)));
    return true;
  });
}

std::optional<Error> Conversion::add_modules(const Log& log, const std::vector<ChosenPart::Records>& modules) {
  Progress progress;
  std::size_t number = 0;
  for (auto& [module, which] : modules) {
    progress.tell(fmt::format("darrow: {}, {} of {} modules", module->name, ++number, modules.size()));
    for (auto& [versioned, version] : request_.versions)
      if (versioned == module->module)
        if (auto set = writer_.set_version(module->name, version); !set) return set.error();
    if (auto records = writer_.add(log, module->name, which); !records) return records.error();
  }
  return {};
}

std::optional<Error> Conversion::write() {
  auto size = request_.out == "-" ? writer_.write(STDOUT_FILENO, "standard output")
                                  : writer_.write(request_.out, request_.overwrite);
  if (size) return {};
  return size.error().system_error == EEXIST ? exists_already(request_.out) : size.error();
}

std::vector<Problem> Conversion::problems_of(const Log& log) const {
  auto& asked = request_.choice.modules;
  auto problems = log.problems();
  std::erase_if(problems, [&](const Problem& problem) {
    return !problem.module.empty() && !asked.empty() &&
           std::find(asked.begin(), asked.end(), problem.module) == asked.end();
  });
  return problems;
}

}  // namespace

int run_convert(const ConvertRequest& request) {
  if (request.out == "-" && isatty(STDOUT_FILENO)) {
    complain("convert: the standard output is a terminal, and a log is no text: name a file");
    return usage;
  }
  auto writer = LogWriter::create(request.write);
  if (!writer) {
    complain("convert: " + writer.error().message);
    return usage;
  }
  handle_signals();
  try {
    auto result = Conversion(request, std::move(*writer)).run();
    if (result) return *result;
    complain(result.error().describe());
  } catch (const std::bad_alloc&) {
    complain(request.in + ": not enough memory");
  }
  return nothing;
}

}  // namespace darrow::cli

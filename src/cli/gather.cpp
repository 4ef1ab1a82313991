#include "cli/gather.hpp"

#include <utility>

namespace darrow::cli {
namespace {

/// What makes a log fail although it was summed up.
std::optional<Error> lost_or_partial(const Log& log, const std::string& file, bool fail_partial) {
  if (auto error = lost_in(log, file)) return error;
  if (!fail_partial) return {};
  for (auto& info : log.modules())
    if (info.partial)
      return Error{.code = ErrorCode::corrupt,
                   .message = "the module is partial: Darshan ran out of memory",
                   .file = file,
                   .region = info.name,
                   .offset = {}};
  return {};
}

}  // namespace

Gathered gather(const std::vector<std::string>& arguments, const GroupSummaryOptions& options, const OpenOptions& open,
                bool fail_partial, unsigned threads) {
  std::vector<GroupSummary> sums;
  for (unsigned i = 0; i < workers(threads); ++i) sums.emplace_back(options);
  auto add = [&](const LogItem& item) -> std::optional<Failure> {
    if (auto error = sums[item.worker].add(*item.log)) return Failure{*error};
    if (auto error = lost_or_partial(*item.log, item.file, fail_partial)) return Failure{*error, true};
    return {};
  };
  auto read = read_many(arguments, {.open = open, .threads = threads}, add);
  for (std::size_t i = 1; i < sums.size(); ++i) sums[0].merge(std::move(sums[i]));
  auto logs = sums[0].logs();
  return {std::move(sums[0]), logs, std::move(read.repeated), std::move(read.failures)};
}

}  // namespace darrow::cli

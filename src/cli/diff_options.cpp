#include <fmt/format.h>

#include <cmath>

#include "cli/command_table.hpp"
#include "cli/names.hpp"
#include "cli/option_values.hpp"

namespace darrow::cli {
namespace {

/// "0.05", "5%".
double share(const std::string& text) {
  const bool percent = text.ends_with('%');
  auto value = number<double>(std::string_view(text).substr(0, text.size() - percent));
  if (!value || !(*value >= 0) || !std::isfinite(*value))
    throw Wrong{fmt::format("\"{}\" is no share, such as 0.05 or 5%", text)};
  const double share = percent ? *value / 100 : *value;
  if (share >= 1)
    throw Wrong{fmt::format("\"{}\" would let everything pass: a share is below 1, such as 0.05 or 5%", text)};
  return share;
}

/// "R" or "NAME=R".
void take_tolerance(const std::string& text, DiffRequest& request) {
  auto equals = text.rfind('=');
  if (equals == text.npos) request.tolerance = share(text);
  else request.diff.tolerances[text.substr(0, equals)] = share(text.substr(equals + 1));
}

}  // namespace

CommandTable diff_table(DiffRequest& request) {
  auto log = [&request](std::string_view name) {
    return path_argument(name, [&request](const std::string& text) { request.logs.push_back(text); });
  };
  CommandTable table;
  table.name = "diff";
  table.summary = "what two logs differ in";
  table.usage = "[OPTION…] A B";
  table.about = R"(A and B are files or pipes, - the standard input (one of them). Compares the job,
metadata and mounts, then of each module the records of the same id and rank:
each counter, heat map bin, stripe and traced access. Prints what differs, as
darshan-parser would print it: after - what A has, after + what B has. A record
that only one log has is printed whole. Equal logs print nothing.
)";
  table.arguments = {log("A"), log("B")};
  std::vector<OptionRow> rows = {
      format_row(request.format),
      {.names = "--tolerance",
       .value = "R",
       .help = "floating point numbers are equal if they are apart by no more than R (0.05, 5%) of the larger one; "
               "NAME=R: a single counter, of any type. Again and with commas",
       .meet = [&request](const std::string& text) { take_tolerance(text, request); },
       .again = true,
       .list = true},
      {.names = "--ignore",
       .value = "NAME",
       .help =
           "do not compare this counter, those that begin so (H5D*), this module (LUSTRE), this fact of the job (uid, "
           "exe, metadata, mounts, …), or a group: times, job, nodes. Again and with commas",
       .meet =
           [&request](const std::string& text) {
             auto* module = text.ends_with('*') ? nullptr : find_module(text);  // a start is one of names
             request.diff.ignore.push_back(module ? std::string(module->name) : text);
           },
       .again = true,
       .list = true},
      {.names = "--only-metrics",
       .value = {},
       .help = "compare the metrics of darrow summary instead, of each module: one line for each that is not within "
               "the tolerance, which is 10% then if --tolerance does not tell (of the larger number: one twice as "
               "large is 50% off)",
       .meet = [&request] { request.only_metrics = true; }},
      {.names = "--compat",
       .value = {},
       .help = "what darshan-diff prints, in its order, with exit code 0: no heat maps, traces, stripes, jobid, "
               "metadata and mounts",
       .meet = [&request] { request.diff.compat = true; }}};
  rows.push_back(strict_row(request.open));
  rows.push_back(fail_partial_row(request));
  rows.push_back(max_region_row(request.open));
  table.sections = {{"Options:", std::move(rows)}};
  table.more = R"(Groups: times is all that the clock has a part in: times, who was slowest, heat
map bins, start and end. job is the job record, metadata and mounts. nodes is
where ranks and threads ran. So two runs of one program with the same input
should be equal with --ignore times,job,nodes.

JSON: {"a", "b", "differences": [{"kind", "module", "rank", "id", "name",
"counter", "a", "b"}]}, ids as text; null: the log does not have it. CSV: a row
a difference. kind is job, metadata, mount, name, module, record, trace, metric.
)";
  table.exits = R"(0 equal; 1 a difference; 2 usage; 3 something was lost or is
untrusted, so that more may differ or less; 4 a log could not be read.
)";
  table.examples = {"darrow diff a.darshan b.darshan",
                    "darrow diff --ignore times,job,nodes before.darshan after.darshan",
                    "darrow diff --tolerance 5% a.darshan b.darshan",
                    "darrow diff --only-metrics --tolerance 20%,bytes_written=0 before.darshan after.darshan",
                    "darrow diff --only-metrics --ignore times before.darshan after.darshan",
                    "darrow diff --format json a.darshan b.darshan | jq '.differences[].counter'"};
  return table;
}

}  // namespace darrow::cli

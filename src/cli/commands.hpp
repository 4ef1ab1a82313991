/// The subcommands and what can be asked of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/convert_choice.hpp"
#include "cli/convert_job.hpp"
#include "cli/name_filter.hpp"
#include "darrow/diff.hpp"
#include "darrow/grouping.hpp"
#include "darrow/log.hpp"
#include "darrow/merge.hpp"
#include "darrow/parser_text.hpp"
#include "darrow/write.hpp"

namespace darrow::cli {

enum class Format : std::uint8_t { table, csv, json };

/// Options of the commands that read logs.
struct LogOptions {
  std::vector<std::string> logs;  ///< paths; "-" is the standard input
  Format format = Format::table;
  OpenOptions open;
  bool fail_partial = false;  ///< a partial module counts as lost data
};

/// What `darrow summary` groups by; with any of these all logs are told in one table.
struct GroupRequest {
  bool is_given = false;  ///< --by, be it by module only
  std::vector<GroupKey> keys;
  std::vector<NamedPattern> patterns;
  NameFilter names;
  std::vector<std::uint64_t> ids;
  std::vector<RankRange> ranks;
  std::string sort;                  ///< a column; empty: bytes
  std::optional<std::size_t> limit;  ///< rows of each module; none: all, or what people look at
  unsigned threads = 0;              ///< 0: as many as there are processors
  bool any() const {
    return is_given || !keys.empty() || !patterns.empty() || !names.empty() || !ids.empty() || !ranks.empty();
  }
};

/// Options of `darrow summary`.
struct SummaryRequest : LogOptions {
  std::vector<std::string> modules;  ///< only these, as people write them; empty: all
  std::vector<std::string> metrics;  ///< only these, or tables of them; empty: all
  bool bottom = false;               ///< POSIX, STDIO and DFS as one layer
  GroupRequest groups;
};

/// Options of `darrow modules`.
struct ModulesOptions {
  std::string name;  ///< a module; empty: all
  Format format = Format::table;
  bool all = false;      ///< every counter, also those that families stand for
  bool metrics = false;  ///< the derived metrics instead of the counters
};

/// Options of `darrow convert`.
struct ConvertRequest {
  std::string in, out;     ///< paths; "-": the standard input, the standard output
  bool overwrite = false;  ///< `out`, if it is there
  OpenOptions open;
  WriteOptions write;
  std::vector<std::pair<const Module*, int>> versions;  ///< of modules that shall not have the newest one
  JobChanges job;
  bool obfuscate_names = false;
  RecordChoice choice;
};

/// Options of `darrow merge`.
struct MergeRequest {
  std::vector<std::string> logs;  ///< as of the commands that read logs
  std::string out;                ///< a path; "-": the standard output
  bool overwrite = false;         ///< `out`, if it is there
  OpenOptions open;
  MergeOptions merge;
};

/// Options of `darrow analyze`.
struct AnalyzeRequest {
  std::vector<std::string> logs;  ///< as of the commands that read logs
  Format format = Format::table;
  OpenOptions open;
  unsigned threads = 0;  ///< 0: as many as there are processors
  bool compat = false;   ///< as darshan-analyzer: its numbers, its text, one directory of which every file counts
};

/// Options of `darrow parse`. `format` has no meaning.
struct ParseRequest : LogOptions {
  ParserTextOptions text;
};

/// Options of `darrow dxt`. `format` has no meaning.
struct DxtRequest : LogOptions {
  DxtTextOptions text;
};

/// Options of `darrow diff`.
struct DiffRequest : LogOptions {
  DiffOptions diff;
  std::optional<double> tolerance;  ///< none: 0, of metrics a tenth
  bool only_metrics = false;
};

// Each does its work and returns the exit code.
int run_info(const LogOptions& options);
int run_summary(const SummaryRequest& options);
int run_modules(const ModulesOptions& options);
int run_convert(const ConvertRequest& request);
int run_merge(const MergeRequest& request);
int run_analyze(const AnalyzeRequest& request);
int run_parse(const ParseRequest& request);
int run_dxt(const DxtRequest& request);
int run_diff(const DiffRequest& request);

}  // namespace darrow::cli

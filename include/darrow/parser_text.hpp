/// The text of darshan-util's darshan-parser and darshan-dxt-parser, corrected or as their builds write it: docs/darshan-util.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "darrow/log.hpp"
#include "darrow/result.hpp"

namespace darrow {

/// A build of darshan-util whose text is to be reproduced.
enum class UtilBuild : std::uint8_t {
  v3_4,    ///< 3.4.0 and before: lists of files, and the labels of that time
  v3_5_0,  ///< the release 3.5.0, with AutoPerf
  main,    ///< the development branch after it, without AutoPerf
};

struct ParserTextOptions {
  bool base = false;                ///< the counters of each record
  bool total = false;               ///< of each module, its records as one
  bool file = false;                ///< numbers of files by what was done with them
  bool perf = false;                ///< performance
  bool file_list = false;           ///< a line for each file; build 3.4 only
  bool file_list_detailed = false;  ///< the same with more columns
  /// Whether a build goes on at a module of which records are missing. Without a build such modules are always shown.
  bool show_incomplete = false;
  bool raw = false;                 ///< names as they are stored, even if TABs or line ends in them break lines apart
  std::optional<UtilBuild> compat;  ///< none: right values, and all modules
};

struct DxtTextOptions {
  bool show_incomplete = false;  ///< as above
  bool raw = false;
  std::optional<UtilBuild> compat;
};

/// Where the text goes, in large pieces, and what there is to say of it, a line at a time.
struct TextOutput {
  std::function<void(std::string_view)> text;
  std::function<void(const std::string&)> complain;
};

/// What became of a text.
enum class TextEnd : std::uint8_t {
  complete,  ///< of all that can be read; damage is told by Log::problems()
  lost,      ///< something could not be read that Log::problems() does not tell of; it was complained about
  stopped,   ///< it ends at a module of which records are missing (with a build, without show_incomplete)
};

/// Writes a log as darshan-parser does. Modules are read in batches: memory goes by the largest of them.
/// Errors: corrupt (with a build: no job record, or damaged names), out_of_memory.
Result<TextEnd> write_parser_text(const Log& log, const ParserTextOptions& options, const TextOutput& output);

/// Writes the traces of a log as darshan-dxt-parser does. Errors: as above.
Result<TextEnd> write_dxt_text(const Log& log, const DxtTextOptions& options, const TextOutput& output);

}  // namespace darrow

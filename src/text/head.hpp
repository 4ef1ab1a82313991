/// What darshan-parser and darshan-dxt-parser write before the modules.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "darrow/log.hpp"
#include "darrow/parser_text.hpp"
#include "text/text_buffer.hpp"

namespace darrow::util_text {

/// What both texts ask of a log.
struct Source {
  const Log& log;
  std::optional<UtilBuild> compat;
  bool raw = false;
  std::vector<ModuleInfo> modules;  ///< by ascending id
  std::vector<Mount> mounts;        ///< longest path first, else in the order of the file
  std::string exe;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::shared_ptr<const Names> names;

  /// Errors: corrupt (see write_parser_text()).
  static Result<Source> open(const Log& log, std::optional<UtilBuild> compat, bool raw);
  /// Text as it is written: unless `raw`, control characters and bytes that are not UTF-8 stand as \xNN.
  std::string shown(std::string_view text) const;
  /// The file system of a name: without a build that of the longest mount whose components begin the name's, with one the first
  /// whose path begins it as text does. Null: none. `position`: of the name in `names`.
  const Mount* mount_of(std::int64_t position) const;
};

/// Job, regions and mounts.
void write_head(const Source& source, TextBuffer& out);
/// The line of stars, the module, the line of stars.
void write_banner(std::string_view module, std::size_t stars, TextBuffer& out);

/// Whether reading a module stopped before its end, as darshan-util sees it: a rest that is no whole record it does not (B15).
bool is_cut(const Log& log, std::string_view module);

/// That records of a module are missing, as comments.
void write_incomplete(std::string_view module, TextBuffer& out);
/// The same for the standard error, when the text stops there.
std::string incomplete_complaint(std::string_view module);

}  // namespace darrow::util_text

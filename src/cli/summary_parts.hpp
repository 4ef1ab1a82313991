/// Sections of the summary for people. Those with nothing to say write nothing.
#pragma once

#include <vector>

#include "cli/summary.hpp"
#include "render/overview.hpp"

namespace darrow::cli {

using render::only_wide, render::RowText, render::rows_of, render::Told, render::wide;

template <typename Condition>
std::vector<RowText> rows_where(const std::vector<RowText>& rows, Condition condition) {
  std::vector<RowText> some;
  for (auto& row : rows)
    if (condition(row)) some.push_back(row);
  return some;
}

/// The file and its job, and a blank line.
void heading_text(const LogSummary& summary, render::Sink& sink, const render::Look& look);
/// Why there is no layer to tell of.
void no_layers_text(const LogSummary& summary, render::Sink& sink, const render::Look& look);
/// The name of a row's module; of the bottom layer its modules: "POSIX + STDIO".
std::string layer_name(const LogSummary& summary, const RowText& row);
/// The same, marked if it is partial or damaged.
std::string marked_name(const LogSummary& summary, const RowText& row);
/// The path of a row's mount, or what stands for it.
std::string mount_name(const RowText& row);
/// How long processes were in calls.
void time_text(const std::vector<RowText>& layers, render::Sink& sink, const render::Look& look);
/// Whether calls were sequential, small, aligned.
void pattern_text(const std::vector<RowText>& layers, render::Sink& sink, const render::Look& look);
/// Files by category: a row each, or without `details` and with many of them a row a module.
void files_text(const Table& categories, bool details, render::Sink& sink, const render::Look& look);
/// Files of the bottom layer by what was done with them, and their sizes.
void file_sizes_text(const Table& categories, render::Sink& sink, const render::Look& look);
/// The histograms of access sizes; without `details` and with many of them without bars.
void access_sizes_text(const Table& sizes, bool details, render::Sink& sink, const render::Look& look);
/// The most common access sizes, a row a module.
void common_sizes_text(const Table& sizes, render::Sink& sink, const render::Look& look);

}  // namespace darrow::cli

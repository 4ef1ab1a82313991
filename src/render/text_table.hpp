/// Tables of text for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/sink.hpp"

namespace darrow::render {

/// What the reader of the text looks at.
struct Look {
  std::size_t width = 0;  ///< cells a line may take; 0: no limit, nothing is shortened (not a terminal)
  bool bold = false;      ///< whether headers may be bold
};

/// `text` in bold if the look allows.
std::string bold(std::string_view text, const Look& look);

enum class Align : std::uint8_t { left, right };
/// What may happen to a column if the table is too wide.
enum class Fit : std::uint8_t {
  keep,
  cut_end,
  cut_middle,
  wrap,   ///< broken over several lines
  below,  ///< the last column only: set on lines of its own below each row
};

struct TextColumn {
  std::string header;
  Align align = Align::left;
  Fit fit = Fit::keep;
  std::size_t least = 12;  ///< cells that are left to it at least (below: else it goes below)
  std::uint8_t spare = 0;  ///< left out if the table is too wide, the highest first, equal ones together; 0: never
};

/// Cells that text is laid out for: the width of the look, or 80 if it has none.
std::size_t layout_width(const Look& look);

/// Columns of text, two blanks apart, under a header. Cells are made printable.
class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}
  /// REQUIRES: as many cells as columns.
  void row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// The columns that render() shows, by their numbers: those that are not left out.
  std::vector<std::size_t> shown(const Look& look, std::size_t indent = 0) const;
  /// Without the header if all headers are empty; `indent` blanks before each line.
  void render(Sink& sink, const Look& look, std::size_t indent = 0) const;
  /// The same, but columns that do not fit side by side stand in further tables below, each with the first `keys` columns.
  void render_blocks(Sink& sink, const Look& look, std::size_t keys, std::size_t indent = 0) const;

 private:
  using Widths = std::vector<std::size_t>;
  using Row = std::vector<std::string>;
  /// The table with some of its columns.
  TextTable only(const std::vector<std::size_t>& kept) const;
  void draw(Sink& sink, const Look& look, std::size_t indent) const;
  Widths natural_widths() const;
  Widths least_widths() const;
  void shrink(Widths& widths, const Look& look, std::size_t indent) const;
  void lines(Sink& sink, const Row& row, const Widths& widths, const Look& look, std::size_t indent, bool header) const;

  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace darrow::render

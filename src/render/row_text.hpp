/// Rows of tables of metrics, as people read them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/table.hpp"
#include "render/text_table.hpp"

namespace darrow::render {

/// One row of a table. Texts of what is null, or no column, are "-".
class RowText {
 public:
  RowText(const Table& table, std::int64_t row) : table_(&table), row_(row) {}

  std::optional<double> number(std::string_view column) const;
  std::optional<std::int64_t> whole(std::string_view column) const;
  bool flag(std::string_view column) const { return whole(column).value_or(0) != 0; }
  /// Empty if it is null.
  std::string_view text(std::string_view column) const;

  std::string count(std::string_view column) const;
  /// The digits of what is no amount, as a rank.
  std::string id(std::string_view column) const;
  std::string bytes(std::string_view column) const;
  std::string seconds(std::string_view column) const;
  std::string rate(std::string_view column) const;
  std::string share(std::string_view column) const;
  std::string ratio(std::string_view column) const;
  /// With all digits.
  std::string exact(std::string_view column) const;

 private:
  std::string shown(std::string_view column, std::string (*format)(double)) const;
  const Table* table_;
  std::int64_t row_;
};
std::vector<RowText> rows_of(const Table& table);

/// A column of a section, and its cell for a row.
struct Told {
  TextColumn column;
  std::function<std::string(const RowText&)> cell;
  std::string remark = {};  ///< what the remark of the section says of it
};
/// From this width on, columns that are spare may be shown that smaller tables would have room for too.
inline constexpr std::size_t wide = 100;
inline constexpr std::uint8_t only_wide = 10;
/// A column as one of the texts of RowText. `spare`: see TextColumn; from only_wide on it needs a wide look.
Told told(std::string header, std::string column, std::string (RowText::*text)(std::string_view) const,
          std::uint8_t spare = 0, std::string remark = {});

/// A table of rows, indented. Columns that tell nothing of any row are left out unless `all`, but never the first.
void tell(const std::vector<Told>& columns, const std::vector<RowText>& rows, Sink& sink, const Look& look,
          bool all = false);
/// A blank line, a title, and a remark behind it or, if there is no room, below.
void begin_section(std::string_view title, std::string_view remark, Sink& sink, const Look& look);
/// The remark of a section: `start`, and what there is to say of the columns that are shown, each once.
std::string remark_of(std::string start, const std::vector<std::string>& remarks);
/// A section that is a table of rows, as tell(); its remark as remark_of().
void tell_section(std::string_view title, std::string start, const std::vector<Told>& columns,
                  const std::vector<RowText>& rows, Sink& sink, const Look& look);
/// A sentence below a table, on as many lines as it takes.
void note(std::string_view text, Sink& sink, const Look& look);

}  // namespace darrow::render

#include "render/row_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "render/number.hpp"
#include "render/table.hpp"
#include "render/text.hpp"
#include "render/units.hpp"

namespace darrow::render {
namespace {

constexpr std::string_view none = "-";

}  // namespace

std::optional<std::int64_t> RowText::whole(std::string_view column) const {
  return render::whole(*table_, column, row_);
}

std::optional<double> RowText::number(std::string_view column) const {
  if (auto real = render::real(*table_, column, row_)) return real;
  return whole(column);
}

std::string_view RowText::text(std::string_view column) const {
  const Column* found = table_->find(column);
  return found && found->valid(row_) ? found->text(row_) : std::string_view();
}

std::string RowText::shown(std::string_view column, std::string (*format)(double)) const {
  auto value = number(column);
  return value ? format(*value) : std::string(none);
}

std::string RowText::count(std::string_view column) const {
  auto value = whole(column);
  return value ? human_count(*value) : std::string(none);
}
std::string RowText::id(std::string_view column) const {
  const Column* found = table_->find(column);
  if (found && found->type == ColumnType::u64 && found->valid(row_))
    return fmt::format("{}", found->values<std::uint64_t>()[static_cast<std::size_t>(row_)]);
  auto value = whole(column);
  return value ? fmt::format("{}", *value) : std::string(none);
}
std::string RowText::bytes(std::string_view column) const { return shown(column, human_bytes); }
std::string RowText::seconds(std::string_view column) const { return shown(column, human_seconds); }
std::string RowText::rate(std::string_view column) const { return shown(column, human_rate); }
std::string RowText::share(std::string_view column) const { return shown(column, human_share); }
std::string RowText::ratio(std::string_view column) const { return shown(column, human_ratio); }

std::string RowText::exact(std::string_view column) const {
  if (auto real = render::real(*table_, column, row_)) return std::string(NumberText(*real));
  if (whole(column)) return count(column);
  auto words = text(column);
  return std::string(words.empty() ? none : words);
}

std::vector<RowText> rows_of(const Table& table) {
  std::vector<RowText> rows;
  for (std::int64_t row = 0; row < table.rows; ++row) rows.emplace_back(table, row);
  return rows;
}

Told told(std::string header, std::string column, std::string (RowText::*text)(std::string_view) const,
          std::uint8_t spare, std::string remark) {
  auto cell = [column = std::move(column), text](const RowText& row) { return (row.*text)(column); };
  return {{.header = std::move(header), .align = Align::right, .spare = spare}, std::move(cell), std::move(remark)};
}

namespace {

constexpr std::size_t indent = 2;

/// A table of rows, and what is to be said of each of its columns.
struct Laid {
  TextTable table;
  std::vector<std::string> remarks;
};

Laid laid_out(const std::vector<Told>& columns, const std::vector<RowText>& rows, const Look& look, bool all) {
  std::vector<TextColumn> shown;
  std::vector<std::string> remarks;
  std::vector<std::vector<std::string>> cells(rows.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].column.spare >= only_wide && layout_width(look) < wide) continue;
    std::vector<std::string> of_rows;
    for (auto& row : rows) of_rows.push_back(columns[c].cell(row));
    bool tells = std::any_of(of_rows.begin(), of_rows.end(), [](auto& cell) { return !cell.empty() && cell != none; });
    if (c > 0 && !tells && !all) continue;
    shown.push_back(columns[c].column);
    remarks.push_back(columns[c].remark);
    for (std::size_t r = 0; r < rows.size(); ++r) cells[r].push_back(std::move(of_rows[r]));
  }
  TextTable table(std::move(shown));
  for (auto& row : cells) table.row(std::move(row));
  return {std::move(table), std::move(remarks)};
}

}  // namespace

void tell(const std::vector<Told>& columns, const std::vector<RowText>& rows, Sink& sink, const Look& look, bool all) {
  laid_out(columns, rows, look, all).table.render(sink, look, indent);
}

std::string remark_of(std::string start, const std::vector<std::string>& remarks) {
  for (auto remark = remarks.begin(); remark != remarks.end(); ++remark) {
    if (remark->empty() || std::find(remarks.begin(), remark, *remark) != remark) continue;
    start += (start.empty() ? "" : "; ") + *remark;
  }
  return start;
}

void tell_section(std::string_view title, std::string start, const std::vector<Told>& columns,
                  const std::vector<RowText>& rows, Sink& sink, const Look& look) {
  auto [table, remarks] = laid_out(columns, rows, look, false);
  std::vector<std::string> said;
  for (auto column : table.shown(look, indent)) said.push_back(remarks[column]);
  begin_section(title, remark_of(std::move(start), said), sink, look);
  table.render(sink, look, indent);
}

void begin_section(std::string_view title, std::string_view remark, Sink& sink, const Look& look) {
  sink.put('\n');
  sink.put(bold(title, look));
  if (remark.empty()) return sink.put('\n');
  bool fits = cells(title) + 2 + cells(remark) <= layout_width(look);
  sink.put(fits ? ": " : "\n");
  if (!fits) return note(remark, sink, look);
  sink.put(remark);
  sink.put('\n');
}

void note(std::string_view text, Sink& sink, const Look& look) {
  for (auto& line : wrap(text, layout_width(look) - 2)) {
    sink.put("  ");
    sink.put(line);
    sink.put('\n');
  }
}

}  // namespace darrow::render

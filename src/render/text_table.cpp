#include "render/text_table.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "render/text.hpp"

namespace darrow::render {
namespace {

constexpr std::size_t gap = 2;

std::vector<std::string> fitted(const std::string& text, Fit fit, std::size_t width) {
  switch (fit) {
    case Fit::keep: break;
    case Fit::cut_end: return {cut_end(text, width)};
    case Fit::cut_middle: return {cut_middle(text, width)};
    case Fit::wrap:
    case Fit::below: return wrap(text, width);
  }
  return {text};
}

}  // namespace

std::size_t layout_width(const Look& look) {
  constexpr std::size_t usual = 80;
  return look.width > 0 ? look.width : usual;
}

std::string bold(std::string_view text, const Look& look) {
  return look.bold ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

void TextTable::row(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  for (auto& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

TextTable::Widths TextTable::natural_widths() const {
  Widths widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = cells(columns_[i].header);
    for (auto& row : rows_) width = std::max(width, cells(row[i]));
    widths.push_back(width);
  }
  return widths;
}

// Takes from the widest columns that may give until a line fits; drops the last one if it goes below.
void TextTable::shrink(Widths& widths, const Look& look, std::size_t indent) const {
  auto total = [&] { return std::accumulate(widths.begin(), widths.end(), indent + gap * (widths.size() - 1)); };
  auto& last = columns_.back();
  if (last.fit == Fit::below && total() - widths.back() + std::min(widths.back(), last.least) > look.width)
    widths.pop_back();
  for (auto surplus = total(); surplus > look.width; --surplus) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (columns_[i].fit != Fit::keep && widths[i] > std::max(columns_[i].least, cells(columns_[i].header)) &&
          (widest == widths.size() || widths[i] > widths[widest]))
        widest = i;
    if (widest == widths.size()) break;
    --widths[widest];
  }
}

// One row; only as many columns as there are widths, what is left goes below.
void TextTable::lines(Sink& sink, const Row& row, const Widths& widths, const Look& look, std::size_t indent,
                      bool header) const {
  std::vector<std::vector<std::string>> parts;
  std::size_t height = 1;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    parts.push_back(fitted(row[i], look.width > 0 ? columns_[i].fit : Fit::keep, widths[i]));
    height = std::max(height, parts.back().size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    std::string out;
    std::size_t blanks = indent;
    for (std::size_t i = 0; i < widths.size(); ++i, blanks += gap) {
      std::string_view part = line < parts[i].size() ? std::string_view(parts[i][line]) : std::string_view();
      std::size_t pad = widths[i] - std::min(widths[i], cells(part));
      if (part.empty()) {
        blanks += widths[i];
        continue;
      }
      if (columns_[i].align == Align::right) blanks += pad;
      out.append(blanks, ' ');
      out += header ? bold(part, look) : part;
      blanks = columns_[i].align == Align::left ? pad : 0;
    }
    sink.put(out);
    sink.put('\n');
  }
  if (widths.size() == row.size() || header) return;
  std::size_t inner = indent + 2 * gap;
  for (auto& line : wrap(row.back(), look.width > inner ? look.width - inner : 0)) {
    sink.fill(inner);
    sink.put(line);
    sink.put('\n');
  }
}

// What each column takes when it has given all that it may.
TextTable::Widths TextTable::least_widths() const {
  auto widths = natural_widths();
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (columns_[i].fit != Fit::keep)
      widths[i] = std::min(widths[i], std::max(columns_[i].least, cells(columns_[i].header)));
  return widths;
}

TextTable TextTable::only(const std::vector<std::size_t>& kept) const {
  std::vector<TextColumn> columns;
  for (auto i : kept) columns.push_back(columns_[i]);
  TextTable part(std::move(columns));
  for (auto& row : rows_) {
    auto& cells = part.rows_.emplace_back();
    for (auto i : kept) cells.push_back(row[i]);
  }
  return part;
}

std::vector<std::size_t> TextTable::shown(const Look& look, std::size_t indent) const {
  auto widths = least_widths();
  std::vector<std::size_t> kept(columns_.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  auto total = [&] {
    std::size_t sum = indent + gap * (kept.size() - 1);
    for (auto i : kept) sum += widths[i];
    return sum;
  };
  while (total() > layout_width(look)) {
    std::uint8_t most = 0;
    for (auto i : kept) most = std::max(most, columns_[i].spare);
    if (most == 0) break;
    std::erase_if(kept, [&](auto i) { return columns_[i].spare == most; });
  }
  return kept;
}

void TextTable::render(Sink& sink, const Look& look, std::size_t indent) const {
  auto kept = shown(look, indent);
  if (kept.size() == columns_.size()) draw(sink, look, indent);
  else only(kept).draw(sink, look, indent);
}

void TextTable::render_blocks(Sink& sink, const Look& look, std::size_t keys, std::size_t indent) const {
  auto widths = least_widths();
  std::vector<std::size_t> key_columns(keys);
  std::iota(key_columns.begin(), key_columns.end(), std::size_t{0});
  std::size_t next = keys;
  do {
    auto kept = key_columns;
    std::size_t used = indent;
    for (auto i : kept) used += widths[i] + gap;
    while (next < columns_.size() && (kept.size() == keys || used + widths[next] <= layout_width(look))) {
      used += widths[next] + gap;
      kept.push_back(next++);
    }
    only(kept).draw(sink, look, indent);
    if (next < columns_.size()) sink.put('\n');
  } while (next < columns_.size());
}

void TextTable::draw(Sink& sink, const Look& look, std::size_t indent) const {
  auto widths = natural_widths();
  if (look.width > 0) shrink(widths, look, indent);
  Row headers;
  for (auto& column : columns_) headers.push_back(column.header);
  if (std::any_of(headers.begin(), headers.end(), [](auto& h) { return !h.empty(); }))
    lines(sink, headers, widths, look, indent, true);
  for (auto& row : rows_) lines(sink, row, widths, look, indent, false);
}

}  // namespace darrow::render

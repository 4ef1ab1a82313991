/// The lines that darshan-parser writes of a record: a counter and its value each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/table.hpp"
#include "modules/parser_text.hpp"
#include "text/number_text.hpp"
#include "text/text_buffer.hpp"

namespace darrow::util_text {

/// A value of a line: a number, or text.
struct LineValue {
  enum class Kind : std::uint8_t { i64, u64, f64, text };
  Kind kind = Kind::i64;
  std::int64_t integer = 0;  ///< u64: its bits
  double real = 0;
  std::string_view words = {};

  /// The bytes that it takes at most.
  std::size_t most() const { return kind == Kind::text ? words.size() : longest_number; }
  /// Writes it; returns the end. REQUIRES: most() bytes at `to`.
  char* put(char* to) const {
    switch (kind) {
      case Kind::i64: return put_integer(to, integer);
      case Kind::u64: return put_integer(to, static_cast<std::uint64_t>(integer));
      case Kind::f64: return put_fixed6(to, real);
      case Kind::text: break;
    }
    if (!words.empty()) std::memcpy(to, words.data(), words.size());
    return to + words.size();
  }
};

/// The counters of a module as lines have them: integers in the order of the layout, then floats.
std::vector<const Field*> line_counters(const Module& module);

/// The columns of a module's table of records that its lines are made of: all but those of its name.
std::vector<std::string> line_columns(const Module& module);

/// Turns the rows of a module's table of records, or of its header record, into lines: counters that are integers in the
/// order of the layout, then floats, and what else the module's ParserText names.
class RecordLines {
 public:
  /// `table`: with all of line_columns(); it has to outlive the lines. `synced`: the header record of the region says that
  /// there are synchronisation times.
  RecordLines(const Table& table, bool synced);
  /// The same for the record that opens a region.
  static RecordLines of_header(const Table& table, bool synced);

  /// Calls line(name, value) for each line of a row. Names and words stay valid during the call only.
  template <typename Function>
  void each(std::int64_t row, Function&& line) const {
    for (const auto& s : scalars_) {
      std::string words;
      line(std::string_view(s.name), value_of(s, row, words));
    }
    each_of_lists(row, line);
  }
  /// Writes the lines of a row: `start`, the name, a TAB, the value, and `end`.
  void write(std::int64_t row, std::string_view start, std::string_view end, TextBuffer& out) const;

 private:
  using Show = ParserLine::Show;
  struct Scalar {
    std::string name;
    const Column* column = nullptr;
    Show show = Show::plain;
    LineValue::Kind kind = LineValue::Kind::i64;  ///< of a plain one
    const void* values = nullptr;                 ///< of a plain number
  };
  struct List {
    std::string_view name;
    const Column* column;
    const Column* count = nullptr;  ///< how many elements have a line; null: all
  };

  RecordLines() = default;
  void add(std::string_view name, const Column* column, Show show);
  void add(std::span<const ParserLine> lines, const Table& table, bool synced);
  static LineValue value_of(const Scalar& scalar, std::int64_t row, std::string& words);

  template <typename Function>
  void each_of_lists(std::int64_t row, Function&& line) const {
    if (components_) each_component(row, line);
    for (const auto& list : lists_) each_element(list, row, line);
  }

  template <typename Function>
  static void each_element(const List& list, std::int64_t row, Function&& line) {
    auto offsets = list.column->offsets.as<std::int32_t>();
    auto r = static_cast<std::size_t>(row);
    auto values = list.column->children[0].values<std::int64_t>();
    std::string name(list.name);
    std::int64_t most = list.count ? list.count->values<std::int64_t>()[r] : INT64_MAX;
    for (std::int32_t i = offsets[r]; i < offsets[r + 1] && i - offsets[r] < most; ++i) {
      name.resize(list.name.size());
      name += std::to_string(i - offsets[r]);
      line(std::string_view(name), LineValue{.integer = values[static_cast<std::size_t>(i)]});
    }
  }

  template <typename Function>
  void each_component(std::int64_t row, Function&& line) const {
    auto offsets = component_list_->offsets.as<std::int32_t>();
    auto r = static_cast<std::size_t>(row);
    const std::int32_t first = offsets[r], last = offsets[r + 1];
    auto elements = component_targets_->offsets.as<std::int32_t>();
    line(components_->count, LineValue{.integer = last - first});
    line(components_->list_count,
         LineValue{.integer = elements[static_cast<std::size_t>(last)] - elements[static_cast<std::size_t>(first)]});
    for (std::int32_t i = first; i < last; ++i) {
      const std::string start = std::string(components_->start) + std::to_string(i - first + 1);
      for (const auto& part : component_parts_) {
        std::string words;
        line(std::string_view(start + part.name), value_of(part, i, words));
      }
      const std::string list = start + std::string(components_->list.name);
      each_element({list, component_targets_}, i, line);
    }
  }

  std::vector<Scalar> scalars_;
  std::vector<List> lists_;
  const ParserComponents* components_ = nullptr;
  const Column *component_list_ = nullptr, *component_targets_ = nullptr;
  std::vector<Scalar> component_parts_;
};

}  // namespace darrow::util_text

/// The records of one module of two logs, side by side.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diff/comparison.hpp"
#include "diff/match.hpp"
#include "diff/row_lines.hpp"
#include "text/row_places.hpp"

namespace darrow::diffing {

class RecordPairs {
 public:
  /// Reads them, of `part`. `order`: in which ids come; ids that are not in it are added. What cannot be read is told.
  RecordPairs(Comparison& comparison, const ModulePair& pair, TableOptions::Part part, IdOrder& order);
  RecordPairs(RecordPairs&&) = default;

  /// Compares all.
  void compare_all();
  /// Compares those of the id with that place in the order. REQUIRES: calls by ascending places.
  void compare_id(std::size_t place);

 private:
  /// The records of one log.
  struct Side {
    Side(const util_text::Source& from, std::shared_ptr<const Table> rows, util_text::RecordLines of_rows);
    /// Takes the values of a row; −1: none.
    void take(std::int64_t r);
    std::uint64_t id(std::int64_t r) const;
    std::int64_t rank(std::int64_t r) const;

    std::shared_ptr<const Table> table;
    util_text::RecordLines lines;
    util_text::RowPlaces places;
    std::vector<const Column*> others = {};  ///< columns of which no line tells
    RowLines row = {};
  };

  bool compat() const { return comparison_->rules().compat(); }
  std::optional<Side> side(const util_text::Source& source, const ModuleInfo* info, TableOptions::Part part) const;
  void skip_other_versions();
  std::size_t place_of(const RowPair& rows) const;
  bool is_looked_at(const std::string& name) const;
  void compare(const RowPair& rows);
  void compare_values(const Side& present, std::int64_t row, const HeldLine* a, const HeldLine* b);

  Comparison* comparison_;
  const Module* module_;
  const IdOrder* order_;
  ModulePair pair_;
  NameGroups groups_;
  std::set<std::string> of_one_version_, counters_;
  std::optional<Side> a_, b_;
  std::vector<RowPair> pairs_;
  std::size_t next_ = 0;
  std::int64_t skipped_ = 0;
};

}  // namespace darrow::diffing

/// The parts of an Accumulator: what one counter, or counters that belong together, have come to in each group.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "aggregate/groups.hpp"
#include "aggregate/rows.hpp"
#include "aggregate/state.hpp"

namespace darrow {

/// Columns of the aggregate, by the position of the field in the module's table.
struct Outcome {
  explicit Outcome(const Groups& groups, std::size_t fields);
  bool none_empty;                                 ///< whether each group has a record
  Buffer zeros;                                    ///< 8 bytes a group: columns that are 0 everywhere share them
  std::vector<std::optional<Column>> values;       ///< a row a group
  std::vector<std::vector<std::int64_t>> missing;  ///< empty: nowhere
  std::vector<Column> lists;                       ///< behind the counters
};

class Reducer {
 public:
  virtual ~Reducer() = default;
  /// Makes room for that many groups.
  virtual void resize(std::size_t groups) = 0;
  virtual void add(const Rows& rows, const Groups& groups) = 0;
  /// Adds another of the same making: its group g to into[g]. `first`: records seen before those of `other`.
  virtual void merge(const Reducer& other, std::span<const std::uint32_t> into, std::int64_t first) = 0;
  virtual void write(StateWriter& state) const = 0;
  /// Reads as many groups as resize() was told; `groups` were read before. Fails if no records could have made them.
  virtual void read(StateReader& state, const Groups& groups) = 0;
  virtual void finish(const Groups& groups, Outcome& outcome) const = 0;

  /// Values left out because they cannot be true, and sums that do not fit.
  std::int64_t rejected = 0;
  virtual std::int64_t overflows() const { return 0; }
  /// The counter that stands for it in messages.
  virtual const Field& field() const = 0;
};

/// Every reducer that the module's table asks for.
std::vector<std::unique_ptr<Reducer>> make_reducers(const Module& module);

// One for each kind of rule. `position`: of the field in module.fields.
std::unique_ptr<Reducer> count_sum(const Module& module, std::size_t position);
std::unique_ptr<Reducer> time_sum(const Module& module, std::size_t position);
std::unique_ptr<Reducer> extreme(const Module& module, std::size_t position);  ///< max, min, start, end, flag
std::unique_ptr<Reducer> same_value(const Module& module, std::size_t position);
std::unique_ptr<Reducer> max_with(const Module& module, const Group& group);
std::unique_ptr<Reducer> rank_extreme(const Module& module, const Group& group);  ///< fastest, slowest
std::unique_ptr<Reducer> rank_variance(const Module& module, const Group& group);
std::unique_ptr<Reducer> common_values(const Module& module, const Group& group);
std::unique_ptr<Reducer> list_sum(const Module& module, const Repeat& repeat);

}  // namespace darrow

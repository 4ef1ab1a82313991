/// The values of one key, numbered in the order of their first appearance.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "darrow/grouping.hpp"
#include "group/pattern_set.hpp"

namespace darrow {

class Key {
 public:
  virtual ~Key() = default;
  /// The columns that it is made of.
  virtual std::vector<std::string> columns() const = 0;
  /// The number of each row's value. `positions`: of each row's name, for keys that were made with names of a log.
  /// Error: invalid_argument.
  virtual std::optional<Error> number(const Table& rows, std::span<const std::int64_t> positions,
                                      std::span<std::uint32_t> numbers) = 0;
  /// Adds the columns that tell the values with these numbers.
  virtual void tell(std::span<const std::uint32_t> numbers, std::vector<Column>& columns) const = 0;
};

using OfLog = Grouping::OfLog;
/// `several_depths`: directories are grouped to more than one. REQUIRES: the key is no pattern.
std::unique_ptr<Key> make_key(const GroupKey& key, bool several_depths, const OfLog& log);

// One for each kind of key.
std::unique_ptr<Key> make_file_key(const OfLog& log);
std::unique_ptr<Key> make_name_part_key(const GroupKey& key, bool several_depths, const OfLog& log);  ///< dir, ext
std::unique_ptr<Key> make_job_key(GroupKey::Kind kind, const OfLog& log);  ///< job, exe, uid, day
std::unique_ptr<Key> make_host_key(const OfLog& log);
std::unique_ptr<Key> make_text_key(std::string column);    ///< a column of texts
std::unique_ptr<Key> make_column_key(std::string column);  ///< a column of whatever type it turns out to have

/// Compiled patterns, and their names.
struct Patterns {
  explicit Patterns(std::vector<NamedPattern> named);
  std::vector<std::string> names;
  PatternSet set;
};

/// Names by the patterns that are in them: a value is a set of patterns.
class PatternKey : public Key {
 public:
  /// The patterns of a value.
  virtual const std::vector<int>& patterns_of(std::uint32_t number) const = 0;
  /// A column of pattern names: those at `positions`, −1: null.
  virtual Column names(std::span<const int> positions) const = 0;
};
std::unique_ptr<PatternKey> make_pattern_key(std::shared_ptr<const Patterns> patterns, const OfLog& log);

}  // namespace darrow

/// What records are grouped by: files, ranks, patterns in names, mounts, directories, jobs, or columns of one's own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "darrow/hosts.hpp"
#include "darrow/job.hpp"
#include "darrow/names.hpp"
#include "darrow/pattern.hpp"
#include "darrow/result.hpp"
#include "darrow/table.hpp"

namespace darrow {

/// One thing to group by.
struct GroupKey {
  enum class Kind : std::uint8_t {
    file,     ///< the record's id; told with its name
    rank,     ///< −1: shared by all ranks
    pattern,  ///< each of several regular expressions that are in the name; null: none of them
    mount,    ///< path of the mount that the file lies on; null: not known
    fs,       ///< its type
    dir,      ///< the directory of the file, to a depth; null: the name has none
    ext,      ///< what stands behind the last dot of the file's name; null: nothing
    column,   ///< the values of a column of the table
    // of the job
    job,   ///< each log; told with its path, job id, user, program, processes and times
    exe,   ///< program: the command line without its arguments
    uid,   ///< user id
    day,   ///< on which it started, in UTC: "2025-07-31"
    host,  ///< the node of the record's rank, see Log::hosts(); null: not known, or several
  };
  Kind kind = Kind::file;
  int depth = 0;       ///< of dir: at least 1
  std::string column;  ///< of column: its name

  /// "file", "rank", "pattern", "mount", "fs", "dir:2", "ext"; what is none of these is a column.
  /// Error: invalid_argument for dir without a depth above 0, and for nothing.
  static Result<GroupKey> parse(std::string_view text);
  /// The same for records of logs: also "job", "exe", "uid", "day", "host", but no columns.
  static Result<GroupKey> parse_of_logs(std::string_view text);
};

struct NamedPattern {
  std::string name;
  Pattern pattern;
};

/// Numbers the groups of records, batch by batch, in the order of their first appearance.
///
/// Every row is of one group, also if several patterns are in its name: then it is of the group of just these patterns, and
/// `Groups` tells how to put such groups together. Memory: for each group, and about 40 bytes for each distinct id if names
/// are looked into.
class Grouping {
 public:
  /// Patterns are a key of their own, behind the others unless a key says where.
  explicit Grouping(std::vector<GroupKey> keys, std::vector<NamedPattern> patterns = {});
  Grouping(Grouping&&) noexcept;
  Grouping& operator=(Grouping&&) noexcept;
  ~Grouping();
  /// What is known of a log beside its tables.
  struct OfLog {
    std::string path;
    const Job* job = nullptr;                      ///< null: not known
    std::shared_ptr<const Names> names = nullptr;  ///< names come from here instead of from a column, which is faster
    std::shared_ptr<const Hosts> hosts = nullptr;  ///< null: not known
  };
  /// Another one by the same keys, without groups, for records of that log.
  Grouping of_log(const OfLog& log) const;
  /// Whether any key is of that kind.
  bool has(GroupKey::Kind kind) const;

  /// An error (invalid_argument) if two keys tell a column of the same name; number() tells it too.
  std::optional<Error> check() const;
  /// The columns of a table that the keys are made of.
  std::vector<std::string> columns() const;
  /// The group of each row. `positions`: of each row's name in the names that of_log() was given; if empty they are looked up.
  /// Error: invalid_argument if a column is missing, or holds what cannot be a key (lists).
  Result<std::vector<std::uint32_t>> number(const Table& rows, std::span<const std::int64_t> positions = {});
  /// Groups so far, as number() gives them.
  std::size_t size() const;

  class Groups;
  /// What the groups stand for. REQUIRES: the grouping stays, and numbers no more rows, while they are used.
  Groups groups() const;

  struct State;  ///< internal

 private:
  explicit Grouping(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

/// Groups as they are told: where patterns overlap, others than those that rows were numbered by.
class Grouping::Groups {
 public:
  std::size_t size() const { return size_; }
  /// The keys of groups: `id` and `name`, `rank`, `pattern`, `mount`, `fs_type`, `dir`, `ext`, or the column; a row for each of
  /// `numbers`, or for all.
  Table keys(std::span<const std::uint32_t> numbers) const;
  Table keys() const;
  /// How groups as numbered come together: one after the other, all of them have to be merged into group rounds[i][g]; what
  /// is merged into group size() is left out. Empty: groups are as they were numbered.
  const std::vector<std::vector<std::uint32_t>>& rounds() const { return rounds_; }

 private:
  friend class Grouping;
  const State* state_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::vector<std::uint32_t>> rounds_;
  // Of overlapping patterns, for each group: the numbers of its values, key by key, and which pattern it is.
  std::vector<std::vector<std::uint32_t>> values_;
  std::vector<int> patterns_;
};

}  // namespace darrow

/// Rows of one table of many logs, put together until a batch is full.
#pragma once

#include <deque>
#include <memory>

#include "scan/scan_table.hpp"
#include "table/append.hpp"

namespace darrow {

/// Most that a batch shall have.
struct BatchLimit {
  std::int64_t rows;
  std::size_t bytes;  ///< of columns, about
};

/// The log whose rows come next.
struct RowOrigin {
  std::string log;  ///< UTF-8
  std::optional<std::int64_t> jobid;
};

class BatchBuilder {
 public:
  /// `columns`: as columns_of() gives them; `log`, `jobid`: whether the table has these in front.
  BatchBuilder(std::shared_ptr<const Table> columns, bool log, bool jobid, BatchLimit limit);

  /// Adds rows of one log. Full batches go to `out`; a table that is large already goes there as it is.
  void add(const Table& table, const RowOrigin& origin, std::deque<std::shared_ptr<const Table>>& out);
  /// Hands out what is left, if there are rows.
  void flush(std::deque<std::shared_ptr<const Table>>& out);
  /// Bytes of the rows that are kept.
  std::size_t bytes() const { return bytes_; }
  /// All columns, without rows.
  std::shared_ptr<const Table> schema() const;

 private:
  /// Where each column lies in such a table.
  void find_columns(const Table& table);
  void append(const Table& table, std::int64_t begin, std::int64_t end, const RowOrigin& origin);
  bool fits(const Table& table, std::int64_t begin, std::int64_t end) const;
  /// The table with `log` and `jobid`: nothing else is made.
  std::shared_ptr<const Table> as_it_is(const Table& table, const RowOrigin& origin);
  Table empty_table() const;

  std::shared_ptr<const Table> columns_;
  BatchLimit limit_;
  std::optional<ColumnAppender> log_, jobid_;
  std::vector<ColumnAppender> appenders_;
  std::vector<std::size_t> places_;
  std::int64_t rows_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace darrow

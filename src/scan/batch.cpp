#include "scan/batch.hpp"

#include <algorithm>
#include <utility>

namespace darrow {
namespace {

Column log_column() {
  Column c;
  c.name = "log";
  c.type = ColumnType::dictionary;
  return c;
}

Column jobid_column() {
  Column c;
  c.name = "jobid";
  c.type = ColumnType::i64;
  return c;
}

std::size_t bytes_of(const Column& c) {
  std::size_t bytes = c.validity.size + c.offsets.size + c.data.size;
  for (const auto& child : c.children) bytes += bytes_of(child);
  return c.dictionary ? bytes + bytes_of(*c.dictionary) : bytes;
}

}  // namespace

BatchBuilder::BatchBuilder(std::shared_ptr<const Table> columns, bool log, bool jobid, BatchLimit limit)
    : columns_(std::move(columns)), limit_(limit) {
  if (log) log_.emplace(log_column());
  if (jobid) jobid_.emplace(jobid_column());
  appenders_.reserve(columns_->columns.size());
  for (const auto& c : columns_->columns) appenders_.emplace_back(c);
}

Table BatchBuilder::empty_table() const {
  Table t;
  t.name = columns_->name;
  t.module = columns_->module;
  return t;
}

std::shared_ptr<const Table> BatchBuilder::schema() const {
  Table t = empty_table();
  if (log_) t.columns.push_back(ColumnAppender(log_column()).finish());
  if (jobid_) t.columns.push_back(ColumnAppender(jobid_column()).finish());
  for (const auto& c : columns_->columns) t.columns.push_back(c);
  return std::make_shared<const Table>(std::move(t));
}

void BatchBuilder::find_columns(const Table& table) {
  places_.clear();
  std::size_t at = 0;
  for (const auto& c : columns_->columns) {
    while (at < table.columns.size() && table.columns[at].name != c.name) ++at;
    places_.push_back(at++);
  }
}

bool BatchBuilder::fits(const Table& table, std::int64_t begin, std::int64_t end) const {
  for (std::size_t i = 0; i < appenders_.size(); ++i)
    if (!appenders_[i].fits(table.columns[places_[i]], begin, end)) return false;
  return true;
}

void BatchBuilder::append(const Table& table, std::int64_t begin, std::int64_t end, const RowOrigin& origin) {
  const std::string_view log = origin.log;
  if (log_) log_->append_text(&log, end - begin);
  if (jobid_) jobid_->append_number(origin.jobid ? &*origin.jobid : nullptr, end - begin);
  for (std::size_t i = 0; i < appenders_.size(); ++i) appenders_[i].append(table.columns[places_[i]], begin, end);
  rows_ += end - begin;
}

std::shared_ptr<const Table> BatchBuilder::as_it_is(const Table& table, const RowOrigin& origin) {
  Table out = empty_table();
  out.rows = table.rows;
  const std::string_view log = origin.log;
  if (log_) {
    ColumnAppender logs(log_column());
    logs.append_text(&log, table.rows);
    out.columns.push_back(logs.finish());
  }
  if (jobid_) {
    ColumnAppender jobids(jobid_column());
    jobids.append_number(origin.jobid ? &*origin.jobid : nullptr, table.rows);
    out.columns.push_back(jobids.finish());
  }
  for (auto place : places_) out.columns.push_back(table.columns[place]);
  return std::make_shared<const Table>(std::move(out));
}

void BatchBuilder::add(const Table& table, const RowOrigin& origin, std::deque<std::shared_ptr<const Table>>& out) {
  if (table.rows == 0) return;
  find_columns(table);
  std::size_t bytes = 16;  // of log and jobid
  for (auto place : places_) bytes += bytes_of(table.columns[place]);
  const bool is_large = table.rows == limit_.rows ? rows_ == 0 : bytes >= limit_.bytes / 2;
  if (is_large && bytes <= 2 * limit_.bytes && table.rows <= limit_.rows) {
    flush(out);
    out.push_back(as_it_is(table, origin));
    return;
  }
  const std::size_t bytes_a_row = bytes / static_cast<std::size_t>(table.rows) + 1;
  for (std::int64_t begin = 0; begin < table.rows;) {
    const std::size_t room = limit_.bytes > bytes_ ? (limit_.bytes - bytes_) / bytes_a_row : 0;
    const auto by_bytes = static_cast<std::int64_t>(std::min<std::size_t>(room, INT64_MAX / 2));
    const std::int64_t n = std::max<std::int64_t>(1, std::min({table.rows - begin, limit_.rows - rows_, by_bytes}));
    if (rows_ > 0 && !fits(table, begin, begin + n)) flush(out);
    append(table, begin, begin + n, origin);
    bytes_ += bytes_a_row * static_cast<std::size_t>(n);
    begin += n;
    if (rows_ >= limit_.rows || bytes_ >= limit_.bytes || (begin < table.rows && by_bytes <= n)) flush(out);
  }
}

void BatchBuilder::flush(std::deque<std::shared_ptr<const Table>>& out) {
  if (rows_ == 0) return;
  Table t = empty_table();
  t.rows = std::exchange(rows_, 0);
  bytes_ = 0;
  if (log_) t.columns.push_back(log_->finish());
  if (jobid_) t.columns.push_back(jobid_->finish());
  for (auto& appender : appenders_) t.columns.push_back(appender.finish());
  out.push_back(std::make_shared<const Table>(std::move(t)));
}

}  // namespace darrow

#include "scan/state.hpp"

#include <algorithm>

#include "base/guarded.hpp"
#include "base/utf8.hpp"
#include "scan/log_tables.hpp"

namespace darrow {
namespace {

constexpr std::size_t default_batch_bytes = std::size_t{8} << 20;
/// All batches that are being put together have at most this many times the bytes of one.
constexpr std::size_t most_batches = 4;
/// So many become rows in one step.
constexpr std::int64_t names_at_once = 1 << 15;

}  // namespace

ChosenColumns choose(const std::vector<std::string>& columns) {
  ChosenColumns chosen;
  if (columns.empty()) return chosen;
  chosen.log = std::ranges::count(columns, "log") > 0;
  chosen.jobid = std::ranges::count(columns, "jobid") > 0;
  chosen.others.emplace();
  for (const auto& c : columns)
    if (c != "log" && c != "jobid") chosen.others->push_back(c);
  return chosen;
}

Scan::State::State(std::vector<std::string> log_paths, ScanOptions scan_options)
    : logs(std::move(log_paths)),
      options(std::move(scan_options)),
      filter_(options.ids, options.pattern, options.names) {
  if (options.batch_bytes == 0) options.batch_bytes = default_batch_bytes;
  if (options.batch_rows <= 0) options.batch_rows = INT64_MAX;
}

std::optional<Error> Scan::State::add_output(const ScanTable& table, const ChosenColumns& columns) {
  auto schema = columns_of(table, columns.others);
  if (!schema) return schema.error();
  Output output{&table,
                {},
                false,
                BatchBuilder(*schema, columns.log, columns.jobid,
                             {options.batch_rows, static_cast<std::size_t>(options.batch_bytes)})};
  output.options.part = table.part;
  if (columns.others) output.options.columns = *columns.others;
  if (columns.others && columns.others->empty()) output.options.columns = {"id"};  // for the number of rows
  if (table.part != TableOptions::Part::header) output.options.ranks = options.ranks;
  wants_metrics |= !table.module && table.of_log == LogTable::metrics;
  if (table.module && table.module->shape == Shape::segments && table.part == TableOptions::Part::rows)
    output.options.time = options.time;
  output.regions = std::ranges::any_of((*schema)->columns, [](const Column& c) { return needs_regions(c.name); });
  outputs.push_back(std::move(output));
  return {};
}

Result<std::shared_ptr<const Table>> Scan::State::next(const std::function<void()>& meanwhile) {
  while (ready_.empty() && !is_over) {
    if (meanwhile) meanwhile();
    auto stepped = guarded(log_ ? log_->path() : "", [&]() -> Result<bool> {
      if (auto failure = step()) return *failure;
      return true;
    });
    if (stepped) continue;
    is_over = true;
    ready_.clear();
    reader_.reset();
    close_log();
    return stepped.error();
  }
  if (ready_.empty()) return std::shared_ptr<const Table>();
  auto batch = std::move(ready_.front());
  ready_.pop_front();
  return batch;
}

std::optional<Error> Scan::State::step() {
  if (log_ && output_ < outputs.size()) {
    Output& output = outputs[output_];
    return reader_ ? go_on(output) : begin_table(output);
  }
  close_log();
  if (next_log_ < logs.size()) return open_next();
  for (const auto& table : scan_tables())
    for (auto& output : outputs)
      if (output.table == &table) output.batch.flush(ready_);
  is_over = true;
  return {};
}

ScanCounters Scan::State::counters() const {
  ScanCounters all = counts;
  if (!log_) return all;
  const ReadCounters read = log_->counters();
  all.read.bytes_inflated += read.bytes_inflated;
  all.read.columns_decoded += read.columns_decoded;
  all.read.records_copied += read.records_copied;
  return all;
}

void Scan::State::close_log() {
  counts = counters();
  sums_.reset();
  log_.reset();
}

std::optional<Error> Scan::State::open_next() {
  const std::string& path = logs[next_log_++];
  auto log = Log::open(path, {.strict = options.strict, .max_region_bytes = options.max_region_bytes});
  if (!log) {
    if (options.strict && log.error().code == ErrorCode::corrupt) return log.error();
    failures.push_back({next_log_ - 1, log.error()});
    return {};
  }
  ++counts.logs_opened;
  log_ = *log;
  origin_ = {.log = escape_utf8(path), .jobid = {}};
  if (log_->job()) origin_.jobid = log_->job()->jobid;
  ids_of_log_.reset();
  known_.clear();
  sums_.reset();
  if (wants_metrics) sums_.emplace(*log_);
  output_ = 0;
  name_ = 0;
  return {};
}

std::optional<Error> Scan::State::lost(Error error) {
  if (error.code != ErrorCode::out_of_memory) return error;
  failures.push_back({next_log_ - 1, std::move(error)});
  reader_.reset();
  ++output_;
  return {};
}

void Scan::State::deliver(Output& output, const Table& table) {
  output.batch.add(table, origin_, ready_);
  std::size_t bytes = 0;
  for (const auto& o : outputs) bytes += o.batch.bytes();
  if (bytes <= most_batches * options.batch_bytes) return;
  auto largest = std::ranges::max_element(outputs, {}, [](const Output& o) { return o.batch.bytes(); });
  largest->batch.flush(ready_);
}

std::optional<Error> Scan::State::begin_table(Output& output) {
  if (output.table->module) return begin_module(output);
  if (output.table->of_log == LogTable::names) return add_names(output);
  auto table = guarded(log_->path(), [&] { return table_of_log(output); });
  if (!table) return lost(table.error());
  deliver(output, *table);
  ++output_;
  return {};
}

std::optional<Error> Scan::State::add_names(Output& output) {
  auto names = log_->names();
  if (!names) return lost(names.error());
  const std::int64_t end = std::min((*names)->size(), name_ + names_at_once);
  deliver(output, names_of(names->get(), filter_, name_, end));
  name_ = end;
  if (end == (*names)->size()) ++output_;
  return {};
}

std::optional<Error> Scan::State::begin_module(Output& output) {
  const ModuleInfo* info = log_->module(output.table->module->name);
  if (!info || (info->status != ModuleStatus::readable && !options.strict)) {
    ++output_;
    return {};
  }
  TableOptions wanted = output.options;
  if (wanted.part != TableOptions::Part::header) {
    auto ids = wanted_ids();
    if (!ids) return lost(ids.error());
    if (*ids && (*ids)->empty() && !options.strict) {  // damage is no error: the region need not be looked at
      ++output_;
      return {};
    }
    wanted.ids = std::move(*ids);
  }
  BatchSize size{.bytes = options.batch_bytes / 2};
  if (options.batch_rows < INT64_MAX) size.rows = options.batch_rows;
  auto reader = log_->open_scan(info->name, wanted, size);
  if (!reader) return lost(reader.error());
  reader_ = std::move(*reader);
  if (sums_up(output)) sums_->begin(*info);
  return go_on(output);
}

bool Scan::State::sums_up(const Output& output) const {
  return sums_ && !filters_rows() && output.table->part == TableOptions::Part::rows &&
         output.table->module->instead.empty();
}

std::optional<Error> Scan::State::go_on(Output& output) {
  auto table = reader_->next();
  if (!table) return lost(table.error());
  if (*table) {
    if (sums_up(output))
      if (auto e = sums_->add(**table)) return lost(*e);
    deliver(output, **table);
    return {};
  }
  if (sums_up(output)) sums_->end();
  if (!filters_rows() && !output.options.time && output.options.columns.empty())
    known_.push_back(
        {.id = output.table->module->id, .inflated = reader_->region_bytes(), .records = reader_->records()});
  reader_.reset();
  ++output_;
  return {};
}

Result<Table> Scan::State::table_of_log(const Output& output) {
  switch (output.table->of_log) {
    case LogTable::jobs: return jobs_of(log_.get());
    case LogTable::modules: return modules_of(log_.get(), output.regions, known_);
    case LogTable::mounts: return mounts_of(log_.get());
    case LogTable::metadata: return metadata_of(log_.get());
    case LogTable::problems:
      if (auto e = read_rest(*log_, known_)) return *e;
      return problems_of(log_.get());
    case LogTable::names:
    case LogTable::metrics: break;
  }
  return metrics_of(log_.get(), &*sums_);
}

Result<NameFilter::Ids> Scan::State::wanted_ids() {
  if (!ids_of_log_) {
    auto ids = filter_.ids_of(*log_);
    if (!ids) return ids.error();
    ids_of_log_ = std::move(*ids);
  }
  return ids_of_log_;
}

}  // namespace darrow

#include "log/record_reader.hpp"

#include <algorithm>

#include "modules/fixups.hpp"
#include "modules/tables.hpp"

namespace darrow {
namespace {

RowFilter filter_of(const TableOptions& options) {
  RowFilter filter;
  if (options.ids) filter.ids.emplace(options.ids->begin(), options.ids->end());
  filter.keep = options.keep;
  filter.time = options.time;
  if (options.ranks) filter.ranks.emplace(options.ranks->begin(), options.ranks->end());
  return filter;
}

}  // namespace

RecordReader::RecordReader(Log::State& state, const ModuleInfo& info, const TableOptions& options,
                           const Selection& selection, bool read, bool whole)
    : state_(state),
      info_(info),
      options_(options),
      filter_(filter_of(options)),
      read_(read),
      sink_(info.name, info.name, found_),
      checks_(state.job),
      upstream_{.swapped = state.header.swapped()},
      region_(read ? state.stream(info.id, whole, sink_) : RegionStream()),
      region_bytes_(region_.is_whole() ? static_cast<std::size_t>(*region_.rest()) : SIZE_MAX) {
  for (const auto& m : state.modules)
    if (m.module == &tables::h5f) upstream_.h5f_version = static_cast<int>(m.version);
  int version = info.length > 0 ? static_cast<int>(info.version) : info.module->current();
  decoder_.emplace(*info.module, version, state.header.swapped(), region_, selection, filter_, sink_);
  if (read) state.counts.columns_decoded += decoder_->columns();
}

RecordReader::~RecordReader() { state_.counts.bytes_inflated += region_.inflated() + region_.counted(); }

Records RecordReader::next(Slice most) {
  Records records = decoder_->next(most);
  // What is decoded goes at once, so that what is made of it may take its place.
  if (decoder_->done()) region_.close();
  if (options_.upstream_values) spoil_before_fixups(records, upstream_);
  if (info_.module->shape == Shape::records || options_.part == TableOptions::Part::rows)
    apply_fixups(records, counts_);
  if (options_.upstream_values) spoil_after_fixups(records, upstream_);
  mark_nulls(records);
  checks_.add(records, counts_);
  records_ += records.new_rows();
  state_.counts.records_copied += static_cast<std::uint64_t>(
      most.split && !records.elements.empty() ? records.elements[0].offsets.back() : records.rows);
  return records;
}

std::optional<Error> RecordReader::finish() {
  // What the values tell is told of whole regions only: counts of a part, or of wrong values, would say something else.
  const bool whole = filter_.all() && !options_.upstream_values;
  if (whole) counts_.report(sink_);
  state_.remember(info_.id, found_);
  if (whole) {
    std::lock_guard lock(state_.mutex);
    state_.records[info_.id] = records_;
  }
  return state_.strict_error(info_.id, found_);
}

bool RecordReader::is_damaged() const {
  return std::any_of(found_.begin(), found_.end(), [](const Problem& p) { return p.is_damage(); });
}

}  // namespace darrow

#include "write/module_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/invalid_argument.hpp"
#include "modules/fixups.hpp"
#include "write/table_records.hpp"

namespace darrow {
namespace {

/// What was left out for a version that lacks it, such as "thread ids of 5 segments".
std::string expended(const Module& module, int version, std::int64_t count) {
  std::vector<std::string> names;
  auto look = [&](std::span<const Field> fields) {
    for (const auto& f : fields)
      if (f.expendable && !f.in(version)) names.push_back(std::string(f.label()) + "s");
  };
  look(module.fields);
  for (const auto& repeat : module.repeats) look(repeat.fields);
  auto text = fmt::format("{}", fmt::join(names, ", "));
  std::ranges::replace(text, '_', ' ');
  std::string_view of = module.shape == Shape::segments ? "segment" : "record";
  return fmt::format("{} of {} {}{}", text, count, of, count == 1 ? "" : "s");
}

}  // namespace

ModuleWriter::ModuleWriter(const Module& module, int version, bool expend, std::optional<Release> target, bool swap,
                           const Job& job)
    : module_(module), version_(version), target_(target), swap_(swap), checks_(job) {
  if (version_ != 0) encoder_.emplace(module, version_, swap, expend);
}

std::optional<Error> ModuleWriter::choose_version(const Records& records) {
  version_ = natural_version(records);
  bool expend = false;
  if (target_) {
    int newest = newest_version(module_, *target_);
    if (newest == 0)
      return invalid_argument(module_.name, fmt::format("release {}.{}.{} does not know this module", (*target_)[0],
                                                        (*target_)[1], (*target_)[2]));
    expend = newest < version_;
    version_ = std::min(version_, newest);
  }
  encoder_.emplace(module_, version_, swap_, expend);
  return {};
}

std::optional<Error> ModuleWriter::add(Records records) {
  if (records.rows == 0) {  // nothing that could decide the version
    if (version_ == 0) empty_version_ = target_ ? newest_version(module_, *target_) : natural_version(records);
    return {};
  }
  if (!encoder_)
    if (auto e = choose_version(records)) return e;
  checks_.add(records, counts_);
  for (auto id : records.columns[0].values<std::uint64_t>()) ids_.insert(id);
  std::int64_t rows = records.rows;
  if (auto why = undo_fixups(records, version_); !why.empty()) return invalid_argument(module_.name, why);
  if (auto e = encoder_->add(records, region_)) return e;
  records_ += rows;
  return {};
}

std::optional<Error> ModuleWriter::add_header(const Records& header) {
  if (records_ > 0 || has_header_) return invalid_argument(module_.name, "the header record comes first, and once");
  if (!encoder_) {
    version_ = module_.current();
    encoder_.emplace(module_, version_, swap_);
  }
  has_header_ = true;
  auto e = encoder_->add_header(header, region_);
  header_bytes_ = region_.size();
  return e;
}

Result<Buffer> ModuleWriter::finish() {
  if (encoder_ && records_ > 0)
    if (auto e = encoder_->check_size(region_.size() - header_bytes_)) return *e;
  return std::move(region_).freeze();
}

void ModuleWriter::report(ProblemSink& sink) const {
  counts_.report(sink);
  if (std::int64_t left_out = encoder_ ? encoder_->expended() : 0)
    sink.add(ProblemKind::value_left_out,
             fmt::format("{} are left out: version {} has no place for them", expended(module_, version_, left_out),
                         version_),
             left_out);
}

}  // namespace darrow

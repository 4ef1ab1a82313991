#include "modules/fixups.hpp"

#include <algorithm>
#include <cstring>

#include "base/memory.hpp"
#include "modules/lustre_fixup.hpp"
#include "modules/tables.hpp"

namespace darrow {
namespace {

template <typename T>
std::span<const T> values(const Column& c) {
  return c.values<T>();
}

void replace(Column& c, const std::vector<std::int64_t>& values) {
  NewBuffer out(values.size() * sizeof(std::int64_t));
  if (!values.empty()) std::memcpy(out.data, values.data(), out.size);
  c.data = out.buffer();
  c.all_zero = false;
  c.length = static_cast<std::int64_t>(values.size());
}

/// POSIX version 1 also counted streams: records that were opened as streams mix both and are dropped.
void drop_stream_records(Records& records, ProblemCounts& problems) {
  const Column* fopens = records.find("POSIX_FOPENS");
  if (!fopens) return;
  std::vector<std::size_t> kept;
  auto counts = values<std::int64_t>(*fopens);
  for (std::size_t r = 0; r < counts.size(); ++r)
    if (counts[r] <= 0) kept.push_back(r);
  if (kept.size() == counts.size()) return;
  auto dropped = static_cast<std::int64_t>(counts.size() - kept.size());
  for (auto& c : records.columns) {  // all are 8 bytes wide
    auto words = c.data.as<std::int64_t>();
    std::vector<std::int64_t> rows;
    rows.reserve(kept.size());
    for (auto r : kept) rows.push_back(words[r]);
    replace(c, rows);
  }
  records.rows = static_cast<std::int64_t>(kept.size());
  problems.add(ProblemKind::records_dropped, dropped,
               "records of version 1 with stream data (FOPENS > 0): {} left out, as the format demands");
}

/// PnetCDF files of version 1 and 2 counted independent and collective opens only.
void add_up_opens(Records& records, ProblemCounts& problems) {
  Column *opens = records.find("PNETCDF_FILE_OPENS"), *independent = records.find("PNETCDF_INDEP_OPENS"),
         *collective = records.find("PNETCDF_COLL_OPENS");
  if (!opens || !independent || !collective) return;
  std::vector<std::int64_t> sums;
  auto a = values<std::uint64_t>(*independent), b = values<std::uint64_t>(*collective);
  for (std::size_t r = 0; r < a.size(); ++r) sums.push_back(static_cast<std::int64_t>(a[r] + b[r]));
  replace(*opens, sums);
  problems.add(ProblemKind::value_upconverted, records.rows, "opens are the sum of independent and collective opens");
}

/// DXT_MPIIO version 1 stored offsets that mean nothing.
void forget_offsets(Records& records, ProblemCounts& problems) {
  Elements* segments = records.find_elements("segments");
  Column* offsets = nullptr;
  if (segments)
    for (auto& c : segments->columns)
      if (c.field->name == "offset") offsets = &c;
  if (!offsets) return;
  replace(*offsets, std::vector<std::int64_t>(static_cast<std::size_t>(offsets->length), -1));
  problems.add(ProblemKind::value_upconverted, records.new_rows(), "version 1 has no valid offsets: they are missing");
}

constexpr int last_without_offsets = 1;  // of DXT_MPIIO

struct Fixup {
  const Module* module;
  int first, last;  ///< versions it applies to
  void (*apply)(Records&, ProblemCounts&);
};

const Fixup fixups[] = {
    {&tables::posix, 1, 1, drop_stream_records},
    {&tables::pnetcdf_file, 1, 2, add_up_opens},
    {&tables::dxt_mpiio, 1, last_without_offsets, forget_offsets},
    {&tables::lustre, 1, 1, lustre_single_component},
    {&tables::lustre, 2, 255, lustre_assign_targets},
};

/// Layouts of version 1 hold what tables do not have.
std::string lustre_collect(Records& records, int version) {
  if (version < 2) return "version 1 stores facts of the file system that tables do not have";
  lustre_collect_targets(records);
  return {};
}

/// Version 1 of DXT_MPIIO is read without its offsets.
std::string dxt_without_offsets(Records& records, int version) {
  if (version > 1) return {};
  const Column* offsets = records.elements[0].find("offset");
  auto stored = values<std::int64_t>(*offsets);
  bool any = std::any_of(stored.begin(), stored.end(), [](auto v) { return v != -1; });
  return any ? "offsets of version 1 are not read: they would be lost" : "";
}

struct Undo {
  const Module* module;
  std::string (*apply)(Records&, int);
};

const Undo undos[] = {{&tables::lustre, lustre_collect}, {&tables::dxt_mpiio, dxt_without_offsets}};

}  // namespace

bool trace_has_offsets(const Module& module, int version) {
  return &module != &tables::dxt_mpiio || version > last_without_offsets;
}

std::string contradiction(const Records& records) {
  return records.module == &tables::lustre ? lustre_contradiction(records) : "";
}

std::string undo_fixups(Records& records, int version) {
  for (const auto& u : undos)
    if (u.module == records.module) return u.apply(records, version);
  return {};
}

void apply_fixups(Records& records, ProblemCounts& problems) {
  for (const auto& f : fixups)
    if (f.module == records.module && f.first <= records.version && records.version <= f.last)
      f.apply(records, problems);
}

}  // namespace darrow

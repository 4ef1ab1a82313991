#include "modules/upstream_values.hpp"

#include <cstring>
#include <string>

#include "base/byte_order.hpp"
#include "base/memory.hpp"
#include "modules/tables.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

/// Calls `change(word)` for each 8-byte value of a column, which may be null.
template <typename Change>
void for_words(Column* c, Change change) {
  if (!c) return;
  NewBuffer out(c->data.size);
  auto words = c->data.as<std::uint64_t>();
  for (std::size_t i = 0; i < words.size(); ++i) out.as<std::uint64_t>()[i] = change(words[i]);
  c->data = out.buffer();
  c->all_zero = false;
}

void swap_words(Column* c) {
  for_words(c, [](std::uint64_t v) { return byte_swap(v); });
}

void set_zero(Column* c) {
  for_words(c, [](std::uint64_t) { return std::uint64_t{0}; });
}

/// A1: the conversion of POSIX version 3 copies two floats too few, ...
void lose_variances(Records& records, UpstreamReading) {
  for (auto name : {"POSIX_F_VARIANCE_RANK_TIME", "POSIX_F_VARIANCE_RANK_BYTES"}) set_zero(records.find(name));
}

/// ... and that of version 2 four: what is not copied is 0.
void lose_rank_times(Records& records, UpstreamReading reading) {
  for (auto name : {"POSIX_F_FASTEST_RANK_TIME", "POSIX_F_SLOWEST_RANK_TIME"}) set_zero(records.find(name));
  lose_variances(records, reading);
}

/// A2: three floats of POSIX before version 4 keep the byte order of the log.
void leave_times_unswapped(Records& records, UpstreamReading reading) {
  if (!reading.swapped) return;
  for (auto name : {"POSIX_F_META_TIME", "POSIX_F_MAX_READ_TIME", "POSIX_F_MAX_WRITE_TIME"})
    swap_words(records.find(name));
}

/// A5: opens of PNETCDF_FILE versions 1 and 2 are added before swapping, and the sum is swapped.
void add_opens_unswapped(Records& records, UpstreamReading reading) {
  Column *independent = records.find("PNETCDF_INDEP_OPENS"), *collective = records.find("PNETCDF_COLL_OPENS");
  if (!reading.swapped || !independent || !collective) return;
  auto a = independent->values<std::uint64_t>(), b = collective->values<std::uint64_t>();
  std::size_t row = 0;
  for_words(records.find("PNETCDF_FILE_OPENS"), [&](std::uint64_t) {
    std::uint64_t sum = byte_swap(a[row]) + byte_swap(b[row]);
    ++row;
    return byte_swap(sum);
  });
}

/// A6: whether a POSIX record of version 1 counted streams, and is dropped, is decided before swapping.
void decide_on_streams_unswapped(Records& records, UpstreamReading reading) {
  if (reading.swapped) swap_words(records.find("POSIX_FOPENS"));
}

/// A7: whether H5D records have a file id that needs swapping is decided by the version of H5F.
void leave_file_ids_unswapped(Records& records, UpstreamReading reading) {
  if (reading.swapped && reading.h5f_version < 2) swap_words(records.find("file_rec_id"));
}

/// A8: the threads of DXT segments are never swapped.
void leave_threads_unswapped(Records& records, UpstreamReading reading) {
  Elements* segments = records.find_elements("segments");
  Column* threads = segments ? segments->find("pthread_id") : nullptr;
  if (reading.swapped && threads && threads->field->in(records.version)) swap_words(threads);
}

/// A9: DAOS ids, which are bytes, are swapped: their 16 bytes come out in reverse.
void reverse_uuids(Records& records, UpstreamReading reading) {
  if (!reading.swapped) return;
  for (auto name : {"pool_uuid", "cont_uuid"}) {
    Column* c = records.find(name);
    if (!c) continue;
    TextBuilder texts{c->name};
    for (std::int64_t r = 0; r < c->length; ++r) {
      std::string digits, text;
      for (char d : c->text(r))
        if (d != '-') digits += d;
      for (std::size_t i = digits.size(); i >= 2; i -= 2) {
        text.append(digits, i - 2, 2);
        if (text.size() == 8 || text.size() == 13 || text.size() == 18 || text.size() == 23) text += '-';
      }
      texts.add_valid(text);
    }
    const Field* field = c->field;
    *c = std::move(texts).finish();
    c->field = field;
  }
}

struct Slip {
  const Module* module;
  int first, last;  ///< versions it concerns
  void (*apply)(Records&, UpstreamReading);
};

const Slip before_fixups[] = {{&tables::posix, 1, 1, decide_on_streams_unswapped}};
const Slip after_fixups[] = {
    {&tables::posix, 3, 3, lose_variances},
    {&tables::posix, 2, 2, lose_rank_times},
    {&tables::posix, 1, 3, leave_times_unswapped},
    {&tables::pnetcdf_file, 1, 2, add_opens_unswapped},
    {&tables::h5d, 2, 2, leave_file_ids_unswapped},
    {&tables::dxt_posix, 2, 255, leave_threads_unswapped},
    {&tables::dxt_mpiio, 3, 255, leave_threads_unswapped},
    {&tables::dfs, 1, 255, reverse_uuids},
    {&tables::daos, 1, 255, reverse_uuids},
};

void apply(std::span<const Slip> slips, Records& records, UpstreamReading reading) {
  for (const auto& s : slips)
    if (s.module == records.module && s.first <= records.version && records.version <= s.last)
      s.apply(records, reading);
}

}  // namespace

void spoil_before_fixups(Records& records, UpstreamReading reading) { apply(before_fixups, records, reading); }
void spoil_after_fixups(Records& records, UpstreamReading reading) { apply(after_fixups, records, reading); }

}  // namespace darrow

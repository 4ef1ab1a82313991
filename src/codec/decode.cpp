#include "codec/decode.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/byte_order.hpp"
#include "base/memory.hpp"
#include "codec/transpose.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

Column new_column(const Field& f, std::size_t rows) {
  Column c;
  c.name = f.label();
  c.type = column_type(f.type);
  c.length = static_cast<std::int64_t>(rows);
  c.field = &f;
  return c;
}

/// "8-4-4-4-12" hexadecimal digits of 16 bytes in file order.
std::string uuid_text(const std::byte* at) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", std::to_integer<unsigned>(at[i]));
  }
  return text;
}

std::string_view padded_text(const std::byte* at, std::size_t width) {
  std::string_view text(reinterpret_cast<const char*>(at), width);
  return text.substr(0, text.find('\0'));
}

/// Makes a column of each placed field: numbers by `fill_numbers`, texts from `record_at(row)`, in every bit if `as_stored`.
/// `spare`: a block to use again.
template <typename Fill, typename At>
std::vector<Column> make_columns(std::span<const PlacedField> fields, std::size_t rows, std::size_t last_text_bytes,
                                 bool as_stored, Defaults& defaults, std::shared_ptr<Block>& spare, Fill fill_numbers,
                                 At record_at) {
  std::size_t bytes = 0;
  for (const auto& f : fields)
    if (f.offset && f.field->is_number()) bytes += align_up(rows * f.field->width);
  Arena arena(bytes, spare);
  arena.use_huge_pages(rows * sizeof(std::int64_t));
  std::vector<Gather> gathers;
  std::vector<Column> columns;
  for (const auto& f : fields) {
    Column c = new_column(*f.field, rows);
    if (!f.offset) {
      c.data = defaults.of(*f.field, rows);
    } else if (f.field->is_number()) {
      std::size_t size = rows * f.field->width;
      std::byte* out = arena.take(size);
      gathers.push_back({*f.offset, out, static_cast<std::uint8_t>(f.field->width)});
      c.data = arena.buffer(out, size);
    } else {
      TextBuilder texts{std::string(f.field->label())};
      std::size_t width = &f == &fields.back() && last_text_bytes ? last_text_bytes : f.field->width;
      for (std::size_t r = 0; r < rows; ++r) {
        const std::byte* at = record_at(r) + *f.offset;
        if (f.field->type == Type::uuid) texts.add_valid(uuid_text(at));
        else if (as_stored) texts.add_valid(padded_text(at, width));
        else texts.add(padded_text(at, width));
      }
      c = std::move(texts).finish();
      c.field = f.field;
    }
    columns.push_back(std::move(c));
  }
  fill_numbers(gathers, arena.zeroed());
  auto gather = gathers.begin();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!fields[i].offset || !fields[i].field->is_number()) continue;
    if (gather->all_zero) {
      if (!arena.zeroed()) columns[i].data = defaults.zeros(rows);
      columns[i].all_zero = true;
    }
    ++gather;
  }
  return columns;
}

/// Whether a list behind the records is counted by this field.
bool is_count(const Field& f, const Module& module) {
  for (const auto& r : module.repeats)
    for (auto count : r.counts)
      if (count == f.name) return true;
  return false;
}

/// Old, hidden and selected fields, and those that count what follows.
std::vector<PlacedField> wanted(std::vector<PlacedField> fields, const Module& module, const Selection& selection) {
  std::erase_if(fields, [&](const PlacedField& f) {
    return f.field->in(module.current()) && !f.field->hidden && !is_count(*f.field, module) &&
           !selection.has(f.field->label());
  });
  return fields;
}

bool wants(const Module& module, const Selection& selection, std::span<const PlacedRepeat> repeats) {
  if (!selection.lists()) return false;
  for (const auto& r : repeats) {
    if (selection.has(r.repeat->name)) return true;
    for (const auto& f : r.repeat->fields)
      if (selection.has(f.label())) return true;
  }
  // What old versions store as another list may be part of what was asked for.
  for (const auto& r : module.repeats)
    if (selection.has(r.name)) return true;
  return module.shape == Shape::segments;
}

}  // namespace

Decoder::Decoder(const Module& module, int version, bool swap, RegionStream& region, const Selection& selection,
                 const RowFilter& filter, ProblemSink& problems)
    : module_(module), version_(version), swap_(swap), as_stored_(selection.as_stored()), region_(region) {
  if (!module.header.empty()) decode_header(problems);
  const std::size_t size = module.other_text_bytes ? static_cast<std::size_t>(region.count_rest()) : 0;
  auto [record_bytes, text_bytes] = record_width(module, version, size);
  text_bytes_ = text_bytes;
  fields_ = with_base(wanted(place(module.fields, version, module.current(), record_base_bytes), module, selection));
  repeats_ = place_repeats(module, version);
  if (wants(module, selection, repeats_))
    for (const auto& r : repeats_) {
      auto fields = place(r.repeat->fields, version, module.current(), 0);
      if (module.shape == Shape::segments) fields = wanted(std::move(fields), module, selection);
      element_fields_.push_back(std::move(fields));
    }
  const bool heads_only = !repeats_.empty() && element_fields_.empty();
  walker_.emplace(region, record_bytes, repeats_, swap, filter,
                  heads_only ? Walker::Take::fixed_parts : Walker::Take::records, timed(filter), problems);
}

std::optional<TimedElements> Decoder::timed(const RowFilter& filter) const {
  if (!filter.time || module_.shape != Shape::segments) return {};
  TimedElements timed{.window = *filter.time};
  for (const auto& f : place(repeats_[0].repeat->fields, version_, module_.current(), 0)) {
    if (f.field->name == "start_time") timed.start = *f.offset;
    if (f.field->name == "end_time") timed.end = *f.offset;
  }
  return timed;
}

std::size_t Decoder::columns() const {
  std::size_t columns = 0;
  auto count = [&](const std::vector<PlacedField>& fields) {
    for (const auto& f : fields) columns += f.offset.has_value();
  };
  count(fields_);
  for (const auto& fields : element_fields_) count(fields);
  return columns;
}

void Decoder::decode_header(ProblemSink& problems) {
  header_.module = &module_;
  header_.version = version_;
  auto fields = with_base(place(module_.header, version_, module_.current(), record_base_bytes));
  std::size_t size = record_base_bytes + stored_bytes(module_.header, version_);
  auto bytes = region_.peek(size);
  if (bytes.size() == size) {
    auto magic = load<std::int64_t>(bytes.data() + record_base_bytes, swap_);
    if (magic == module_.header_magic) header_.rows = 1;
    else
      problems.at_inflated(ProblemKind::header_record_missing, 0,
                           fmt::format("the region opens with {:#x}, its header record {:#x} was expected", magic,
                                       module_.header_magic));
  }
  auto rows = static_cast<std::size_t>(header_.rows);
  std::shared_ptr<Block> none;
  header_.columns = make_columns(
      fields, rows, 0, as_stored_, defaults_, none,
      [&](std::span<Gather> g, bool zeroed) { transpose(bytes.data(), rows, size, swap_, zeroed, g); },
      [&](std::size_t) { return bytes.data(); });
  if (rows) region_.skip(size);
}

/// Elements of one list: they lie behind their record, behind the lists before.
Elements Decoder::decode_elements(const Walk& w, std::size_t k) {
  Elements e;
  e.repeat = repeats_[k].repeat;
  e.offsets = w.elements[k];
  for (const auto& placed : w.runs[k]) e.runs.push_back(placed.run);
  auto total = static_cast<std::size_t>(e.offsets.back());
  std::size_t size = repeats_[k].element_bytes;
  auto run = w.runs[k].begin();
  std::size_t begin = 0;                  // number of the first element of the run
  auto element_at = [&](std::size_t i) {  // called with ascending i, from 0 again for each column
    if (i == 0) {
      run = w.runs[k].begin();
      begin = 0;
    }
    for (; i - begin >= static_cast<std::size_t>(run->run.count); ++run)
      begin += static_cast<std::size_t>(run->run.count);
    return w.bytes + run->at + (i - begin) * size;
  };
  auto fill = [&](std::span<Gather> gathers, bool zeroed) {
    std::vector<Gather> shifted(gathers.begin(), gathers.end());
    for (const auto& placed : w.runs[k]) {
      auto n = static_cast<std::size_t>(placed.run.count);
      transpose(w.bytes + placed.at, n, size, swap_, zeroed, shifted);
      for (auto& g : shifted) {
        if (g.all_zero && !zeroed) std::memset(g.out, 0, n * g.width);
        g.out += n * g.width;
      }
    }
  };
  std::shared_ptr<Block> none;
  e.columns = make_columns(element_fields_[k], total, 0, as_stored_, defaults_, none, fill, element_at);
  return e;
}

Records Decoder::next(Slice most) {
  Walk w = walker_->next(most);
  Records records;
  records.module = &module_;
  records.version = version_;
  records.rows = static_cast<std::int64_t>(w.rows);
  records.continued = w.continued;
  records.columns = make_columns(
      fields_, w.rows, text_bytes_, as_stored_, defaults_, spare_,
      [&](std::span<Gather> gathers, bool zeroed) {
        if (w.stride) transpose(w.rows ? w.record(0) : nullptr, w.rows, w.stride, swap_, zeroed, gathers);
        else transpose(w.bytes, w.starts, swap_, zeroed, gathers);
      },
      [&](std::size_t r) { return w.record(r); });
  for (std::size_t k = 0; k < element_fields_.size(); ++k) records.elements.push_back(decode_elements(w, k));
  walker_->release();
  return records;
}

}  // namespace darrow

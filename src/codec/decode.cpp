#include "codec/decode.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/byte_order.hpp"
#include "base/memory.hpp"
#include "codec/transpose.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

using Bytes = std::span<const std::byte>;

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

Decoder::Decoder(const Module& module, int version, bool swap, Bytes region, const Selection& selection,
                 const RowFilter& filter, ProblemSink& problems)
    : module_(module), version_(version), swap_(swap), as_stored_(selection.as_stored()), region_(region) {
  std::size_t begin = 0;
  if (!module.header.empty()) decode_header(begin, problems);
  auto [record_bytes, text_bytes] = record_width(module, version, region.size() - begin);
  text_bytes_ = text_bytes;
  fields_ = with_base(wanted(place(module.fields, version, module.current(), record_base_bytes), module, selection));
  repeats_ = place_repeats(module, version);
  if (wants(module, selection, repeats_))
    for (const auto& r : repeats_) {
      auto fields = place(r.repeat->fields, version, module.current(), 0);
      if (module.shape == Shape::segments) fields = wanted(std::move(fields), module, selection);
      element_fields_.push_back(std::move(fields));
    }
  walker_.emplace(region, begin, record_bytes, repeats_, swap, filter, problems);
}

void Decoder::decode_header(std::size_t& begin, ProblemSink& problems) {
  header_.module = &module_;
  header_.version = version_;
  auto fields = with_base(place(module_.header, version_, module_.current(), record_base_bytes));
  std::size_t size = record_base_bytes + stored_bytes(module_.header, version_);
  if (region_.size() >= size) {
    auto magic = load<std::int64_t>(region_.data() + record_base_bytes, swap_);
    if (magic == module_.header_magic) {
      header_.rows = 1;
      begin = size;
    } else {
      problems.at_inflated(ProblemKind::header_record_missing, 0,
                           fmt::format("the region opens with {:#x}, its header record {:#x} was expected", magic,
                                       module_.header_magic));
    }
  }
  auto rows = static_cast<std::size_t>(header_.rows);
  std::shared_ptr<Block> none;
  header_.columns = make_columns(
      fields, rows, 0, as_stored_, defaults_, none,
      [&](std::span<Gather> g, bool zeroed) { transpose(region_.data(), rows, size, swap_, zeroed, g); },
      [&](std::size_t) { return region_.data(); });
}

/// Elements of one list: they lie behind their record, behind the lists before.
Elements Decoder::decode_elements(const Walk& w, std::size_t k) {
  Elements e;
  e.repeat = repeats_[k].repeat;
  e.offsets = w.elements[k];
  auto total = static_cast<std::size_t>(e.offsets.back());
  std::size_t size = repeats_[k].element_bytes;
  auto run_begin = [&](std::size_t r) {
    std::size_t at = w.starts[r] + w.fixed_bytes;
    for (std::size_t j = 0; j < k; ++j)
      at += static_cast<std::size_t>(w.elements[j][r + 1] - w.elements[j][r]) * repeats_[j].element_bytes;
    return region_.data() + at;
  };
  std::size_t record = 0;
  auto element_at = [&](std::size_t i) {  // called with ascending i, from 0 again for each column
    if (i == 0) record = 0;
    while (static_cast<std::int64_t>(i) >= e.offsets[record + 1]) ++record;
    return run_begin(record) + (i - static_cast<std::size_t>(e.offsets[record])) * size;
  };
  auto fill = [&](std::span<Gather> gathers, bool zeroed) {
    std::vector<Gather> shifted(gathers.begin(), gathers.end());
    for (std::size_t r = 0; r < w.rows; ++r) {
      auto n = static_cast<std::size_t>(e.offsets[r + 1] - e.offsets[r]);
      if (n == 0) continue;
      transpose(run_begin(r), n, size, swap_, zeroed, shifted);
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
  records.columns = make_columns(
      fields_, w.rows, text_bytes_, as_stored_, defaults_, spare_,
      [&](std::span<Gather> gathers, bool zeroed) {
        if (w.stride) transpose(region_.data() + w.begin, w.rows, w.stride, swap_, zeroed, gathers);
        else transpose(region_.data(), w.starts, swap_, zeroed, gathers);
      },
      [&](std::size_t r) { return region_.data() + (w.stride ? w.begin + r * w.stride : w.starts[r]); });
  for (std::size_t k = 0; k < element_fields_.size(); ++k) records.elements.push_back(decode_elements(w, k));
  return records;
}

}  // namespace darrow

#include "codec/encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/invalid_argument.hpp"
#include "base/utf8.hpp"
#include "codec/scatter.hpp"
#include "codec/walk.hpp"

namespace darrow {
namespace {

const Column* find(const std::vector<Column>& columns, const Field& field) {
  for (const auto& c : columns)
    if (c.field == &field) return &c;
  return nullptr;
}

std::string value_text(const Column& c, std::size_t row) {
  switch (c.type) {
    case ColumnType::u64: return fmt::to_string(c.values<std::uint64_t>()[row]);
    case ColumnType::f64: return fmt::to_string(c.values<double>()[row]);
    case ColumnType::i64: return fmt::to_string(c.values<std::int64_t>()[row]);
    default: return "?";
  }
}

/// The stored form of "nothing" in a field of 8 bytes.
std::uint64_t absent_bits(const Field& f) {
  return f.type == Type::f64 ? std::bit_cast<std::uint64_t>(static_cast<double>(f.absent))
                             : static_cast<std::uint64_t>(f.absent);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = static_cast<char>(c | 0x20);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// Stores "8-4-4-4-12" hexadecimal digits as 16 bytes; no text at all is all zeros. False if it is neither.
bool store_uuid(std::string_view text, std::byte* out) {
  if (text.empty()) return true;
  int digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '-' && (i == 8 || i == 13 || i == 18 || i == 23)) continue;
    int digit = hex_digit(text[i]);
    if (digit < 0 || digits == 32) return false;
    out[digits / 2] |= static_cast<std::byte>(digits % 2 ? digit : digit << 4);
    ++digits;
  }
  return digits == 32;
}

}  // namespace

Encoder::Encoder(const Module& module, int version, bool swap, bool expend)
    : module_(module),
      version_(version),
      swap_(swap),
      expend_(expend),
      has_gaps_(
          std::any_of(module.fields.begin(), module.fields.end(), [](const Field& f) { return !f.is_number(); }) ||
          !module.repeats.empty()) {}

/// Fields that the version does not store, of records or of their elements, have to be as absent.
std::optional<Error> Encoder::check_absent(const std::vector<Column>& columns, std::span<const Field> fields) {
  for (const auto& f : fields) {
    const Column* c = find(columns, f);
    if (!c || f.in(version_) || !f.in(module_.current()) || f.hidden) continue;
    auto values = c->data.as<std::uint64_t>().first(static_cast<std::size_t>(c->length));
    auto is_there = [absent = absent_bits(f)](std::uint64_t v) { return v != absent; };
    if (expend_ && f.expendable) {
      expended_ += std::count_if(values.begin(), values.end(), is_there);
      continue;
    }
    auto lost = std::find_if(values.begin(), values.end(), is_there);
    if (lost == values.end()) continue;
    auto row = static_cast<std::size_t>(lost - values.begin());
    return invalid_argument(module_.name, fmt::format("version {} cannot hold {}, which is {} in row {}", version_,
                                                      f.label(), value_text(*c, row), row));
  }
  return {};
}

/// Values that have to be there, are.
std::optional<Error> Encoder::check_nulls(const std::vector<Column>& columns) const {
  for (const auto& c : columns) {
    if (c.null_count == 0 || !c.field || c.field->takes_null() || !c.field->in(version_)) continue;
    std::int64_t row = 0;
    while (c.valid(row)) ++row;
    return invalid_argument(module_.name, fmt::format("column {}, row {}: null, a value is needed", c.name, row));
  }
  return {};
}

std::optional<Error> Encoder::check_counts(const Records& records) const {
  for (const auto& e : records.elements) {
    if (!e.repeat->in(version_)) continue;
    std::vector<std::span<const std::int64_t>> counts;
    for (auto name : e.repeat->counts)
      if (const Field* f = find_field(module_.fields, name))
        if (const Column* c = find(records.columns, *f)) counts.push_back(c->values<std::int64_t>());
    for (std::size_t r = 0; r < static_cast<std::size_t>(records.rows); ++r) {
      std::int64_t there = e.offsets[r + 1] - e.offsets[r], told = 0;
      bool possible = true;
      for (auto count : counts) {
        possible &= count[r] >= 0 && count[r] <= there;
        if (possible) told += count[r];
      }
      if (possible && std::max<std::int64_t>(told, e.repeat->at_least) == there) continue;
      std::string stated;
      for (std::size_t i = 0; i < counts.size(); ++i)
        stated += fmt::format("{}{} is {}", i ? " and " : "", e.repeat->counts[i], counts[i][r]);
      return invalid_argument(module_.name,
                              fmt::format("record {}: {} elements of {}, but {}", r, there, e.repeat->name, stated));
    }
  }
  return {};
}

/// Width of the last field, if it is text that some writers made wider.
std::size_t Encoder::last_text_bytes(const Records& records) const {
  if (module_.other_text_bytes == 0) return 0;
  const Field& last = module_.fields.back();
  if (const Column* c = find(records.columns, last))
    for (std::int64_t r = 0; r < c->length; ++r)
      if (c->text(r).size() > last.width) return module_.other_text_bytes;
  return last.width;
}

/// Stores the placed fields of `rows` records: numbers by `store_numbers`, texts at `record_at(row)`.
template <typename Store, typename At>
std::optional<Error> Encoder::store_fields(std::span<const PlacedField> fields, const std::vector<Column>& columns,
                                           std::size_t rows, Store store_numbers, At record_at) {
  std::vector<Scatter> numbers;
  std::vector<Buffer> defaults;
  for (const auto& placed : fields) {
    if (!placed.offset) continue;
    const Field& f = *placed.field;
    const Column* c = find(columns, f);
    if (f.is_number()) {
      if (!c && f.absent_is_null)
        return invalid_argument(module_.name,
                                fmt::format("version {} stores {}, which tables do not have", version_, f.name));
      if (!c) defaults.push_back(defaults_.of(f, rows));
      numbers.push_back({*placed.offset, c ? c->data.data : defaults.back().data, static_cast<std::uint8_t>(f.width)});
      continue;
    }
    if (!c) continue;
    std::size_t width = &f == &module_.fields.back() && text_bytes_ ? text_bytes_ : f.width;
    for (std::size_t r = 0; r < rows; ++r) {
      auto text = c->text(static_cast<std::int64_t>(r));
      std::byte* at = record_at(r) + *placed.offset;
      if (f.type == Type::uuid) {
        if (!store_uuid(text, at))
          return invalid_argument(
              module_.name, fmt::format("column {}, row {}: \"{}\" is no UUID of 32 hexadecimal digits", c->name, r,
                                        escape_utf8(text.substr(0, 80))));
      } else if (text.size() > width || text.find('\0') != text.npos) {
        return invalid_argument(module_.name,
                                fmt::format("column {}, row {}: text of {} bytes{}, {} fit", c->name, r, text.size(),
                                            text.find('\0') != text.npos ? " with a NUL" : "", width));
      } else {
        std::copy(text.begin(), text.end(), reinterpret_cast<char*>(at));
      }
    }
  }
  store_numbers(numbers);
  return {};
}

std::optional<Error> Encoder::store_elements(const Elements& e, std::size_t element_bytes,
                                             const std::vector<std::size_t>& begins, std::byte* region) {
  auto fields = place(e.repeat->fields, version_, module_.current(), 0);
  std::size_t record = 0;
  auto element_at = [&](std::size_t i) {  // called with ascending i, from 0 again for each column
    if (i == 0) record = 0;
    while (static_cast<std::int64_t>(i) >= e.offsets[record + 1]) ++record;
    return region + begins[record] + (i - static_cast<std::size_t>(e.offsets[record])) * element_bytes;
  };
  auto store_numbers = [&](std::span<const Scatter> numbers) {
    std::vector<Scatter> shifted(numbers.begin(), numbers.end());
    for (std::size_t r = 0; r < begins.size(); ++r) {
      auto n = static_cast<std::size_t>(e.offsets[r + 1] - e.offsets[r]);
      if (n == 0) continue;
      scatter(shifted, region + begins[r], n, element_bytes, swap_);
      for (auto& s : shifted) s.in += n * s.width;
    }
  };
  return store_fields(fields, e.columns, static_cast<std::size_t>(e.offsets.back()), store_numbers, element_at);
}

std::optional<Error> Encoder::add(const Records& records, GrowingBytes& out) {
  if (auto e = check_absent(records.columns, module_.fields)) return e;
  if (auto e = check_nulls(records.columns)) return e;
  for (const auto& elements : records.elements) {
    if (auto e = check_absent(elements.columns, elements.repeat->fields)) return e;
    if (auto e = check_nulls(elements.columns)) return e;
  }
  if (auto e = check_counts(records)) return e;
  if (text_bytes_ == 0 && records.rows > 0) text_bytes_ = last_text_bytes(records);

  auto rows = static_cast<std::size_t>(records.rows);
  auto fields = with_base(place(module_.fields, version_, module_.current(), record_base_bytes));
  std::size_t fixed_bytes = record_base_bytes + stored_bytes(module_.fields, version_);
  if (text_bytes_) fixed_bytes += text_bytes_ - module_.fields.back().width;

  // Where each record and each of its lists begins.
  std::vector<std::uint64_t> starts;
  auto repeats = place_repeats(module_, version_);
  std::vector<const Elements*> lists;
  std::vector<std::vector<std::size_t>> begins(repeats.size());
  for (const auto& placed : repeats) {
    auto list = std::find_if(records.elements.begin(), records.elements.end(),
                             [&](const Elements& e) { return e.repeat == placed.repeat; });
    if (list == records.elements.end())
      return invalid_argument(module_.name,
                              fmt::format("version {} stores {}, which is missing", version_, placed.repeat->name));
    lists.push_back(&*list);
  }
  std::size_t size = rows * fixed_bytes;
  if (!repeats.empty()) {
    size = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      starts.push_back(size);
      size += fixed_bytes;
      for (std::size_t k = 0; k < repeats.size(); ++k) {
        begins[k].push_back(size);
        size += static_cast<std::size_t>(lists[k]->offsets[r + 1] - lists[k]->offsets[r]) * repeats[k].element_bytes;
      }
    }
  }

  std::byte* region = has_gaps_ ? out.extend(size) : out.extend_unset(size);
  auto record_at = [&](std::size_t r) { return region + (repeats.empty() ? r * fixed_bytes : starts[r]); };
  auto store_numbers = [&](std::span<const Scatter> numbers) {
    if (repeats.empty()) scatter(numbers, region, rows, fixed_bytes, swap_);
    else scatter(numbers, region, starts, swap_);
  };
  if (auto e = store_fields(fields, records.columns, rows, store_numbers, record_at)) return e;
  for (std::size_t k = 0; k < repeats.size(); ++k)
    if (auto e = store_elements(*lists[k], repeats[k].element_bytes, begins[k], region)) return e;
  return {};
}

std::optional<Error> Encoder::add_header(const Records& header, GrowingBytes& out) {
  auto rows = static_cast<std::size_t>(header.rows);
  std::size_t size = record_base_bytes + stored_bytes(module_.header, version_);
  std::byte* region = out.extend(rows * size);
  return store_fields(
      with_base(place(module_.header, version_, module_.current(), record_base_bytes)), header.columns, rows,
      [&](std::span<const Scatter> numbers) { scatter(numbers, region, rows, size, swap_); },
      [&](std::size_t r) { return region + r * size; });
}

std::optional<Error> Encoder::check_size(std::size_t bytes) const {
  if (text_bytes_ == 0 || text_bytes_ == record_width(module_, version_, bytes).text_bytes) return {};
  return invalid_argument(
      module_.name, fmt::format("{} bytes of records with {} of {} bytes cannot be told from records with {}", bytes,
                                module_.fields.back().label(), text_bytes_, module_.fields.back().width));
}

int natural_version(const Records& records) {
  auto is_new = [](const Column& c, int version) {
    return c.field && c.field->first == version && !c.field->hidden && !c.field->takes_null();
  };
  int version = records.module->current();
  for (; version > 1; --version) {
    bool any = false, all_missing = true;
    auto look_at = [&](const std::vector<Column>& columns) {
      for (const auto& c : columns) {
        if (!is_new(c, version)) continue;
        any = true;
        all_missing &= c.null_count == c.length && (c.length > 0 || records.version < version);
      }
    };
    look_at(records.columns);
    for (const auto& e : records.elements) look_at(e.columns);
    if (!any || !all_missing) break;
  }
  return version;
}

}  // namespace darrow

/// Import through the Arrow C data interface: streams and batches. What they are made of: foreign_column.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "arrow/foreign_column.hpp"
#include "base/guarded.hpp"
#include "darrow/arrow.hpp"

namespace darrow {
namespace {

/// A structure of the interface that was taken over: released at the end.
template <typename Struct>
struct Taken {
  Taken() = default;
  explicit Taken(Struct* from) : value(*from) { from->release = nullptr; }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    if (value.release) value.release(&value);
  }
  Struct value{};
};

Table table_of(Column rows, std::span<const std::string> left_out) {
  Table t;
  t.rows = rows.length;
  t.columns = std::move(rows.children);
  std::erase_if(t.columns, [&](const Column& c) { return std::ranges::find(left_out, c.name) != left_out.end(); });
  return t;
}

/// The result before there are batches.
Result<Imported> begin(const ArrowSchema& schema) {
  auto unusable = unusable_type(schema);
  if (!unusable) return unusable.error();
  if (foreign_type(schema.format) == nullptr || foreign_type(schema.format)->type != ColumnType::structure)
    return malformed(fmt::format("no table, but values of type \"{}\"", schema.format));
  Imported imported;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    auto type = unusable_type(*schema.children[i]);
    if (!type->empty()) imported.unusable.push_back({std::string(name_of(*schema.children[i])), *type});
  }
  return imported;
}

std::optional<Error> add(Imported& imported, const ArrowSchema& schema, std::shared_ptr<Taken<ArrowArray>> array,
                         std::span<const std::string> left_out) {
  auto rows = ColumnReader(array, left_out).read(schema, array->value, {0, array->value.length});
  if (!rows) return rows.error();
  imported.batches.push_back(table_of(std::move(*rows), left_out));
  return {};
}

Error failed(ArrowArrayStream& stream, int code) {
  const char* text = stream.get_last_error(&stream);
  return malformed(fmt::format("the table cannot be read: {}", text && *text ? text : std::strerror(code)));
}

}  // namespace

Result<Imported> import_stream(ArrowArrayStream* stream, std::span<const std::string> left_out) {
  Taken source(stream);
  return guarded({}, [&]() -> Result<Imported> {
    if (!source.value.release) return malformed("a stream that was read before");
    Taken<ArrowSchema> schema;
    if (int code = source.value.get_schema(&source.value, &schema.value)) return failed(source.value, code);
    auto imported = begin(schema.value);
    if (!imported) return imported;
    while (true) {
      auto array = std::make_shared<Taken<ArrowArray>>();
      if (int code = source.value.get_next(&source.value, &array->value)) return failed(source.value, code);
      if (!array->value.release) break;
      if (auto error = add(*imported, schema.value, std::move(array), left_out)) return *error;
    }
    if (imported->batches.empty()) imported->batches.push_back(table_of(empty_column(schema.value), left_out));
    return imported;
  });
}

Result<Imported> import_array(ArrowArray* array, ArrowSchema* schema, std::span<const std::string> left_out) {
  Taken type(schema);
  return guarded({}, [&]() -> Result<Imported> {
    auto rows = std::make_shared<Taken<ArrowArray>>(array);
    if (!type.value.release || !rows->value.release) return malformed("an array that was taken before");
    auto imported = begin(type.value);
    if (!imported) return imported;
    if (auto error = add(*imported, type.value, std::move(rows), left_out)) return *error;
    return imported;
  });
}

}  // namespace darrow

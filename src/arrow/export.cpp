/// Export through the Arrow C data interface. Every structure owns what it points to, as the interface demands; arrays
/// share the table, so that buffers live as long as anyone uses them.
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "darrow/arrow.hpp"

namespace darrow {
namespace {

const char* format_of(const Column& c) {
  switch (c.type) {
    case ColumnType::boolean: return "b";
    case ColumnType::i32: return "i";
    case ColumnType::u32: return "I";
    case ColumnType::i64: return "l";
    case ColumnType::u64: return "L";
    case ColumnType::f64: return "g";
    case ColumnType::utf8: return "u";
    case ColumnType::binary: return "z";
    case ColumnType::dictionary: return "i";
    case ColumnType::list: return "+l";
    case ColumnType::structure: return "+s";
  }
  return "n";
}

/// Key-value metadata in the encoding of the interface.
std::string encode_metadata(const std::vector<std::pair<std::string_view, std::string>>& pairs) {
  std::string out;
  auto number = [&](std::size_t n) {
    auto value = static_cast<std::int32_t>(n);
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  number(pairs.size());
  for (const auto& [key, value] : pairs) {
    number(key.size());
    out += key;
    number(value.size());
    out += value;
  }
  return out;
}

std::string field_metadata(const Field* f) {
  if (!f) return {};
  std::vector<std::pair<std::string_view, std::string>> pairs{{"counter", std::string(f->name)},
                                                              {"unit", std::string(f->unit)},
                                                              {"meaning", std::string(f->doc)},
                                                              {"rule", std::string(to_string(f->rule))},
                                                              {"since", std::to_string(f->first)}};
  return encode_metadata(pairs);
}

// ---- schemas

struct SchemaData {
  std::string name, metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
  ArrowSchema dictionary{};
};

template <typename Struct>
void release_if(Struct& s) {
  if (s.release) s.release(&s);
}

void release_schema(ArrowSchema* schema) {
  auto* data = static_cast<SchemaData*>(schema->private_data);
  for (auto& child : data->children) release_if(child);
  release_if(data->dictionary);
  delete data;
  schema->release = nullptr;
}

void fill_schema(const char* format, std::string name, std::string metadata, bool nullable,
                 std::span<const Column> children, const Column* dictionary, ArrowSchema* out);

void fill_schema(const Column& c, ArrowSchema* out) {
  fill_schema(format_of(c), c.name, field_metadata(c.field), true, c.children, c.dictionary.get(), out);
}

void fill_schema(const char* format, std::string name, std::string metadata, bool nullable,
                 std::span<const Column> children, const Column* dictionary, ArrowSchema* out) {
  auto* data = new SchemaData{std::move(name), std::move(metadata), {}, {}, {}};
  data->children.resize(children.size());
  for (std::size_t i = 0; i < children.size(); ++i) {
    fill_schema(children[i], &data->children[i]);
    data->pointers.push_back(&data->children[i]);
  }
  if (dictionary) fill_schema(*dictionary, &data->dictionary);
  *out = {.format = format,
          .name = data->name.c_str(),
          .metadata = data->metadata.empty() ? nullptr : data->metadata.data(),
          .flags = nullable ? ARROW_FLAG_NULLABLE : 0,
          .n_children = static_cast<std::int64_t>(children.size()),
          .children = data->pointers.data(),
          .dictionary = dictionary ? &data->dictionary : nullptr,
          .release = release_schema,
          .private_data = data};
}

// ---- arrays

struct ArrayData {
  std::shared_ptr<const Table> table;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  ArrowArray dictionary{};
};

void release_array(ArrowArray* array) {
  auto* data = static_cast<ArrayData*>(array->private_data);
  for (auto& child : data->children) release_if(child);
  release_if(data->dictionary);
  delete data;
  array->release = nullptr;
}

/// Consumers want an address even where there are no bytes.
const void* address(const Buffer& b) {
  alignas(64) static const std::byte nothing[64]{};
  return b.data ? static_cast<const void*>(b.data) : nothing;
}

void fill_array(const std::shared_ptr<const Table>& table, std::span<const Column> children, Nulls nulls,
                ArrayData* data);

void fill_array(const std::shared_ptr<const Table>& table, const Column& c, Nulls nulls, ArrowArray* out) {
  auto* data = new ArrayData{table, {}, {}, {}, {}};
  bool show_nulls = nulls == Nulls::arrow || !c.stored_nulls;
  bool has_nulls = show_nulls && c.null_count > 0;
  data->buffers.push_back(has_nulls ? c.validity.data : nullptr);
  if (c.type == ColumnType::utf8 || c.type == ColumnType::binary || c.type == ColumnType::list)
    data->buffers.push_back(address(c.offsets));
  if (c.type != ColumnType::list && c.type != ColumnType::structure) data->buffers.push_back(address(c.data));
  fill_array(table, c.children, nulls, data);
  if (c.dictionary) fill_array(table, *c.dictionary, nulls, &data->dictionary);
  *out = {.length = c.length,
          .null_count = has_nulls ? c.null_count : 0,
          .offset = 0,
          .n_buffers = static_cast<std::int64_t>(data->buffers.size()),
          .n_children = static_cast<std::int64_t>(data->children.size()),
          .buffers = data->buffers.data(),
          .children = data->pointers.data(),
          .dictionary = c.dictionary ? &data->dictionary : nullptr,
          .release = release_array,
          .private_data = data};
}

void fill_array(const std::shared_ptr<const Table>& table, std::span<const Column> children, Nulls nulls,
                ArrayData* data) {
  data->children.resize(children.size());
  for (std::size_t i = 0; i < children.size(); ++i) {
    fill_array(table, children[i], nulls, &data->children[i]);
    data->pointers.push_back(&data->children[i]);
  }
}

// ---- streams

struct StreamData {
  std::shared_ptr<const Table> schema;
  NextBatch next;
  Nulls nulls;
  std::string error{};
};

/// Runs `function`, which tells what failed; returns an errno.
template <typename Function>
int run(ArrowArrayStream* stream, Function function) {
  auto* data = static_cast<StreamData*>(stream->private_data);
  try {
    const std::optional<Error> failure = function(*data);
    if (!failure) return 0;
    data->error = failure->describe();
    return failure->code == ErrorCode::out_of_memory ? ENOMEM : EIO;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

int stream_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return run(stream, [&](StreamData& data) -> std::optional<Error> {
    export_schema(*data.schema, out);
    return {};
  });
}

int stream_next(ArrowArrayStream* stream, ArrowArray* out) {
  *out = {};
  return run(stream, [&](StreamData& data) -> std::optional<Error> {
    auto batch = data.next();
    if (!batch) return batch.error();
    if (*batch) export_array(std::move(*batch), data.nulls, out);
    return {};
  });
}

const char* stream_error(ArrowArrayStream* stream) {
  const auto& error = static_cast<StreamData*>(stream->private_data)->error;
  return error.empty() ? nullptr : error.c_str();
}

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<StreamData*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

void export_schema(const Table& table, ArrowSchema* out) {
  std::vector<std::pair<std::string_view, std::string>> pairs{{"table", table.name}};
  if (table.module) {
    pairs.emplace_back("module", table.module->name);
    if (table.version > 0) pairs.emplace_back("module_version", std::to_string(table.version));  // 0: of several logs
  }
  fill_schema("+s", "", encode_metadata(pairs), false, table.columns, nullptr, out);
}

void export_array(std::shared_ptr<const Table> table, Nulls nulls, ArrowArray* out) {
  auto* data = new ArrayData{table, {nullptr}, {}, {}, {}};
  fill_array(table, table->columns, nulls, data);
  *out = {.length = table->rows,
          .null_count = 0,
          .offset = 0,
          .n_buffers = 1,
          .n_children = static_cast<std::int64_t>(data->children.size()),
          .buffers = data->buffers.data(),
          .children = data->pointers.data(),
          .dictionary = nullptr,
          .release = release_array,
          .private_data = data};
}

void export_stream(std::shared_ptr<const Table> table, Nulls nulls, ArrowArrayStream* out) {
  auto once = [left = table]() mutable -> Result<std::shared_ptr<const Table>> { return std::exchange(left, nullptr); };
  export_stream(std::move(table), std::move(once), nulls, out);
}

void export_stream(std::shared_ptr<const Table> schema, NextBatch next, Nulls nulls, ArrowArrayStream* out) {
  *out = {.get_schema = stream_schema,
          .get_next = stream_next,
          .get_last_error = stream_error,
          .release = release_stream,
          .private_data = new StreamData{std::move(schema), std::move(next), nulls}};
}

}  // namespace darrow

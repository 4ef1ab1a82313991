#include "darrow/log.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include "base/guarded.hpp"
#include "format/file.hpp"
#include "log/meta_tables.hpp"
#include "log/module_reader.hpp"
#include "log/state.hpp"

namespace darrow {
namespace {

Slice slice_of(BatchSize batch) {
  if (batch.rows <= 0 && batch.bytes == 0) return {.bytes = batch_bytes};
  Slice slice;
  if (batch.rows > 0) slice.rows = static_cast<std::size_t>(batch.rows);
  if (batch.bytes > 0) slice.bytes = batch.bytes;
  return slice;
}

}  // namespace

struct TableScan::State {
  State(std::shared_ptr<const Log> owner, std::unique_ptr<ModuleReader> of_module)
      : log(std::move(owner)), reader(std::move(of_module)) {}
  std::shared_ptr<const Log> log;
  std::unique_ptr<ModuleReader> reader;
  bool failed = false;
};

Log::Log(std::unique_ptr<State> state) : state_(std::move(state)) {}
Log::~Log() = default;

Result<std::shared_ptr<const Log>> Log::from_file(Result<Buffer> file, const std::string& name, OpenOptions options) {
  if (!file) return file.error();
  auto state = State::open(std::move(*file), name, options);
  if (!state) return state.error();
  return std::shared_ptr<const Log>(new Log(std::move(*state)));
}

Result<std::shared_ptr<const Log>> Log::open(const std::filesystem::path& path, OpenOptions options) {
  return guarded(path.string(), [&] { return from_file(read_file(path, options.map_file), path.string(), options); });
}

Result<std::shared_ptr<const Log>> Log::from_descriptor(int fd, std::string name, OpenOptions options) {
  return guarded(name, [&] { return from_file(read_descriptor(fd, name), name, options); });
}

Result<std::shared_ptr<const Log>> Log::from_bytes(std::vector<std::byte> bytes, std::string name,
                                                   OpenOptions options) {
  return guarded(name, [&]() -> Result<std::shared_ptr<const Log>> {
    auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return from_file(Buffer{owner, owner->data(), owner->size()}, name, options);
  });
}

const std::string& Log::path() const { return state_->path; }
const std::string& Log::format_version() const { return state_->header.version_text; }
ByteOrder Log::byte_order() const { return state_->header.byte_order; }
Compression Log::compression() const { return state_->header.compression; }
std::uint64_t Log::size() const { return state_->file.size; }
std::uint32_t Log::digest() const { return libdeflate_crc32(0, state_->file.data, state_->file.size); }
const Job* Log::job() const { return state_->job ? &*state_->job : nullptr; }
std::span<const Mount> Log::mounts() const { return state_->mounts; }
std::span<const ModuleInfo> Log::modules() const { return state_->modules; }

std::vector<ModuleInfo> Log::upstream_modules() const {
  std::vector<ModuleInfo> list;
  for (const auto& slot : state_->header.upstream_slots) list.push_back(module_info(slot));
  return list;
}

const UpstreamJobTexts& Log::upstream_job_texts() const { return state_->upstream_job_texts; }

LogSizes Log::sizes() const {
  return {.header = state_->header.size, .job = state_->job_bytes, .names = state_->header.names.length};
}

const ModuleInfo* Log::module(std::string_view name) const {
  const Module* known = find_module(name);
  for (const auto& m : state_->modules)
    if (known ? m.module == known : m.name == name) return &m;
  return nullptr;
}

Result<std::shared_ptr<const Names>> Log::names() const {
  return guarded(path(), [&]() -> Result<std::shared_ptr<const Names>> {
    auto names = state_->read_names();
    if (!names) return names.error();
    return std::shared_ptr<const Names>(*names);
  });
}

Result<std::shared_ptr<const NamePlaces>> Log::name_places() const {
  return guarded(path(), [&] { return state_->read_places(); });
}

Result<std::shared_ptr<const Table>> Log::table(std::string_view name, const TableOptions& options) const {
  return guarded(path(), [&]() -> Result<std::shared_ptr<const Table>> {
    if (const ModuleInfo* info = module(name)) return state_->read_module(*info, options);
    return state_->read_other(name, options, *this);
  });
}

Result<std::int64_t> Log::scan(std::string_view name, const TableOptions& options,
                               const std::function<void(const Table&)>& each, std::int64_t batch_rows) const {
  return guarded(path(), [&]() -> Result<std::int64_t> {
    const ModuleInfo* info = module(name);
    if (!info) return state_->error(ErrorCode::not_found, "", fmt::format("no module \"{}\" in this log", name));
    return state_->scan_module(*info, options, slice_of({.rows = batch_rows}), [&](Table&& table) { each(table); });
  });
}

Result<std::unique_ptr<TableScan>> Log::open_scan(std::string_view name, const TableOptions& options,
                                                  BatchSize batch) const {
  return guarded(path(), [&]() -> Result<std::unique_ptr<TableScan>> {
    const ModuleInfo* info = module(name);
    if (!info) return state_->error(ErrorCode::not_found, "", fmt::format("no module \"{}\" in this log", name));
    auto reader = state_->open_module(*info, options, slice_of(batch));
    if (!reader) return reader.error();
    return std::unique_ptr<TableScan>(
        new TableScan(std::make_unique<TableScan::State>(shared_from_this(), std::move(*reader))));
  });
}

Result<std::shared_ptr<const Table>> Log::schema(std::string_view name, const TableOptions& options) const {
  return guarded(path(), [&]() -> Result<std::shared_ptr<const Table>> {
    if (const ModuleInfo* info = module(name)) return state_->read_module(*info, options, false);
    return state_->read_other(name, options, *this, false);
  });
}

Result<std::int64_t> Log::records(std::string_view name) const {
  const ModuleInfo* info = module(name);
  if (!info) return state_->error(ErrorCode::not_found, "", fmt::format("no module \"{}\" in this log", name));
  auto known = [&]() -> std::optional<std::int64_t> {
    std::lock_guard lock(state_->mutex);
    auto at = state_->records.find(info->id);
    return at == state_->records.end() ? std::nullopt : std::optional(at->second);
  };
  if (!known()) {
    TableOptions ids;
    ids.part = TableOptions::Part::records;
    ids.columns = {"id"};
    if (auto all = scan(name, ids, [](const Table&) {}); !all) return all.error();
  }
  return *known();
}

Result<Buffer> Log::bytes(std::string_view name) const {
  return guarded(path(), [&]() -> Result<Buffer> {
    const ModuleInfo* info = module(name);
    if (!info) return state_->error(ErrorCode::not_found, "", fmt::format("no module \"{}\" in this log", name));
    std::vector<Problem> found;
    ProblemSink sink(info->name, info->name, found);
    Buffer bytes = state_->inflated(info->id, sink);
    state_->remember(info->id, found);
    if (auto e = state_->strict_error(info->id, found)) return *e;
    return bytes;
  });
}

ReadCounters Log::counters() const {
  const auto& counts = state_->counts;
  return {.bytes_inflated = counts.bytes_inflated,
          .columns_decoded = counts.columns_decoded,
          .records_copied = counts.records_copied};
}

std::vector<Problem> Log::problems() const {
  std::lock_guard lock(state_->mutex);
  std::vector<Problem> all;
  for (const auto& [key, found] : state_->problems) all.insert(all.end(), found.begin(), found.end());
  return all;
}

std::vector<Problem> Log::verify() const {
  auto remember_failure = [&](int key, const std::string& region, const std::string& module, const Error& failure) {
    if (failure.code != ErrorCode::out_of_memory) return;  // others are problems already
    std::vector<Problem> found;
    ProblemSink(region, module, found).add(ProblemKind::out_of_memory, failure.message);
    state_->remember(key, found);
  };
  if (auto n = names(); !n) remember_failure(names_key, "names", "", n.error());
  for (const auto& m : state_->modules) {
    if (m.status == ModuleStatus::readable) {
      if (auto t = table(m.name); !t) remember_failure(m.id, m.name, m.name, t.error());
    } else if (auto b = bytes(m.name); !b) {
      remember_failure(m.id, m.name, m.name, b.error());
    }
  }
  return problems();
}

TableScan::TableScan(std::unique_ptr<State> state) : state_(std::move(state)) {}
TableScan::~TableScan() = default;

Result<std::shared_ptr<const Table>> TableScan::next() {
  using Next = Result<std::shared_ptr<const Table>>;
  if (state_->failed) return std::shared_ptr<const Table>();
  Next result = guarded(state_->log->path(), [&]() -> Next {
    auto table = state_->reader->next();
    if (!table) return table.error();
    if (!*table) return std::shared_ptr<const Table>();
    return std::make_shared<const Table>(std::move(**table));
  });
  state_->failed = !result;
  return result;
}

std::int64_t TableScan::records() const { return state_->reader->records(); }
std::uint64_t TableScan::region_bytes() const { return state_->reader->region_bytes(); }

}  // namespace darrow

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/guarded.hpp"
#include "base/invalid_argument.hpp"
#include "base/utf8.hpp"
#include "darrow/write.hpp"
#include "format/deflate.hpp"
#include "format/file.hpp"
#include "format/header.hpp"
#include "format/job.hpp"
#include "format/names.hpp"
#include "format/output_file.hpp"
#include "log/record_reader.hpp"
#include "table/join.hpp"
#include "write/module_writer.hpp"
#include "write/renumber.hpp"
#include "write/table_records.hpp"

namespace darrow {
namespace {

constexpr int module_ids = 64;  // of format 3.41

/// The id of a module by its name, as find_module() takes it, or of "module 40".
Result<int> module_id(std::string_view name) {
  if (const Module* module = find_module(name)) return static_cast<int>(module->id);
  constexpr std::string_view prefix = "module ";
  int id = -1;
  if (name.starts_with(prefix)) {
    auto [end, status] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), id);
    if (status != std::errc() || end != name.data() + name.size()) id = -1;
  }
  if (id < 0 || id >= module_ids)
    return invalid_argument(
        "",
        fmt::format("no module \"{}\"; \"module N\", N below {}, stands for one that is not known", name, module_ids));
  return id;
}

Result<const Module*> known_module(std::string_view name) {
  auto id = module_id(name);
  if (!id) return id.error();
  if (const Module* module = find_module(*id)) return module;
  return invalid_argument(name, "an unknown module: its data can be written as bytes only");
}

/// A copy that stays.
Buffer owned(std::span<const std::byte> bytes) {
  GrowingBytes copy;
  copy.append(bytes);
  return std::move(copy).freeze();
}

/// An output that is there already.
struct OpenOutput {
  int fd;
  const std::string& name;
  std::optional<Error> write(std::span<const std::byte> bytes) { return write_descriptor(fd, bytes, name); }
  std::optional<Error> commit() { return {}; }
};

template <typename Output>
Result<std::uint64_t> write_pieces(const std::vector<Buffer>& pieces, Output& output) {
  std::uint64_t size = 0;
  for (const auto& piece : pieces) {
    if (auto e = output.write(piece.bytes())) return *e;
    size += piece.size;
  }
  if (auto e = output.commit()) return *e;
  return size;
}

/// What becomes of one module.
struct ModuleRegion {
  std::string name;
  int asked_version = 0;  ///< 0: none in particular
  bool expend = false;    ///< leave out what that version has no place for and nobody misses
  bool partial = false;
  std::optional<ModuleWriter> writer;  ///< while records come
  bool is_complete = false;
  std::uint32_t version = 0;
  Buffer packed;                  ///< as it will stand in the file
  IdIndex ids;                    ///< of its records
  std::vector<Problem> problems;  ///< once complete
};

}  // namespace

struct LogWriter::State {
  WriteOptions options;
  std::optional<Release> target;
  std::optional<Job> job;
  std::vector<Mount> mounts;
  NameWriter names;
  std::optional<Error> failed;  ///< the first error: what was added then may be there in part
  std::map<int, ModuleRegion> modules;
  int open = -1;  ///< the module to which records come

  explicit State(WriteOptions o) : options(std::move(o)), names(options.byte_order) {}

  /// Runs what adds something, and remembers if it fails.
  template <typename Function>
  Result<std::int64_t> remembered(Function add) {
    if (failed) return *failed;
    Result<std::int64_t> added = guarded({}, add);
    if (!added) failed = added.error();
    return added;
  }

  ModuleRegion& region(int id) {
    auto [at, is_new] = modules.try_emplace(id);
    if (is_new) {
      const Module* module = find_module(id);
      at->second.name = module ? std::string(module->name) : fmt::format("module {}", id);
    }
    return at->second;
  }

  /// An error if the release that is aimed at does not know that version (0: none in particular) of the module.
  std::optional<Error> check_target(const Module& module, int version) const {
    if (!target) return {};
    int newest = newest_version(module, *target);
    if (newest == 0 || version > newest)
      return invalid_argument(
          module.name,
          fmt::format(
              "release {} does not know {}", options.target,
              newest == 0 ? "this module" : fmt::format("version {}, the newest it knows is {}", version, newest)));
    return {};
  }

  /// The region of a module, ready for records.
  Result<ModuleWriter*> writer_of(const Module& module) {
    if (!job) return invalid_argument(module.name, "the job has to be set before records are added");
    ModuleRegion& r = region(module.id);
    if (r.is_complete)
      return invalid_argument(r.name, "this module is complete: its rows are added one after the other");
    if (open != module.id)
      if (auto e = complete_open()) return *e;
    if (!r.writer) {
      if (auto e = check_target(module, r.asked_version)) return *e;
      r.writer.emplace(module, r.asked_version, r.expend, target, swapped(options.byte_order), *job);
      open = module.id;
    }
    return &*r.writer;
  }

  /// Makes of the open region what stands in the file. A failure is remembered: the region is gone.
  std::optional<Error> complete_open() {
    auto result = remembered([&]() -> Result<std::int64_t> {
      if (auto e = pack_open()) return *e;
      return std::int64_t{0};
    });
    return result ? std::nullopt : std::optional(result.error());
  }

  std::optional<Error> pack_open() {
    if (open < 0) return {};
    ModuleRegion& r = region(std::exchange(open, -1));
    ProblemSink sink(r.name, r.name, r.problems);
    r.writer->report(sink);
    r.version = static_cast<std::uint32_t>(r.writer->version());
    r.ids = r.writer->ids();
    auto bytes = r.writer->finish();
    r.writer.reset();
    if (!bytes) return bytes.error();
    return complete(r, std::move(*bytes));
  }

  /// Makes of the region what stands in the file.
  std::optional<Error> complete(ModuleRegion& r, Buffer bytes) {
    if (options.compression == Compression::none) {
      r.packed = std::move(bytes);
      r.is_complete = true;
      return {};
    }
    auto packed = deflate(bytes.bytes(), options.compression, options.level);
    if (!packed) {
      packed.error().region = r.name;
      return packed.error();
    }
    r.packed = std::move(*packed);
    r.is_complete = true;
    return {};
  }

  void take_names(const Table& rows, std::span<const std::uint64_t> ids);
  Result<std::int64_t> add_bytes(int id, std::uint32_t version, Buffer bytes, ByteOrder byte_order);
  Result<std::int64_t> add_from(Log::State& log, const ModuleInfo& info, const RecordSelection& selection);
  /// The header of the log to be written, as yet without regions.
  Header new_header() const;
  void report_job(std::vector<Problem>& problems) const;
  /// What is odd about the job and the records; names aside.
  std::vector<Problem> problems() const;
  void report_nameless(std::vector<Problem>& problems) const;
  Result<std::vector<Buffer>> pieces();
};

/// Adds what the column `name` of a table says of ids that have no name yet.
void LogWriter::State::take_names(const Table& rows, std::span<const std::uint64_t> ids) {
  const Column* texts = rows.find("name");
  auto is_text = [](ColumnType t) {
    return t == ColumnType::utf8 || t == ColumnType::binary || t == ColumnType::dictionary;
  };
  if (!texts || failed || !is_text(texts->type)) return;
  for (std::int64_t r = 0; r < rows.rows && !failed; ++r) {
    auto id = ids[static_cast<std::size_t>(r)];
    auto text = texts->text(r);
    if (r > 0 && id == ids[static_cast<std::size_t>(r) - 1] && text == texts->text(r - 1)) continue;  // segments
    // Tables show bytes that are not UTF-8 in another form: the name as it is known stays.
    auto known = names.find(id);
    if (texts->valid(r) && !(known && (*known == text || escape_utf8(*known) == text))) failed = names.add(id, text);
  }
}

Result<std::int64_t> LogWriter::State::add_bytes(int id, std::uint32_t version, Buffer bytes, ByteOrder byte_order) {
  ModuleRegion& r = region(id);
  if (byte_order != options.byte_order)
    return invalid_argument(
        r.name, fmt::format("bytes are written as they are: {}-endian numbers cannot stand in a {}-endian log",
                            to_string(byte_order), to_string(options.byte_order)));
  if (r.is_complete || r.writer) return invalid_argument(r.name, "this module has its data already");
  if (const Module* module = find_module(id)) {
    if (auto e = check_target(*module, static_cast<int>(version))) return *e;
    if (module->has_version(version)) {  // then it can be looked at
      auto records = from_records(bytes.bytes(), *module, static_cast<int>(version), byte_order);
      if (!records) return invalid_argument(r.name, records.error().message);
    }
  }
  r.version = version;
  std::size_t size = bytes.size;
  if (auto e = complete(r, std::move(bytes))) return *e;
  return static_cast<std::int64_t>(size);
}

Result<std::int64_t> LogWriter::State::add_from(Log::State& log, const ModuleInfo& info,
                                                const RecordSelection& selection) {
  auto writer = writer_of(*info.module);
  if (!writer) return writer.error();
  TableOptions options;
  options.ids = selection.ids;
  options.ranks = selection.ranks;
  options.keep = selection.keep;
  const Selection stored = Selection::stored();
  RecordReader reader(log, info, options, stored);
  std::int64_t before = (*writer)->records();
  // How wide texts have to be is told by all records, where it varies.
  const Slice slice = info.module->other_text_bytes ? Slice{} : Slice{.bytes = batch_bytes};
  if (reader.header().rows > 0 && !(*writer)->has_header())
    if (auto e = (*writer)->add_header(reader.header())) return *e;
  do {
    Records records = reader.next(slice);
    if (selection.renumber) renumber_ranks(records.columns, selection.renumber);
    if (auto e = (*writer)->add(std::move(records))) return *e;
  } while (!reader.done());
  if (auto e = reader.finish()) return *e;
  if (reader.is_damaged()) region(info.id).partial = true;
  return (*writer)->records() - before;
}

Header LogWriter::State::new_header() const {
  Header header;
  header.byte_order = options.byte_order;
  header.compression = options.compression;
  return parse_header(encode_header(header)).value();
}

/// What a reader would say of the job.
void LogWriter::State::report_job(std::vector<Problem>& problems) const {
  ProblemSink sink("job", "", problems);
  if (auto bytes = encode_job(*job, mounts, options.byte_order)) parse_job(*bytes, new_header(), true, sink);
}

std::vector<Problem> LogWriter::State::problems() const {
  std::vector<Problem> all;
  if (job) report_job(all);
  for (const auto& [id, r] : modules) {
    ProblemSink sink(r.name, r.name, all);
    all.insert(all.end(), r.problems.begin(), r.problems.end());
    if (r.writer) r.writer->report(sink);
  }
  return all;
}

/// Ids of records that have no name.
void LogWriter::State::report_nameless(std::vector<Problem>& problems) const {
  for (const auto& [id, r] : modules) {
    const IdIndex& ids = r.writer ? r.writer->ids() : r.ids;
    std::int64_t nameless = 0;
    for (std::int64_t i = 0; i < ids.size(); ++i) nameless += !names.find(ids.id(i));
    if (nameless)
      ProblemSink(r.name, r.name, problems)
          .add(ProblemKind::name_missing, fmt::format("ids of records without a name: {}", nameless), nameless);
  }
}

/// The file, piece by piece.
Result<std::vector<Buffer>> LogWriter::State::pieces() {
  if (!job) return invalid_argument("job", "a log needs a job");
  if (failed) return *failed;
  if (auto e = complete_open()) return *e;
  if (options.strict)
    for (const auto& p : problems())
      if (p.severity() != Severity::note) return invalid_argument(p.region, p.message);

  auto pack = [&](Buffer bytes, std::string region) -> Result<Buffer> {
    ModuleRegion r;
    r.name = std::move(region);
    if (auto e = complete(r, std::move(bytes))) return *e;
    return r.packed;
  };
  auto job_bytes = encode_job(*job, mounts, options.byte_order);
  if (!job_bytes) return job_bytes.error();
  auto packed_job = pack(owned(*job_bytes), "job");
  if (!packed_job) return packed_job.error();
  auto name_bytes = names.bytes();  // stay as long as no name is added
  auto packed_names = pack({{}, name_bytes.data(), name_bytes.size()}, "names");
  if (!packed_names) return packed_names.error();

  Header header = new_header();
  std::vector<Buffer> pieces{{}, std::move(*packed_job), std::move(*packed_names)};
  std::uint64_t at = header.size + pieces[1].size;
  header.names = {at, pieces[2].size};
  at += pieces[2].size;
  for (const auto& [id, r] : modules) {
    header.slots.push_back({id, {r.packed.size ? at : 0, r.packed.size}, r.version, r.partial});
    at += r.packed.size;
    pieces.push_back(r.packed);
  }
  pieces[0] = owned(encode_header(header));
  return pieces;
}

LogWriter::LogWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
LogWriter::LogWriter(LogWriter&&) noexcept = default;
LogWriter& LogWriter::operator=(LogWriter&&) noexcept = default;
LogWriter::~LogWriter() = default;

Result<LogWriter> LogWriter::create(WriteOptions options) {
  if (auto e = check_level(options.compression, options.level)) return *e;
  if (options.level == 0) options.level = usual_level(options.compression);
  std::optional<Release> target;
  if (!options.target.empty()) {
    target = parse_release(options.target);
    if (!target || *target < first_release_of_format)
      return invalid_argument(
          "", fmt::format("\"{}\" is no release that reads format 3.41: 3.4.1 or a later one is, such as 3.5.0",
                          options.target));
  }
  auto state = std::make_unique<State>(std::move(options));
  state->target = target;
  return LogWriter(std::move(state));
}

void LogWriter::set_job(Job job) { state_->job = std::move(job); }
void LogWriter::set_mounts(std::vector<Mount> mounts) { state_->mounts = std::move(mounts); }

void LogWriter::add_name(std::uint64_t id, std::string_view name) {
  if (!state_->failed) state_->failed = state_->names.add(id, name);
}

Result<int> LogWriter::set_partial(std::string_view name, std::optional<int> version) {
  auto id = module_id(name);
  if (!id) return id;
  ModuleRegion& region = state_->region(*id);
  region.partial = true;
  if (region.version != 0) return id;
  if (version) region.version = static_cast<std::uint32_t>(*version);
  else if (const Module* module = find_module(*id))
    region.version =
        static_cast<std::uint32_t>(state_->target ? newest_version(*module, *state_->target) : module->current());
  return id;
}

Result<int> LogWriter::set_version(std::string_view name, int version, bool expend) {
  auto module = known_module(name);
  if (!module) return module.error();
  if (!(*module)->has_version(version))
    return invalid_argument((*module)->name,
                            fmt::format("no version {}: there are 1 to {}", version, (*module)->current()));
  ModuleRegion& region = state_->region((*module)->id);
  if (region.writer || region.is_complete)
    return invalid_argument(region.name, "the version has to be set before records are added");
  region.asked_version = version;
  region.expend = expend;
  return version;
}

Result<std::int64_t> LogWriter::add(std::string_view name, const Table& rows) {
  return state_->remembered([&]() -> Result<std::int64_t> {
    auto module = known_module(name);
    if (!module) return module.error();
    auto writer = state_->writer_of(**module);
    if (!writer) return writer.error();
    if (rows.rows == 0) return std::int64_t{0};
    if (!(*module)->header.empty() && !(*writer)->has_header())
      return invalid_argument((*module)->name, "the record that opens its region has to be added first");
    auto records = records_of(rows, **module);
    if (!records) return records.error();
    std::int64_t count = records->rows;
    // Of a trace the rows are segments; elsewhere they are the records.
    auto ids = (*module)->shape == Shape::segments ? table_records::id_column(rows, **module)
                                                   : Result<Column>(records->columns[0]);
    if (!ids) return ids.error();
    if (auto e = (*writer)->add(std::move(*records))) return *e;
    state_->take_names(rows, ids->values<std::uint64_t>());
    return count;
  });
}

Result<std::int64_t> LogWriter::add(std::string_view name, std::span<const Table* const> batches) {
  if (batches.empty()) return std::int64_t{0};
  auto all = guarded({}, [&]() -> Result<Table> { return join(batches); });
  return all ? add(name, *all) : state_->remembered([&]() -> Result<std::int64_t> { return all.error(); });
}

Result<std::int64_t> LogWriter::add_traces(std::string_view name, const Table& records,
                                           std::span<const Table* const> segments) {
  return state_->remembered([&]() -> Result<std::int64_t> {
    auto module = known_module(name);
    if (!module) return module.error();
    if ((*module)->shape != Shape::segments) return invalid_argument((*module)->name, "its records have no segments");
    auto writer = state_->writer_of(**module);
    if (!writer) return writer.error();
    if (records.rows == 0) return std::int64_t{0};
    auto traces = trace_records(records, segments.empty() ? Table{} : join(segments), **module);
    if (!traces) return traces.error();
    std::int64_t count = traces->rows;
    auto ids = traces->columns[0];
    if (auto e = (*writer)->add(std::move(*traces))) return *e;
    state_->take_names(records, ids.values<std::uint64_t>());
    return count;
  });
}

Result<std::int64_t> LogWriter::add_header(std::string_view name, const Table& header) {
  return state_->remembered([&]() -> Result<std::int64_t> {
    auto module = known_module(name);
    if (!module) return module.error();
    auto record = header_of(header, **module);
    if (!record) return record.error();
    auto writer = state_->writer_of(**module);
    if (!writer) return writer.error();
    if (auto e = (*writer)->add_header(*record)) return *e;
    return record->rows;
  });
}

Result<std::int64_t> LogWriter::add(const Log& log, std::string_view name, const RecordSelection& selection) {
  return state_->remembered([&]() -> Result<std::int64_t> {
    const ModuleInfo* info = log.module(name);
    if (!info)
      return Error{.code = ErrorCode::not_found,
                   .message = fmt::format("no module \"{}\" in this log", name),
                   .file = log.path(),
                   .region = {},
                   .offset = {}};
    ModuleRegion& region = state_->region(info->id);
    region.partial |= info->partial;
    if (info->length == 0) {
      if (!region.writer && !region.is_complete) region.version = info->version;
      return std::int64_t{0};
    }
    if (info->status == ModuleStatus::readable) return state_->add_from(*log.state_, *info, selection);
    auto bytes = log.bytes(name);
    if (!bytes) return bytes.error();
    region.partial |= is_damaged(log.problems(), info->name);
    return state_->add_bytes(info->id, info->version, std::move(*bytes), log.byte_order());
  });
}

Result<std::int64_t> LogWriter::add_bytes(std::string_view module, int version, std::span<const std::byte> bytes,
                                          ByteOrder byte_order) {
  return state_->remembered([&]() -> Result<std::int64_t> {
    auto id = module_id(module);
    if (!id) return id.error();
    if (version < 0) return invalid_argument(module, fmt::format("no version {}", version));
    return state_->add_bytes(*id, static_cast<std::uint32_t>(version), owned(bytes), byte_order);
  });
}

Result<std::int64_t> LogWriter::add_names(const Log& log) {
  return state_->remembered([&]() -> Result<std::int64_t> {
    auto names = log.names();
    if (!names) return names.error();
    std::int64_t added = 0;
    for (std::int64_t i = 0; i < (*names)->size() && !state_->failed; ++i) {
      std::uint64_t id = (*names)->id(i);
      bool is_used = std::any_of(state_->modules.begin(), state_->modules.end(), [&](const auto& m) {
        return (m.second.writer ? m.second.writer->ids() : m.second.ids).find(id) >= 0;
      });
      if (!is_used || state_->names.find(id)) continue;
      state_->failed = state_->names.add(id, (*names)->name(i));
      ++added;
    }
    return added;
  });
}

std::vector<Problem> LogWriter::problems() const {
  auto all = state_->problems();
  state_->report_nameless(all);
  return all;
}

Result<std::vector<std::byte>> LogWriter::bytes() {
  return guarded({}, [&]() -> Result<std::vector<std::byte>> {
    auto pieces = state_->pieces();
    if (!pieces) return pieces.error();
    std::vector<std::byte> all;
    for (const auto& piece : *pieces) all.insert(all.end(), piece.data, piece.data + piece.size);
    return all;
  });
}

Result<std::uint64_t> LogWriter::write(const std::filesystem::path& path, bool overwrite) {
  return guarded({}, [&]() -> Result<std::uint64_t> {
    auto pieces = state_->pieces();
    if (!pieces) return pieces.error();
    auto file = OutputFile::create(path, overwrite);
    if (!file) return file.error();
    return write_pieces(*pieces, *file);
  });
}

Result<std::uint64_t> LogWriter::write(int fd, const std::string& name) {
  return guarded({}, [&]() -> Result<std::uint64_t> {
    auto pieces = state_->pieces();
    if (!pieces) return pieces.error();
    OpenOutput output{fd, name};
    return write_pieces(*pieces, output);
  });
}

void LogWriter::remove_unfinished() { darrow::remove_unfinished(); }

}  // namespace darrow

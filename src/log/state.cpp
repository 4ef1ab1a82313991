#include "log/state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.hpp"
#include "format/inflate.hpp"
#include "format/job.hpp"

namespace darrow {
namespace {

std::string module_name(int id) {
  const Module* module = find_module(id);
  return module ? std::string(module->name) : fmt::format("module {}", id);
}

void report(const ModuleInfo& info, ProblemSink& sink) {
  switch (info.status) {
    case ModuleStatus::readable: break;
    case ModuleStatus::unknown_module:
      if (info.length > 0)
        sink.at_file(ProblemKind::module_unknown, info.offset,
                     fmt::format("module id {} is not known: its data stays bytes", info.id));
      else sink.add(ProblemKind::module_unknown, fmt::format("module id {} is not known and has no data", info.id));
      break;
    case ModuleStatus::unknown_version:
      sink.at_file(ProblemKind::module_version, info.offset,
                   fmt::format("{} version {} is not known (newest known: {}): its data stays bytes", info.name,
                               info.version, info.module->current()),
                   info.version);
      break;
  }
  if (info.partial)
    sink.add(ProblemKind::module_partial, fmt::format("{} ran out of memory: records are missing", info.name));
}

}  // namespace

ModuleInfo module_info(const Slot& slot) {
  ModuleInfo info;
  info.id = slot.id;
  info.name = module_name(slot.id);
  info.module = find_module(slot.id);
  info.version = slot.version;
  info.partial = slot.partial;
  info.offset = slot.region.offset;
  info.length = slot.region.length;
  if (!info.module) info.status = ModuleStatus::unknown_module;
  else if (slot.region.length > 0 && !info.module->has_version(slot.version))
    info.status = ModuleStatus::unknown_version;
  return info;
}

Error Log::State::error(ErrorCode code, std::string region, std::string message,
                        std::optional<std::uint64_t> offset) const {
  return {.code = code, .message = std::move(message), .file = path, .region = std::move(region), .offset = offset};
}

Result<std::unique_ptr<Log::State>> Log::State::open(Buffer file, std::string path, OpenOptions options) {
  auto header = parse_header(file.bytes());
  if (!header) {
    Error e = header.error();
    e.file = path;
    return e;
  }
  if (!can_inflate(header->compression))
    return Error{.code = ErrorCode::unsupported_compression,
                 .message = fmt::format("compressed with {}, which was not built in", to_string(header->compression)),
                 .file = path,
                 .region = "header",
                 .offset = {}};
  auto state = std::make_unique<State>();
  state->path = std::move(path);
  state->options = options;
  state->file = std::move(file);
  state->header = std::move(*header);

  std::vector<Problem> found;
  ProblemSink sink("header", "", found);
  if (state->header.minor == 20)
    sink.add(ProblemKind::format_counters_suspect,
             "format 3.20: Darshan 3.2.0 may have written wrong counters, access sizes above all");
  state->remember_at_open(header_key, found);

  if (state->header.names.length > 0) state->locate(names_key, "names", state->header.names);
  for (const auto& slot : state->header.slots) {
    ModuleInfo info = module_info(slot);
    if (slot.region.length > 0) state->locate(slot.id, info.name, slot.region);
    std::vector<Problem> of_module;
    ProblemSink module_sink(info.name, info.name, of_module);
    report(info, module_sink);
    state->remember(slot.id, of_module);
    state->modules.push_back(std::move(info));
  }
  state->report_overlaps(state->read_job());
  if (!state->job && state->regions.empty())
    return state->error(ErrorCode::corrupt, "", "nothing behind the header can be read", state->header.size);
  if (auto e = state->strict_error(header_key)) return *e;
  if (auto e = state->strict_error(job_key)) return *e;
  return state;
}

/// Cuts the region at the end of the file.
void Log::State::locate(int key, std::string name, Region region) {
  std::vector<Problem> found;
  ProblemSink sink(name, key >= 0 ? name : "", found);
  if (region.offset < header.size) {
    sink.at_file(
        ProblemKind::region_in_header, region.offset,
        fmt::format("the region starts at byte {}, inside the header of {} bytes", region.offset, header.size));
  } else {
    std::uint64_t there = region.offset < file.size ? file.size - region.offset : 0;
    if (region.length > there)
      sink.at_file(ProblemKind::region_outside_file, region.offset,
                   fmt::format("{} bytes at byte {} pass the end of the file at {}: cut", region.length, region.offset,
                               file.size),
                   static_cast<std::int64_t>(std::min<std::uint64_t>(region.length - there, INT64_MAX)));
    if (there > 0) regions[key] = {region.offset, std::min(region.length, there)};
  }
  remember_at_open(key, found);
}

/// The job region lies between the header and the next region; its length is stored nowhere.
Region Log::State::read_job() {
  std::uint64_t told = header.names.offset          ? header.names.offset
                       : header.first_module_offset ? header.first_module_offset
                                                    : file.size;
  job_bytes = told > header.size ? told - header.size : 0;
  std::uint64_t next = file.size;
  for (const auto& [key, region] : regions)
    if (region.offset > header.size) next = std::min(next, region.offset);

  // Where the told end cannot be true the next region is the end; where that gives no sound job, the other one.
  std::vector<std::uint64_t> ends{next};
  if (told > header.size && told < next) ends = {told, next};
  if (told > next && told <= file.size) ends = {next, told};
  struct Attempt {
    std::uint64_t end;
    JobRegion parsed;
    std::vector<Problem> found;
  };
  std::optional<Attempt> best;
  auto lost = [](const Attempt& a) {
    return std::any_of(a.found.begin(), a.found.end(),
                       [](const Problem& p) { return p.severity() == Severity::error; });
  };
  for (auto end : ends) {
    Attempt a{end, {}, {}};
    ProblemSink sink("job", "", a.found);
    Buffer bytes = inflate(file, header.size, end - header.size, header.compression, options.max_region_bytes, sink);
    counts.bytes_inflated += bytes.size;
    bool whole = !lost(a);
    a.parsed = parse_job(bytes.bytes(), header, whole, sink);
    if (!best || (lost(*best) && (!lost(a) || (a.parsed.job && !best->parsed.job)))) best = std::move(a);
    if (!lost(*best)) break;
  }

  std::vector<Problem> bounds;
  ProblemSink sink("job", "", bounds);
  if (told > file.size && best->end == file.size)
    sink.at_file(ProblemKind::region_outside_file, header.size,
                 fmt::format("the job region ends at byte {}, behind the end of the file at {}: cut", told, file.size),
                 static_cast<std::int64_t>(std::min<std::uint64_t>(told - file.size, INT64_MAX)));
  else if (best->end != told)
    sink.at_file(
        ProblemKind::job_bounds, header.size,
        fmt::format("the job region would end at byte {}: the next region at {} is taken as its end", told, best->end));
  remember_at_open(job_key, bounds);
  remember_at_open(job_key, best->found);
  job = std::move(best->parsed.job);
  mounts = std::move(best->parsed.mounts);
  upstream_job_texts = std::move(best->parsed.upstream);
  return {header.size, best->end - header.size};
}

void Log::State::report_overlaps(Region job) {
  std::vector<std::pair<Region, int>> all{{job, job_key}};
  for (const auto& [key, region] : regions) all.emplace_back(region, key);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first.offset < b.first.offset; });
  std::uint64_t end = 0;
  for (const auto& [region, key] : all) {
    if (region.length > 0 && region.offset < end) {
      std::string name = key == job_key ? "job" : key == names_key ? "names" : module_name(key);
      std::vector<Problem> found;
      ProblemSink(name, key >= 0 ? name : "", found)
          .at_file(ProblemKind::region_overlap, region.offset,
                   fmt::format("the region starts inside another one that ends at byte {}", end));
      remember(key, found);
    }
    end = std::max(end, region.offset + region.length);
  }
}

RegionStream Log::State::stream(int key, bool whole, ProblemSink& sink) const {
  auto at = regions.find(key);
  if (at == regions.end()) return RegionStream();
  // Of a mapped file the compressed bytes do not stay in memory: they are not looked at again soon.
  return RegionStream(file, at->second.offset, at->second.length, header.compression, options.max_region_bytes,
                      whole ? UINT64_MAX : options.whole_region_bytes, sink);
}

Buffer Log::State::inflated(int key, ProblemSink& sink) const {
  Buffer bytes = stream(key, true, sink).take();
  counts.bytes_inflated += bytes.size;
  return bytes;
}

void Log::State::remember(int key, const std::vector<Problem>& found) {
  if (found.empty()) return;
  std::lock_guard lock(mutex);
  auto& known = problems[key];
  for (const auto& p : found) {
    auto same = std::find_if(known.begin(), known.end(), [&](const Problem& k) {
      return k.kind == p.kind && k.region == p.region && k.offset == p.offset && k.inflated == p.inflated;
    });
    if (same == known.end()) known.push_back(p);
    else if (p.count > same->count) *same = p;
  }
}

void Log::State::remember_at_open(int key, const std::vector<Problem>& found) {
  remember(key, found);
  auto& known = at_open[key];
  known.insert(known.end(), found.begin(), found.end());
}

std::optional<Error> Log::State::strict_error(int key, const std::vector<Problem>& found) const {
  if (!options.strict) return {};
  auto first = [this](const std::vector<Problem>& problems) -> std::optional<Error> {
    for (const auto& p : problems)
      if (p.severity() == Severity::error) {
        Error e = error(ErrorCode::corrupt, p.region, p.message, p.offset);
        e.inflated = p.inflated;
        return e;
      }
    return {};
  };
  auto at = at_open.find(key);
  auto e = at == at_open.end() ? std::nullopt : first(at->second);
  return e ? e : first(found);
}

Result<std::shared_ptr<const MountedNames>> Log::State::read_names() {
  std::shared_ptr<const MountedNames> ready;
  std::vector<Problem> found;
  {
    std::lock_guard lock(mutex);
    ready = names;
    found = names_problems;
  }
  if (!ready) {
    ProblemSink sink("names", "", found);
    ready = std::make_shared<const MountedNames>(NameTable(inflated(names_key, sink), header, sink), mounts);
    remember(names_key, found);
    std::lock_guard lock(mutex);
    if (!names) {
      names = ready;
      names_problems = found;
    }
  }
  if (auto e = strict_error(names_key, found)) return *e;
  return ready;
}

Result<std::shared_ptr<const NamePlaces>> Log::State::read_places() {
  {
    std::lock_guard lock(mutex);
    if (names) return std::shared_ptr<const NamePlaces>(names);
  }
  // Of small name tables nothing is left out: they will likely be asked for again.
  constexpr std::uint64_t large_names = std::uint64_t{16} << 20;
  std::vector<Problem> found;
  ProblemSink sink("names", "", found);
  std::shared_ptr<const NamePlaces> places;
  if (auto at = regions.find(names_key);
      at != regions.end() && likely_size(file.bytes().subspan(at->second.offset, at->second.length)) >
                                 std::min(large_names, options.whole_region_bytes)) {
    RegionStream region = stream(names_key, false, sink);
    places = PlacesOnly::of(region, header, mounts, sink);
    counts.bytes_inflated += region.inflated();
  }
  if (!places) {
    auto all = read_names();
    if (!all) return all.error();
    return std::shared_ptr<const NamePlaces>(*all);
  }
  remember(names_key, found);
  if (auto e = strict_error(names_key, found)) return *e;
  return places;
}

}  // namespace darrow

#include "scan/log_tables.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "log/meta_tables.hpp"
#include "table/build.hpp"

namespace darrow {
namespace {

/// Bytes of the texts that are not UTF-8; the others are null, as their text says all.
class OddBytes {
 public:
  explicit OddBytes(std::string name) : bytes_(std::move(name)) {}
  void add(std::string_view text) {
    if (is_utf8(text)) bytes_.add_null();
    else bytes_.add_valid(text);
  }
  Column finish() && { return std::move(bytes_).finish(ColumnType::binary); }

 private:
  TextBuilder bytes_;
};

/// A table of the log itself.
Table own(const Log& log, std::string_view name) { return *log.table(name).value(); }

Result<RegionFacts> read_region(const Log& log, const ModuleInfo& info) {
  RegionFacts facts{.id = info.id};
  if (info.status != ModuleStatus::readable) {
    auto bytes = log.bytes(info.name);
    if (!bytes) return bytes.error();
    facts.inflated = bytes->size;
    if (info.length > 0) facts.data = *bytes;
    return facts;
  }
  TableOptions ids;
  ids.part = TableOptions::Part::records;
  ids.columns = {"id"};
  auto scan = log.open_scan(info.name, ids);
  if (!scan) return scan.error();
  for (;;) {
    auto batch = (*scan)->next();
    if (!batch) return batch.error();
    if (!*batch) break;
  }
  facts.inflated = (*scan)->region_bytes();
  facts.records = (*scan)->records();
  return facts;
}

}  // namespace

Table jobs_of(const Log* log) {
  Table t = log ? own(*log, "job") : job_table(Log::State{});
  std::erase_if(t.columns, [](const Column& c) { return c.name == "jobid"; });  // all tables begin with it
  OddBytes exe("exe_bytes"), path("log_bytes");
  std::vector<std::optional<std::uint64_t>> size;
  if (t.rows > 0) {
    exe.add(log->job()->exe);
    path.add(log->path());
    size.emplace_back(log->size());
  }
  t.columns.push_back(std::move(exe).finish());
  t.columns.push_back(std::move(path).finish());
  t.columns.push_back(value_column<std::uint64_t>("size", size));
  return t;
}

Table names_of(const Names* names, const NameFilter& filter, std::int64_t begin, std::int64_t end) {
  std::vector<std::optional<std::uint64_t>> ids;
  TextBuilder texts("name");
  OddBytes bytes("name_bytes");
  for (std::int64_t i = begin; i < end; ++i) {
    const std::string_view name = names->name(i);
    const bool plain = is_utf8(name);
    const std::string escaped = plain ? std::string() : escape_utf8(name);
    const std::string_view shown = plain ? name : escaped;
    if (!filter.takes(names->id(i), shown)) continue;
    ids.emplace_back(names->id(i));
    texts.add_valid(shown);
    bytes.add(name);
  }
  Table t;
  t.rows = static_cast<std::int64_t>(ids.size());
  t.columns.push_back(value_column<std::uint64_t>("id", ids));
  t.columns.push_back(std::move(texts).finish());
  t.columns.push_back(std::move(bytes).finish());
  return t;
}

Table mounts_of(const Log* log) {
  Table t = log ? own(*log, "mounts") : mounts_table(Log::State{});
  OddBytes paths("path_bytes"), types("fs_type_bytes");
  if (log)
    for (const auto& m : log->mounts()) {
      paths.add(m.path);
      types.add(m.fs_type);
    }
  t.columns.push_back(std::move(paths).finish());
  t.columns.push_back(std::move(types).finish());
  return t;
}

Table metadata_of(const Log* log) {
  TextBuilder keys("key"), values("value");
  OddBytes key_bytes("key_bytes"), value_bytes("value_bytes");
  if (log && log->job())
    for (const auto& [key, value] : log->job()->metadata) {
      keys.add(key);
      values.add(value);
      key_bytes.add(key);
      value_bytes.add(value);
    }
  Table t;
  t.rows = keys.size();
  t.columns.push_back(std::move(keys).finish());
  t.columns.push_back(std::move(values).finish());
  t.columns.push_back(std::move(key_bytes).finish());
  t.columns.push_back(std::move(value_bytes).finish());
  return t;
}

Table problems_of(const Log* log) { return log ? own(*log, "problems") : problems_table({}); }

Result<Table> metrics_of(const Log* log, LayerSums* sums) {
  if (!log) return layers_schema();
  if (auto e = sums->read_rest()) return *e;
  return sums->table();
}

bool needs_regions(std::string_view column) {
  return column == "inflated" || column == "records" || column == "damaged" || column == "data";
}

Result<Table> modules_of(const Log* log, bool regions, std::span<const RegionFacts> known) {
  Table t = log ? own(*log, "modules") : modules_table(Log::State{});
  if (!regions) return t;
  std::vector<std::optional<std::uint64_t>> inflated;
  std::vector<std::optional<std::int64_t>> records;
  std::vector<std::optional<bool>> damaged;
  TextBuilder data("data");
  if (log) {
    auto names = log->names();
    if (!names) return names.error();
    for (const auto& info : log->modules()) {
      const auto same = std::ranges::find(known, info.id, &RegionFacts::id);
      auto facts = same != known.end() ? Result<RegionFacts>(*same) : read_region(*log, info);
      if (!facts) return facts.error();
      inflated.emplace_back(facts->inflated);
      records.push_back(facts->records);
      if (facts->data.data) {
        data.add_valid({reinterpret_cast<const char*>(facts->data.data), facts->data.size});
      } else {
        data.add_null();
      }
    }
    const auto problems = log->problems();
    const bool names_damaged =
        std::ranges::any_of(problems, [](const Problem& p) { return p.region == "names" && p.is_damage(); });
    for (std::size_t m = 0; m < log->modules().size(); ++m) {
      const bool has_names = records[m].value_or(0) > 0;
      damaged.emplace_back((has_names && names_damaged) || is_damaged(problems, log->modules()[m].name));
    }
  }
  t.columns.push_back(value_column<std::uint64_t>("inflated", inflated));
  t.columns.push_back(value_column<std::int64_t>("records", records));
  t.columns.push_back(value_column<bool>("damaged", damaged));
  t.columns.push_back(std::move(data).finish(ColumnType::binary));
  return t;
}

std::optional<Error> read_rest(const Log& log, std::span<const RegionFacts> known) {
  if (auto names = log.names(); !names) return names.error();
  for (const auto& info : log.modules()) {
    if (std::ranges::count(known, info.id, &RegionFacts::id)) continue;
    if (info.status == ModuleStatus::readable) {
      if (auto rows = log.scan(info.name, {}, [](const Table&) {}); !rows) return rows.error();
    } else if (auto bytes = log.bytes(info.name); !bytes) {
      return bytes.error();
    }
  }
  return {};
}

}  // namespace darrow

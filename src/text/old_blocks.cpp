#include "text/old_blocks.hpp"

#include <algorithm>

#include "aggregate/compat_wrap.hpp"
#include "modules/parser_text.hpp"

namespace darrow::util_text {
namespace {

constexpr double mebibyte = 1 << 20;

double value_of(const Table& table, const Field& field, std::size_t row) {
  return table.find(field.label())->values<double>()[row];
}
double value_of(const Table& table, Role role, std::size_t row) {
  return value_of(table, *find_role(table.module->fields, role), row);
}
/// A time by the end of its counter's name: those of the kinds of calls have no roles.
double timestamp(const Table& table, std::string_view ending, std::size_t row) {
  for (const auto& field : table.module->fields)
    if (field.name.ends_with(ending)) return value_of(table, field, row);
  return 0;
}

}  // namespace

bool FileList::has_list(const Module& module) { return parser_text(module).file_list; }

FileList::FileList(const Module& module, std::int64_t nprocs) : module_(module), nprocs_(nprocs) {
  auto take = [&](std::vector<const Field*>& list, auto wanted) {
    for (const auto& field : module.fields)
      if (field.in(module.current()) && wanted(field)) list.push_back(&field);
  };
  take(time_fields_, [](const Field& f) { return f.rule == Rule::start || f.rule == Rule::end; });
  take(count_fields_, [](const Field& f) { return f.role == Role::opens; });
  take(count_fields_, [](const Field& f) { return f.role == Role::size_read; });
  take(count_fields_, [](const Field& f) { return f.role == Role::size_write; });
}

void FileList::add(const Table& records) {
  auto ids = records.find(id_field.name)->values<std::uint64_t>();
  auto ranks = records.find(rank_field.name)->values<std::int64_t>();
  for (std::size_t r = 0; r < ids.size(); ++r) {
    auto [at, is_new] = numbers_.try_emplace(ids[r], files_.size());
    if (is_new) {
      files_.emplace_back();
      files_.back().id = ids[r];
      files_.back().times.resize(time_fields_.size());
      files_.back().counts.resize(count_fields_.size());
    }
    File& file = files_[at->second];
    const double meta = value_of(records, Role::meta_time, r);
    const double io = meta + value_of(records, Role::read_time, r) + value_of(records, Role::write_time, r);
    const double slowest = value_of(records, Role::slowest_time, r);
    ++file.records;
    file.total += io;
    if (ranks[r] < 0) {
      file.is_shared = true;
      file.slowest = slowest;
      const double opened = timestamp(records, "_F_OPEN_START_TIMESTAMP", r),
                   closed = timestamp(records, "_F_CLOSE_END_TIMESTAMP", r);
      const double last =
          std::max(timestamp(records, "_F_READ_END_TIMESTAMP", r), timestamp(records, "_F_WRITE_END_TIMESTAMP", r));
      shared_.io += io / static_cast<double>(nprocs_);
      shared_.meta += meta / static_cast<double>(nprocs_);
      if (closed > opened) shared_.open += closed - opened;
      if (last > opened) shared_.open_to_io += last - opened;
    } else if (!file.is_shared) {
      file.slowest = std::max(file.slowest, io);
    }
    for (std::size_t i = 0; i < time_fields_.size(); ++i) {
      const double time = value_of(records, *time_fields_[i], r);
      double& known = file.times[i];
      if (time_fields_[i]->rule == Rule::end) known = std::max(known, time);
      else if (time > 0 && (known == 0 || time < known)) known = time;
    }
    for (std::size_t i = 0; i < count_fields_.size(); ++i)
      file.counts[i] = compat::add(file.counts[i], records.find(count_fields_[i]->label())->values<std::int64_t>()[r]);
  }
}

void FileList::write(const Source& source, bool detailed, TextBuffer& out) const {
  out.put(
      "\n# Per-file summary of I/O activity.\n"
      "# <record_id>: hash of the name\n"
      "# <file_name>: the name\n"
      "# <nprocs>: processes that used the file\n"
      "# <slowest>: seconds in I/O of the slowest of them\n"
      "# <avg>: seconds in I/O of a process on average\n");
  if (detailed)
    out.put(
        "# <start_*>, <end_*>: first start and last end of each kind of call\n"
        "# other columns: counters of that name\n");
  out.put("\n# <record_id>\t<file_name>\t<nprocs>\t<slowest>\t<avg>");
  if (detailed) {
    for (const auto& fields : {time_fields_, count_fields_})
      for (const Field* field : fields) out.put("\t<").put(field->name).put(">");
  }
  out.put("\n");
  for (const File& file : files_) {
    const std::int64_t position = source.names->find(file.id);
    const std::int64_t processes = file.is_shared ? nprocs_ : file.records;
    out.integer(file.id).put("\t");
    out.put(position < 0 ? "(null)" : source.shown(source.names->name(position))).put("\t");
    out.integer(processes).put("\t").fixed6(file.slowest).put("\t");
    out.fixed6(file.total / static_cast<double>(processes));
    if (detailed) {
      for (double time : file.times) out.put("\t").fixed6(time);
      for (auto count : file.counts) out.put("\t").integer(count);
    }
    out.put("\n");
  }
}

void FileList::write_performance(const Performance& performance, TextBuffer& out) const {
  auto rate = [&](double shared) {
    const double time = performance.unique_time + shared;
    return time > 0 ? static_cast<double>(performance.total_bytes) / mebibyte / time : 0.0;
  };
  out.put("# shared files: time_by_cumul_io_only: ").fixed6(shared_.io).put("\n");
  out.put("# shared files: time_by_cumul_meta_only: ").fixed6(shared_.meta).put("\n");
  out.put("# shared files: time_by_open: ").fixed6(shared_.open).put("\n");
  out.put("# shared files: time_by_open_lastio: ").fixed6(shared_.open_to_io).put("\n");
  out.put("# agg_perf_by_cumul: ").fixed6(rate(shared_.io)).put(" # MiB/s\n");
  out.put("# agg_perf_by_open: ").fixed6(rate(shared_.open)).put(" # MiB/s\n");
  out.put("# agg_perf_by_open_lastio: ").fixed6(rate(shared_.open_to_io)).put(" # MiB/s\n");
}

}  // namespace darrow::util_text

#include "darrow/parser_text.hpp"

#include <fmt/format.h>

#include "base/guarded.hpp"
#include "darrow/summary.hpp"
#include "text/data_lines.hpp"
#include "text/head.hpp"
#include "text/heatmap_repair.hpp"
#include "text/old_blocks.hpp"
#include "text/row_places.hpp"
#include "text/totals.hpp"

namespace darrow {
namespace {

using namespace util_text;

constexpr std::size_t stars = 55;

/// Writes one log.
class ParserWriter {
 public:
  ParserWriter(const Source& source, const ParserTextOptions& options, const TextOutput& output)
      : source_(source), options_(options), output_(output), out_(output.text), places_(source) {}

  TextEnd write() {
    write_head(source_, out_);
    if (options_.base) write_columns();
    bool any = false;
    for (const auto& info : source_.modules) {
      any = any || info.length > 0;
      if (!write_section(info)) {
        out_.flush();
        output_.complain(incomplete_complaint(info.name));
        return TextEnd::stopped;
      }
    }
    if (!any) out_.put("\n# no module data available.\n");
    out_.flush();
    return lost_ ? TextEnd::lost : TextEnd::complete;
  }

 private:
  bool compat() const { return source_.compat.has_value(); }
  bool adds() const {
    return options_.total || options_.file || options_.perf || options_.file_list || options_.file_list_detailed;
  }

  void complain(const ModuleInfo& info, std::string_view message) {
    out_.flush();
    output_.complain(fmt::format("{}: {}", info.name, message));
  }

  void write_columns() {
    out_.put(
        "\n# description of columns:\n"
        "#   <module>: the part of Darshan that made the record\n"
        "#   <rank>: process in MPI_COMM_WORLD; -1 stands for all of them,\n"
        "#      whose numbers are in one record then\n"
        "#   <record id>: hash of the name\n"
        "#   <counter>: what was counted\n"
        "#   <value>: how much. -1 says that Darshan could not know it,\n"
        "#      unless the counter can be negative\n"
        "#   <file name>: the name whose hash the record id is\n"
        "#   <mount pt>: the mounted file system on which that lies\n"
        "#   <fs type>: its type; UNKNOWN where the log does not tell\n");
  }

  /// Whether records of a module are looked at at all; complains where that is a surprise.
  bool is_shown(const ModuleInfo& info) {
    if (!info.module) {
      if (compat() && info.length > 0) complain(info, "an unknown module: skipped");
      return false;
    }
    if (info.length == 0) return true;  // told to be incomplete
    const Module& module = *info.module;
    if (compat() && (module.example || (parser_text(module).optional && source_.compat == UtilBuild::main))) {
      complain(info, "this build cannot print the module: skipped");
      return false;
    }
    if (module.shape == Shape::segments) return false;
    return options_.base || Adder::can_add(module, compat());
  }

  /// False if the text ends here.
  bool write_section(const ModuleInfo& info) {
    if (!is_shown(info)) return true;
    write_banner(info.name, stars, out_);
    if (info.partial) {
      if (compat() && !options_.show_incomplete) return false;
      write_incomplete(info.name, out_);
    }
    if (info.length > 0) write_module(info);
    return true;
  }

  void write_about(const ModuleInfo& info) {
    const ParserText& text = parser_text(*info.module);
    out_.put("\n");
    for (auto line : text.about) out_.put("# ").put(line).put("\n");
    for (const auto& caveat : text.caveats) {
      if (info.version < caveat.first || info.version > caveat.last) continue;
      out_.put("\n");
      for (auto line : caveat.lines) out_.put("# ").put(line).put("\n");
    }
    out_.put("\n");
  }

  void write_module(const ModuleInfo& info) {
    const Module& module = *info.module;
    if (options_.base) {
      write_about(info);
      out_.put("#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>\n");
    }
    std::optional<Adder> adder;
    if (adds() && Adder::can_add(module, compat())) {
      auto created = Adder::create(module, source_.log.job() ? source_.log.job()->nprocs : 0, compat());
      if (created) adder.emplace(std::move(*created));
      else complain(info, created.error().message);
    }
    std::optional<FileList> files;
    if (adder && source_.compat == UtilBuild::v3_4 && FileList::has_list(module))
      files.emplace(module, source_.log.job()->nprocs);
    bool all_read = read(info, adder, files);
    if (adder && (all_read || !compat())) write_blocks(info, *adder, files);
  }

  /// Reads the records, and writes their lines. False if some are lost.
  bool read(const ModuleInfo& info, std::optional<Adder>& adder, std::optional<FileList>& files) {
    const bool synced = options_.base && write_header_record(info);
    TableOptions table_options;
    table_options.columns = line_columns(*info.module);
    table_options.upstream_values = compat();
    HeatmapRepair repair;
    const bool repairs = compat() && parser_text(*info.module).is_heatmap;
    auto rows = source_.log.scan(info.name, table_options, [&](const Table& batch) {
      if (options_.base && repairs) write_records(repair.repaired(batch), synced);
      else if (options_.base) write_records(batch, synced);
      if (files) files->add(batch);
      if (!adder) return;
      if (auto error = adder->add(batch)) {
        complain(info, error->message);
        adder.reset();
      }
    });
    if (!rows) {
      if (rows.error().code != ErrorCode::unsupported_version) {  // else a problem of the log tells it
        complain(info, rows.error().message);
        lost_ = true;
      }
      return false;
    }
    return !is_cut(source_.log, info.name);
  }

  /// The lines of the record that opens the region, if there is one. Whether it says that there are synchronisation times.
  bool write_header_record(const ModuleInfo& info) {
    const ParserText& text = parser_text(*info.module);
    if (text.header.empty()) return true;
    TableOptions header_only;
    header_only.part = TableOptions::Part::header;
    auto header = source_.log.table(info.name, header_only);
    if (!header || (*header)->rows == 0) return false;
    const Column* flag = text.sync_flag.empty() ? nullptr : (*header)->find(text.sync_flag);
    const bool synced = flag && flag->values<std::uint32_t>()[0] != 0;
    places_.begin(**header);
    RecordLines::of_header(**header, synced).write(0, places_.start(0), places_.end(0), out_);
    return synced;
  }

  void write_records(const Table& batch, bool synced) {
    const RecordLines lines(batch, synced);
    places_.begin(batch);
    for (std::int64_t row = 0; row < batch.rows; ++row) lines.write(row, places_.start(row), places_.end(row), out_);
  }

  void write_blocks(const ModuleInfo& info, const Adder& adder, const std::optional<FileList>& files) {
    const Totals totals = adder.totals(is_damaged(source_.log, info.name));
    if (options_.total) {
      write_about(info);
      write_total(totals, out_);
    }
    if (options_.file && totals.files) write_files(totals, out_);
    if (options_.perf && totals.performance) write_performance(totals, out_);
    if (!files) return;
    if (options_.perf) files->write_performance(*totals.performance, out_);
    if (options_.file_list) files->write(source_, false, out_);
    if (options_.file_list_detailed) files->write(source_, true, out_);
  }

  const Source& source_;
  const ParserTextOptions& options_;
  const TextOutput& output_;
  TextBuffer out_;
  RowPlaces places_;
  bool lost_ = false;
};

}  // namespace

Result<TextEnd> write_parser_text(const Log& log, const ParserTextOptions& options, const TextOutput& output) {
  return guarded(log.path(), [&]() -> Result<TextEnd> {
    auto source = Source::open(log, options.compat, options.raw);
    if (!source) return source.error();
    return ParserWriter(*source, options, output).write();
  });
}

}  // namespace darrow

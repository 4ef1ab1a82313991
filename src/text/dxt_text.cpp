#include <fmt/format.h>

#include "base/guarded.hpp"
#include "darrow/parser_text.hpp"
#include "darrow/trace.hpp"
#include "modules/parser_text.hpp"
#include "text/head.hpp"
#include "text/stripes.hpp"

namespace darrow {
namespace {

using namespace util_text;

constexpr std::size_t stars = 51;

/// Writes the traces of one log.
class DxtWriter {
 public:
  DxtWriter(const Source& source, const DxtTextOptions& options, const TextOutput& output)
      : source_(source),
        options_(options),
        output_(output),
        out_(output.text),
        has_threads_(!source.compat || source.compat == UtilBuild::main) {}

  TextEnd write() {
    write_head(source_, out_);
    TextEnd end = write_modules();
    out_.flush();
    return end == TextEnd::complete && lost_ ? TextEnd::lost : end;
  }

 private:
  static bool is_trace(const ModuleInfo& info) { return info.module && info.module->shape == Shape::segments; }

  TextEnd write_modules() {
    bool any = false;
    for (const auto& info : source_.modules) any = any || (is_trace(info) && info.length > 0);
    if (!any) {
      out_.put("\n# no DXT module data available for this Darshan log.\n");
      return TextEnd::complete;
    }
    for (const auto& info : source_.modules) {
      const bool stripes = info.module && parser_text(*info.module).components;
      if (info.length == 0 || !(stripes || is_trace(info))) continue;
      if (is_trace(info)) write_banner(info.name, stars, out_);
      if (info.partial) {
        if (source_.compat && !options_.show_incomplete) {
          complain(incomplete_complaint(info.name));
          return TextEnd::stopped;
        }
        write_incomplete(info.name, out_);
      }
      const bool all_read = stripes ? read_stripes(info) : write_trace(info);
      if (!all_read && source_.compat) return TextEnd::stopped;
    }
    return TextEnd::complete;
  }

  void complain(const std::string& message) {
    out_.flush();
    output_.complain(message);
  }

  /// Whether all of a module was read. Complains where no problem of the log tells why not.
  template <typename T>
  bool is_read(const ModuleInfo& info, const Result<T>& rows) {
    if (rows) return !is_cut(source_.log, info.name);
    if (rows.error().code != ErrorCode::unsupported_version) {
      complain(fmt::format("{}: {}", info.name, rows.error().message));
      lost_ = true;
    }
    return false;
  }

  bool read_stripes(const ModuleInfo& info) {
    TableOptions columns;
    columns.columns = {std::string(id_field.name), std::string(parser_text(*info.module).components->column)};
    return is_read(info, source_.log.scan(info.name, columns, [&](const Table& batch) { stripes_.add(batch); }));
  }

  bool write_trace(const ModuleInfo& info) {
    if (source_.compat && source_.compat != UtilBuild::main && info.module->has_version(info.version) &&
        info.module->versions[info.version - 1].release.empty()) {
      complain(fmt::format("{}: this build does not read version {} of the module", info.name, info.version));
      return false;
    }
    has_targets_ = info.module->id == trace_of_files;
    tag_ = fmt::format("X_{}", info.name.substr(info.name.find('_') + 1));
    auto rows = read_trace(
        source_.log, info.name, {.upstream_values = source_.compat.has_value()},
        [&](const TraceRecord& record) { begin(record); },
        [&](std::span<const TraceSegment> segments) {
          for (const auto& segment : segments) write_segment(segment);
        });
    return is_read(info, rows);
  }

  void begin(const TraceRecord& record) {
    const std::int64_t position = source_.names->find(record.id);
    const Mount* mount = source_.mount_of(position);
    layout_ = has_targets_ ? stripes_.find(record.id) : nullptr;
    out_.put("\n# DXT, file_id: ").integer(record.id).put(", file_name: ");
    out_.put(position < 0 ? "(null)" : source_.shown(source_.names->name(position))).put("\n");
    out_.put("# DXT, rank: ").integer(record.rank).put(", hostname: ").put(source_.shown(record.host)).put("\n");
    thread_known_ = record.threads.has_value();
    if (has_threads_) {
      std::int64_t threads = std::max<std::int64_t>(record.threads.value_or(1), 1);
      out_.put("# DXT, number of threads: ").integer(threads).put("\n");
    }
    out_.put("# DXT, write_count: ").integer(record.writes).put(", read_count: ").integer(record.reads).put("\n");
    out_.put("# DXT, mnt_pt: ").put(mount ? source_.shown(mount->path) : "UNKNOWN");
    out_.put(", fs_type: ").put(mount ? source_.shown(mount->fs_type) : "UNKNOWN").put("\n");
    if (layout_) write_layout();
    out_.put(has_threads_ ? "# Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)"
                          : "# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)");
    if (layout_) out_.put("   [OST]");
    out_.put(has_threads_ ? "   Pthread-ID\n" : "\n");

    starts_[0] = fmt::format("{:>8}{:>8}{:>7}", tag_, record.rank, "write");
    starts_[1] = fmt::format("{:>8}{:>8}{:>7}", tag_, record.rank, "read");
    writes_ = record.writes;
    segment_ = 0;
  }

  void write_layout() {
    out_.put("# DXT, Lustre stripe components:\n");
    for (std::size_t i = 0; i < layout_->size(); ++i) {
      const StripeComponent& c = (*layout_)[i];
      out_.put("#\t[Component ").integer(i + 1).put("] stripe_ext: ").integer(c.begin).put(" - ");
      if (c.end == -1) out_.put("EOF");
      else out_.integer(c.end);
      out_.put(", stripe_size: ").integer(c.stripe_size).put(", stripe_count: ").integer(c.stripe_count);
      out_.put(", OSTs:");
      for (auto target : c.targets) out_.put(" ").integer(target);
      out_.put("\n");
    }
  }

  void write_segment(const TraceSegment& segment) {
    const bool is_write = segment_ < writes_;
    const std::int64_t number = is_write ? segment_ : segment_ - writes_;
    ++segment_;
    const std::string& start = starts_[is_write ? 0 : 1];
    char* to = out_.room(start.size() + 5 * longest_number + 2);
    std::memcpy(to, start.data(), start.size());
    to += start.size();
    auto integer = [](auto value) { return [value](char* at) { return put_integer(at, value); }; };
    auto time = [](double value) { return [value](char* at) { return put_fixed4(at, value); }; };
    to = put_right(to, 9, integer(number));
    to = put_right(to, 16, integer(segment.offset));
    to = put_right(to, 16, integer(segment.length));
    to = put_right(to, 12, time(segment.start));
    to = put_right(to, 12, time(segment.end));
    out_.wrote(to);
    // Releases without threads end the lines of files in three blanks, where OSTs would follow, and others in none.
    out_.put(has_threads_ ? "  " : has_targets_ ? "   " : "");
    if (layout_) write_targets(segment);
    if (has_threads_) {
      to = out_.room(longest_number + 4);
      *to++ = ' ';
      to = thread_known_ ? put_right(to, 4, integer(segment.thread)) : put_right(to, 3, [](char* at) {
        std::memcpy(at, "N/A", 3);
        return at + 3;
      });
      out_.wrote(to);
    }
    out_.put("\n");
  }

  void write_targets(const TraceSegment& segment) {
    targets_of(*layout_, segment.offset, segment.length, source_.compat.has_value(), targets_);
    for (auto target : targets_) out_.put(" [").integer(target).put("]");
    if (!layout_->empty()) out_.put("  ");
  }

  static constexpr int trace_of_files = 10;  ///< DXT_POSIX: its offsets are those of the file itself

  const Source& source_;
  const DxtTextOptions& options_;
  const TextOutput& output_;
  TextBuffer out_;
  const bool has_threads_;  ///< whether the text tells threads
  StripeTable stripes_;
  bool lost_ = false;

  // Of the module and record that is being written:
  bool has_targets_ = false, thread_known_ = false;
  std::string tag_, starts_[2];  ///< of writes and reads
  const Stripes* layout_ = nullptr;
  std::int64_t writes_ = 0, segment_ = 0;
  std::vector<std::int64_t> targets_;
};

}  // namespace

Result<TextEnd> write_dxt_text(const Log& log, const DxtTextOptions& options, const TextOutput& output) {
  return guarded(log.path(), [&]() -> Result<TextEnd> {
    auto source = Source::open(log, options.compat, options.raw);
    if (!source) return source.error();
    return DxtWriter(*source, options, output).write();
  });
}

}  // namespace darrow

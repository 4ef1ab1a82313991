// What `darrow analyze` prints for people.
#include <fmt/format.h>

#include "cli/analyze.hpp"
#include "render/row_text.hpp"
#include "render/units.hpp"

namespace darrow::cli {
namespace {

using render::Align;
using render::Look;
using render::Sink;
using render::TextTable;

constexpr std::size_t indent = 2;

std::string bucket_label(std::size_t bucket) {
  auto percent = [](double share) { return fmt::format("{:.0f}%", 100 * share); };
  if (bucket == share_buckets) return "not known";
  if (bucket == 0) return "up to " + percent(share_ends[0]);
  if (bucket == share_ends.size()) return "more than " + percent(share_ends.back());
  return fmt::format("{} to {}", percent(share_ends[bucket - 1]), percent(share_ends[bucket]));
}

/// A section with a row for each kind of log.
class Section {
 public:
  Section(std::string title, std::int64_t logs)
      : logs_(logs),
        table_({{.header = std::move(title), .fit = render::Fit::cut_end},
                {.header = "logs", .align = Align::right},
                {.header = "of all", .align = Align::right}}) {}
  void row(std::string label, std::int64_t count) {
    auto share = logs_ ? render::human_share(static_cast<double>(count) / static_cast<double>(logs_)) : "-";
    table_.row({std::move(label), render::human_count(count), share});
  }
  void render(Sink& sink, const Look& look) const {
    sink.put('\n');
    table_.render(sink, look, indent);
  }

 private:
  std::int64_t logs_;
  TextTable table_;
};

}  // namespace

void analysis_text(const Analysis& analysis, Sink& sink, const Look& look) {
  auto logs = static_cast<std::int64_t>(analysis.logs.size());
  sink.put(render::bold(render::counted(logs, "log"), look));
  if (!analysis.damaged.empty()) sink.put(fmt::format(", {} more damaged", analysis.damaged.size()));
  if (!analysis.unreadable.empty()) sink.put(fmt::format(", {} that cannot be read", analysis.unreadable.size()));
  if (!analysis.repeated.empty())
    sink.put(fmt::format(", {} more that {} the same as another", analysis.repeated.size(),
                         analysis.repeated.size() == 1 ? "is" : "are"));
  if (!analysis.not_logs.empty())
    sink.put(fmt::format(", {} that {}", render::counted(static_cast<std::int64_t>(analysis.not_logs.size()), "file"),
                         analysis.not_logs.size() == 1 ? "is none" : "are none"));
  sink.put('\n');

  Section access("access", logs);
  for (std::size_t i = 0; i < accesses; ++i)
    access.row(std::string(access_names[i].label), analysis.count(static_cast<Access>(i)));
  access.render(sink, look);

  Section shares("I/O part of run time", logs);
  auto counts = analysis.shares();
  for (std::size_t i = 0; i < share_buckets; ++i) shares.row(bucket_label(i), counts[i]);
  if (counts[share_buckets]) shares.row(bucket_label(share_buckets), counts[share_buckets]);
  shares.render(sink, look);
}

void upstream_analysis_text(const Analysis& analysis, std::int64_t files, std::string_view directory, Sink& sink) {
  sink.put(fmt::format("log dir: {}\ntotal logs: {}\n", directory, files));
  auto line = [&](std::string_view label, Access access) {
    auto count = analysis.count(access);
    auto share = files ? fmt::format("{:f}", static_cast<double>(count) / static_cast<double>(files)) : "-nan";
    sink.put(fmt::format("{:>24}: {} [{}]\n", label, share, count));
  };
  line("shared file access", Access::shared);
  line("file-per-proccess access", Access::unique);
  line("mpio access", Access::mpiio);
  line("pnetcdf access", Access::pnetcdf);
  line("hdf5 access", Access::hdf5);
  sink.put("\nI/O percentage of runtime:\n");
  auto counts = analysis.shares();
  counts[0] += counts[share_buckets] + files - static_cast<std::int64_t>(analysis.logs.size());
  for (std::size_t i = 0; i < share_buckets; ++i)
    sink.put(fmt::format("{:.2f}-{:.2f}: {}\n", i ? share_ends[i - 1] : 0.0,
                         i < share_ends.size() ? share_ends[i] : 1.0, counts[i]));
}

}  // namespace darrow::cli

// How large the accesses of a job were.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cli/summary_parts.hpp"
#include "render/units.hpp"

namespace darrow::cli {
namespace {

// "1 KiB to 10 KiB", "above 1 GiB".
std::string bucket(const RowText& row) {
  auto above = row.whole("above"), up_to = row.whole("up_to");
  if (!up_to) return "above " + render::exact_bytes(above.value_or(0));
  if (!above) return "up to " + render::exact_bytes(*up_to);
  return fmt::format("{} to {}", render::exact_bytes(*above), render::exact_bytes(*up_to));
}

// A part of `width` cells, in eighths; never nothing for something.
std::string bar(std::int64_t count, std::int64_t most, std::size_t width) {
  if (count <= 0 || most <= 0) return {};
  double share = static_cast<double>(count) / static_cast<double>(most);
  auto eighths = std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(8 * width) + 0.5));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  static constexpr const char* parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  return text + parts[eighths % 8];
}

struct Bucket {
  RowText row;
  std::int64_t reads = 0, writes = 0;
  bool used() const { return reads != 0 || writes != 0; }
};

using Buckets = std::vector<std::vector<Bucket>>;

// The buckets of each module, both operations together.
Buckets buckets_of(const Table& sizes) {
  Buckets modules;
  for (auto& row : rows_of(sizes)) {
    if (modules.empty() || modules.back()[0].row.text("module") != row.text("module")) modules.emplace_back();
    auto& list = modules.back();
    auto same =
        std::find_if(list.begin(), list.end(), [&](auto& b) { return b.row.whole("above") == row.whole("above"); });
    if (same == list.end()) same = list.insert(list.end(), {row});
    (row.text("op") == "read" ? same->reads : same->writes) = row.whole("count").value_or(0);
  }
  return modules;
}

// A row a bucket, with bars.
void histogram_text(const Buckets& modules, render::Sink& sink, const render::Look& look) {
  std::size_t width = render::layout_width(look) >= wide ? 20 : 12;
  render::TextTable table({{.header = "module"},
                           {.header = "bytes of a call"},
                           {.header = "reads", .align = render::Align::right},
                           {.header = "", .spare = 1},
                           {.header = "writes", .align = render::Align::right},
                           {.header = "", .spare = 1}});
  for (auto& module : modules) {
    std::int64_t most = 0;
    for (auto& b : module) most = std::max({most, b.reads, b.writes});
    bool first = true;
    for (auto& b : module) {
      if (!b.used()) continue;
      table.row({first ? std::string(b.row.text("module")) : "", bucket(b.row), render::human_count(b.reads),
                 bar(b.reads, most, width), render::human_count(b.writes), bar(b.writes, most, width)});
      first = false;
    }
  }
  begin_section("Access sizes", "calls by the bytes they moved", sink, look);
  table.render(sink, look, 2);
}

// A row for the reads and one for the writes of a module, a column a bucket.
void matrix_text(const Buckets& modules, render::Sink& sink, const render::Look& look) {
  std::vector<render::TextColumn> columns = {{.header = "module"}, {.header = "calls"}};
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < modules[0].size(); ++i) {
    if (std::none_of(modules.begin(), modules.end(), [&](auto& module) { return module[i].used(); })) continue;
    used.push_back(i);
    auto up_to = modules[0][i].row.whole("up_to");
    columns.push_back({.header = up_to ? render::exact_bytes(*up_to) : "more", .align = render::Align::right});
  }
  render::TextTable table(std::move(columns));
  auto add = [&](const std::vector<Bucket>& module, std::string_view name, std::string_view op, auto count) {
    std::vector<std::string> cells = {std::string(name), std::string(op)};
    for (auto i : used) cells.push_back(render::human_count(count(module[i])));
    table.row(std::move(cells));
  };
  for (auto& module : modules) {
    add(module, module[0].row.text("module"), "reads", [](auto& b) { return b.reads; });
    add(module, "", "writes", [](auto& b) { return b.writes; });
  }
  begin_section("Access sizes", "calls by the bytes they moved, up to", sink, look);
  table.render_blocks(sink, look, 2, 2);
}

}  // namespace

void access_sizes_text(const Table& sizes, bool details, render::Sink& sink, const render::Look& look) {
  constexpr std::ptrdiff_t most = 20;
  Buckets modules = buckets_of(sizes);
  std::ptrdiff_t rows = 0;
  std::erase_if(modules, [&](auto& module) {
    auto used = std::count_if(module.begin(), module.end(), [](auto& b) { return b.used(); });
    rows += used;
    return used == 0;
  });
  if (modules.empty()) return;
  if (details || rows <= most) histogram_text(modules, sink, look);
  else matrix_text(modules, sink, look);
}

namespace {

/// The sizes of one module, each as a text.
struct Common {
  std::string module;
  std::vector<std::string> sizes;
};

std::vector<Common> common_sizes(const Table& sizes, bool counts) {
  std::vector<Common> modules;
  for (auto& row : rows_of(sizes)) {
    if (modules.empty() || modules.back().module != row.text("module"))
      modules.push_back({std::string(row.text("module")), {}});
    auto size = row.whole("size"), count = row.whole("count");
    auto& list = modules.back().sizes;
    if (!size && (list.empty() || count.value_or(1) == 0)) continue;
    list.push_back(fmt::format("{} {}", size ? render::exact_bytes(*size) : "others", row.share("share")));
    if (counts && count) list.back() += fmt::format(" ({})", render::human_count(*count));
  }
  std::erase_if(modules, [](auto& module) { return module.sizes.empty(); });
  return modules;
}

}  // namespace

void common_sizes_text(const Table& sizes, render::Sink& sink, const render::Look& look) {
  std::size_t room = render::layout_width(look), names = 6;
  auto modules = common_sizes(sizes, room >= wide);
  if (modules.empty()) return;
  for (auto& module : modules) names = std::max(names, module.module.size());
  render::TextTable table({{.header = "module"}, {.header = "size, and its part of the calls"}});
  for (auto& module : modules) {
    std::string line;
    for (auto& size : module.sizes) {
      if (!line.empty() && names + 4 + line.size() + size.size() + 3 > room) {
        table.row({std::move(module.module), line + ","});
        module.module.clear();
        line.clear();
      }
      line += (line.empty() ? "" : ", ") + size;
    }
    table.row({std::move(module.module), line});
  }
  begin_section("Most common sizes", "at least so often, for a record lists four at most", sink, look);
  table.render(sink, look, 2);
}

}  // namespace darrow::cli

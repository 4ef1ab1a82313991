#include "render/overview.hpp"

#include <algorithm>

namespace darrow::render {

void overview_text(const std::vector<RowText>& layers, const std::function<std::string(const RowText&)>& name,
                   Sink& sink, const Look& look) {
  tell({{{.header = "module"}, [&](auto& row) { return name(row) + marks_of(row); }},
        told("files", "files", &RowText::count),
        told("records", "records", &RowText::count, 1),
        told("opens", "opens", &RowText::count, only_wide),
        told("other meta", "meta_ops", &RowText::count, only_wide),
        told("read", "bytes_read", &RowText::bytes),
        told("written", "bytes_written", &RowText::bytes),
        told("I/O time", "time_by_slowest", &RowText::seconds),
        told("rate", "rate", &RowText::rate)},
       layers, sink, look, true);
}

std::string marks_of(const RowText& row) {
  return std::string(row.flag("partial") ? "*" : "") + (row.flag("damaged") ? "!" : "");
}

void marks_text(const std::vector<RowText>& layers, Sink& sink, const Look& look) {
  auto any = [&](std::string_view flag) {
    return std::any_of(layers.begin(), layers.end(), [&](auto& row) { return row.flag(flag); });
  };
  if (any("partial") || any("damaged")) sink.put('\n');
  if (any("partial")) note("* partial: records missing, Darshan ran out of memory (MODMEM, MAX_RECORDS)", sink, look);
  if (any("damaged")) note("! damaged: numbers of what could be read, not to be trusted", sink, look);
}

}  // namespace darrow::render

// `darrow diff`: what two logs differ in.
#include <fmt/format.h>

#include <array>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/logs.hpp"
#include "cli/output.hpp"
#include "render/csv.hpp"
#include "render/json.hpp"

namespace darrow::cli {
namespace {

using Layout = render::JsonWriter::Layout;

void json_value(const DiffValue& value, render::JsonWriter& json) {
  if (auto* text = std::get_if<std::string>(&value)) json.value(*text);
  else if (auto* real = std::get_if<double>(&value)) json.value(*real);
  else if (auto* integer = std::get_if<std::int64_t>(&value)) json.value(*integer);
  else if (auto* natural = std::get_if<std::uint64_t>(&value)) json.value(*natural);
  else json.null();
}

void csv_value(const DiffValue& value, render::CsvWriter& csv) {
  if (auto* text = std::get_if<std::string>(&value)) csv.cell(*text);
  else if (auto* real = std::get_if<double>(&value)) csv.cell(*real);
  else if (auto* integer = std::get_if<std::int64_t>(&value)) csv.cell(*integer);
  else if (auto* natural = std::get_if<std::uint64_t>(&value)) csv.cell(*natural);
  else csv.null();
}

std::optional<std::string> id_text(const Difference& difference) {
  if (!difference.id) return {};
  return std::to_string(*difference.id);
}

/// Nothing for an empty text.
std::optional<std::string> if_any(const std::string& text) {
  if (text.empty()) return {};
  return text;
}

/// Differences in one of the formats, as they come.
class DiffWriter {
 public:
  explicit DiffWriter(const DiffRequest& request)
      : request_(request), json_(out_.sink()), csv_(out_.sink(), out_.terminal()) {
    if (request_.format == Format::csv) csv_.header({"kind", "module", "rank", "id", "name", "counter", "a", "b"});
    if (request_.format != Format::json) return;
    json_.begin_object();
    json_.member("a", display_name(request_.logs[0]));
    json_.member("b", display_name(request_.logs[1]));
    json_.key("differences");
    json_.begin_array();
  }

  void difference(const Difference& difference) {
    switch (request_.format) {
      case Format::table: out_.sink().put(diff_lines(difference)); break;
      case Format::json: json(difference); break;
      case Format::csv: csv(difference); break;
    }
  }
  void next_id() {
    if (request_.format == Format::table) out_.sink().put("\n");
  }
  void complain_of(const std::string& message) {
    out_.flush();
    complain(message);
  }
  void finish() {
    if (request_.format == Format::json) {
      json_.end_array();
      json_.end_object();
      json_.finish();
    }
    out_.flush();
  }

 private:
  void json(const Difference& d) {
    json_.begin_object(Layout::inline_);
    json_.member("kind", to_string(d.kind));
    json_.member("module", if_any(d.module));
    json_.member("rank", d.rank);
    json_.member("id", id_text(d));
    json_.member("name", if_any(d.name));
    json_.member("counter", d.counter);
    json_.key("a");
    json_value(d.a, json_);
    json_.key("b");
    json_value(d.b, json_);
    json_.end_object();
  }

  void csv(const Difference& d) {
    csv_.cell(to_string(d.kind));
    csv_.cell(if_any(d.module));
    csv_.cell(d.rank);
    csv_.cell(id_text(d));
    csv_.cell(if_any(d.name));
    csv_.cell(d.counter);
    csv_value(d.a, csv_);
    csv_value(d.b, csv_);
    csv_.end_row();
  }

  const DiffRequest& request_;
  Output out_;
  render::JsonWriter json_;
  render::CsvWriter csv_;
};

int wrong(std::string_view message) {
  complain(fmt::format("diff: {}", message));
  return usage;
}

}  // namespace

int run_diff(const DiffRequest& request) {
  constexpr double tolerance_of_metrics = 0.1;
  const bool compat = request.diff.compat;
  if (compat && request.only_metrics) return wrong("darshan-diff knows no metrics: --compat excludes --only-metrics");
  if (request.logs[0] == "-" && request.logs[1] == "-") return wrong("only one of the logs can be the standard input");
  DiffOptions options = request.diff;
  options.tolerance = request.tolerance.value_or(request.only_metrics ? tolerance_of_metrics : 0);

  std::array<std::shared_ptr<const Log>, 2> logs;
  for (std::size_t i = 0; i < 2; ++i) {
    auto log = open_log(request.logs[i], request.open);
    auto error = log ? std::nullopt : std::optional(log.error());
    if (log && request.open.strict) error = first_error(display_name(request.logs[i]), (*log)->verify());
    if (error) {
      complain(error->describe());
      return compat ? util_failure : static_cast<int>(nothing);
    }
    logs[i] = *log;
  }

  std::optional<DiffWriter> writer;  // nothing is written before the options make sense
  auto written = [&]() -> DiffWriter& { return writer ? *writer : writer.emplace(request); };
  const DiffOutput output{.difference = [&](const Difference& d) { written().difference(d); },
                          .next_id = [&] { written().next_id(); },
                          .complain = [&](const std::string& message) { written().complain_of(message); }};
  auto end = request.only_metrics ? diff_metrics(*logs[0], *logs[1], options, output)
                                  : diff(*logs[0], *logs[1], options, output);
  if (!end && end.error().code == ErrorCode::invalid_argument) return wrong(end.error().message);
  if (!end) {
    if (writer) writer->finish();
    complain(end.error().describe());
    return compat ? util_failure : static_cast<int>(nothing);
  }
  written().finish();

  Outcome outcome(request);
  for (std::size_t i = 0; i < 2; ++i) {
    auto problems = logs[i]->problems();
    complain_about(display_name(request.logs[i]), problems);
    outcome.read(*logs[i], problems);
  }
  if (compat) return done;
  const int code = outcome.exit_code();
  if (code != done) return code;
  if (end->lost) return lost;
  return end->differences > 0 ? different : done;
}

}  // namespace darrow::cli

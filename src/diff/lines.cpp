#include <fmt/format.h>

#include <cmath>

#include "darrow/diff.hpp"
#include "text/number_text.hpp"

namespace darrow {
namespace {

using Kind = Difference::Kind;

/// A value as darshan-parser writes it.
std::string text_of(const DiffValue& value) {
  char number[util_text::longest_number];
  if (auto* words = std::get_if<std::string>(&value)) return *words;
  if (auto* real = std::get_if<double>(&value)) return {number, util_text::put_fixed6(number, *real)};
  if (auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (auto* natural = std::get_if<std::uint64_t>(&value)) return std::to_string(*natural);
  return {};
}

std::string line_of(const Difference& d, const DiffValue& value) {
  const std::string text = text_of(value);
  switch (d.kind) {
    case Kind::job: return fmt::format("# {}: {}{}", d.counter, d.counter == "exe" ? " " : "", text);
    case Kind::metadata: return fmt::format("# metadata: {} = {}", d.counter, text);
    case Kind::mount: return fmt::format("# mount entry: {} {}", d.counter, text);
    case Kind::name: return fmt::format("# name: {} {}", *d.id, text);
    case Kind::module: return fmt::format("# {} {}: {}", d.module, d.counter, text);
    default: break;
  }
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t\t", d.module, *d.rank, *d.id, d.counter, text, d.name);
}

/// A metric as people read it, with all its digits.
std::string metric_text(const DiffValue& value) {
  if (auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return value.index() == 0 ? "unknown" : text_of(value);
}

std::optional<double> number(const DiffValue& value) {
  if (auto* real = std::get_if<double>(&value)) return *real;
  if (auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  return {};
}

std::string metric_line(const Difference& d) {
  std::string line = fmt::format("{} {}: {} -> {}", d.module, d.counter, metric_text(d.a), metric_text(d.b));
  auto a = number(d.a), b = number(d.b);
  if (a && b && *a != 0) line += fmt::format(" ({:+.1f} %)", (*b - *a) / std::abs(*a) * 100);
  return line + "\n";
}

}  // namespace

std::string diff_lines(const Difference& difference) {
  if (difference.kind == Kind::metric) return metric_line(difference);
  std::string lines;
  if (difference.a.index() > 0) lines += "- " + line_of(difference, difference.a) + "\n";
  if (difference.b.index() > 0) lines += "+ " + line_of(difference, difference.b) + "\n";
  return lines;
}

}  // namespace darrow

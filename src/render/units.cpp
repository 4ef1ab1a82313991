#include "render/units.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

namespace darrow::render {
namespace {

// Three significant digits; of 1,000 and more all before the point.
std::string three_digits(double value) {
  double size = std::fabs(value);
  if (size >= 1e15) return fmt::format("{:.3g}", value);
  if (size >= 999.5) return human_count(std::llround(value));
  return fmt::format("{:.{}f}", value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

}  // namespace

std::string human_bytes(double bytes) {
  static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  // 1023.5 and more would round to 1,024.
  while (std::fabs(bytes) >= (unit == 0 ? 1024 : 1023.5) && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  if (unit == 0 && bytes == std::floor(bytes)) return human_count(static_cast<std::int64_t>(bytes)) + " B";
  return fmt::format("{} {}", three_digits(bytes), units[unit]);
}

std::string human_rate(double bytes_per_second) { return human_bytes(bytes_per_second) + "/s"; }

std::string human_seconds(double seconds) {
  if (!std::isfinite(seconds)) return fmt::format("{} s", seconds);
  double size = std::fabs(seconds);
  if (size == 0) return "0 s";
  if (size < 0.9995e-3) return fmt::format("{} µs", three_digits(seconds * 1e6));
  if (size < 0.9995) return fmt::format("{} ms", three_digits(seconds * 1e3));
  if (size < 119.5) return fmt::format("{} s", three_digits(seconds));
  if (size >= 1e12) return fmt::format("{:.3g} s", seconds);
  auto whole = std::llround(size);
  const char* sign = seconds < 0 ? "-" : "";
  if (whole < 3600) return fmt::format("{}{} min {:02} s", sign, whole / 60, whole % 60);
  auto minutes = (whole + 30) / 60;
  if (minutes < 48 * 60) return fmt::format("{}{} h {:02} min", sign, minutes / 60, minutes % 60);
  auto hours = (whole + 1800) / 3600;
  return fmt::format("{}{} d {:02} h", sign, hours / 24, hours % 24);
}

std::string human_share(double share) {
  double percent = share * 100;
  if (percent == 0) return "0%";
  if (percent == 100) return "100%";
  if (percent > 0 && percent < 0.1) return "<0.1%";
  if (percent < 100 && percent > 99.9) return ">99.9%";
  return fmt::format("{:.1f}%", percent);
}

std::string human_ratio(double ratio) {
  return std::fabs(ratio) < 1e6 ? three_digits(ratio) : fmt::format("{:.3g}", ratio);
}

std::string exact_bytes(std::int64_t bytes) {
  static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes != 0 && bytes % 1024 == 0 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return fmt::format("{} {}", human_count(bytes), units[unit]);
}

std::string human_count(std::int64_t count) {
  std::string digits = fmt::format("{}", count);
  std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, 1, ',');
  return digits;
}

std::string counted(std::int64_t count, std::string_view noun, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", noun);
  if (plural.empty()) return fmt::format("{} {}s", human_count(count), noun);
  return fmt::format("{} {}", human_count(count), plural);
}

std::string iso_time(std::int64_t seconds, std::int64_t nanoseconds) {
  constexpr std::int64_t year_1 = -62'135'596'800, year_10000 = 253'402'300'800;
  if (seconds < year_1 || seconds >= year_10000) return {};
  using namespace std::chrono;
  sys_seconds time{std::chrono::seconds(seconds)};
  auto day = floor<days>(time);
  year_month_day date{day};
  hh_mm_ss clock{time - day};
  std::string fraction;
  if (nanoseconds > 0 && nanoseconds < 1'000'000'000) fraction = fmt::format(".{:09}", nanoseconds);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), fraction);
}

}  // namespace darrow::render

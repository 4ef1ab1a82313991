/// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace darrow::render {

/// "0 B", "1,014 B", "1.50 MiB": three significant digits (four from 1,000 on), powers of 1024.
std::string human_bytes(double bytes);
/// "22.3 MiB/s".
std::string human_rate(double bytes_per_second);
/// "12.3 ms", "4.56 s", "2 h 05 min", "40 d 3 h".
std::string human_seconds(double seconds);
/// "0%", "45.5%", "100%"; what is almost none or almost all does not look like it: "<0.1%", ">99.9%".
std::string human_share(double share);
/// "1.40", "12.3": three significant digits.
std::string human_ratio(double ratio);
/// An exact number of bytes, in the largest unit that leaves a whole number: "1 MiB", "47,008 B".
std::string exact_bytes(std::int64_t bytes);
/// "1,234,567".
std::string human_count(std::int64_t count);
/// "1 file", "3 files".
std::string counted(std::int64_t count, std::string_view noun, std::string_view plural = {});

/// A Unix time as "2025-09-01T00:00:00Z", with nine decimals if `nanoseconds` is in 1 … 999,999,999.
/// Empty if the year would not be in 0001 … 9999.
std::string iso_time(std::int64_t seconds, std::int64_t nanoseconds = 0);

}  // namespace darrow::render

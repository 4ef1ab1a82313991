#include "format/stream_end.hpp"

#include <fmt/format.h>

namespace darrow {

bool starts_zlib(std::span<const std::byte> in) {
  if (in.size() < 2) return false;
  unsigned cmf = std::to_integer<unsigned>(in[0]), flg = std::to_integer<unsigned>(in[1]);
  return (cmf & 15) == 8 && (cmf >> 4) <= 7 && (cmf * 256 + flg) % 31 == 0 && !(flg & 0x20);
}

void report_end(const Step& step, const StreamPlace& place, ProblemSink& problems) {
  auto bytes = static_cast<std::int64_t>(step.out);
  switch (step.end) {
    case End::complete: return;
    case End::damaged:
      problems.at_file(ProblemKind::stream_damaged, place.offset,
                       fmt::format("compressed stream {} is damaged: {} bytes inflated before the damage, untrusted; "
                                   "{} of {} compressed bytes lost",
                                   place.number, step.out, place.rest - step.in, place.region),
                       bytes);
      return;
    case End::truncated:
      problems.at_file(ProblemKind::stream_truncated, place.offset,
                       fmt::format("compressed stream {} ends early: its {} bytes gave {} inflated bytes", place.number,
                                   place.rest, step.out),
                       bytes);
      return;
    case End::full:
      problems.at_file(ProblemKind::region_too_large, place.offset,
                       fmt::format("inflates beyond the limit of {} bytes", place.limit),
                       static_cast<std::int64_t>(place.before + step.out));
      return;
    case End::not_a_stream:
      if (place.number == 1)
        problems.at_file(ProblemKind::stream_damaged, place.offset, "no compressed stream begins here", 0);
      else
        problems.at_file(ProblemKind::trailing_bytes, place.offset,
                         fmt::format("{} bytes behind the last compressed stream", place.rest),
                         static_cast<std::int64_t>(place.rest));
      return;
  }
}

}  // namespace darrow

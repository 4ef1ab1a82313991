/// A piece of the time of a job.
#pragma once

namespace darrow {

/// From `from` on, and before `until`: seconds since the start of the job, as segments have them.
struct TimeWindow {
  double from = 0, until = 0;
};

/// Whether something that lasted from `start` to `end` lies in the window, be it in part. What ends where the window begins
/// lies before it; but what took no time (or ends before it starts, as clocks may tell) lies in the window if its start does.
/// A time that is no number is in every window: nobody knows that it is not.
constexpr bool overlaps(TimeWindow window, double start, double end) {
  return !(start >= window.until) && (!(end <= window.from) || (!(end > start) && !(start < window.from)));
}

}  // namespace darrow

/// What the command tells its caller.
#pragma once

namespace darrow::cli {

enum ExitCode : int {
  done = 0,
  different = 1,  ///< what was compared differs
  usage = 2,      ///< the command line makes no sense
  lost = 3,       ///< something was lost or is untrusted, or some of several logs failed; the rest was done
  nothing = 4,    ///< nothing could be read
};

/// What darshan-util's programs return when they stop.
inline constexpr int util_failure = 255;

}  // namespace darrow::cli

/// The values that darshan-util's reader gives where they are wrong: for compatible mode.
#pragma once

#include "table/records.hpp"

namespace darrow {

/// What its slips depend on beside the records.
struct UpstreamReading {
  bool swapped = false;  ///< the log has the other byte order than this machine
  int h5f_version = 0;   ///< of the log's H5F records; 0: none
};

/// Makes the values that its conversion of old versions looks at what they are there. Goes before the fix-ups.
void spoil_before_fixups(Records& records, UpstreamReading reading);

/// Makes the values what they are in the end. Goes behind the fix-ups.
void spoil_after_fixups(Records& records, UpstreamReading reading);

}  // namespace darrow

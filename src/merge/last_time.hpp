/// When a run did something last.
#pragma once

#include <optional>

#include "darrow/log.hpp"
#include "darrow/result.hpp"

namespace darrow::merging {

/// The last time that records and traces of a log tell, in seconds since its start; nothing if they tell none.
/// Errors: those of Log::scan().
Result<std::optional<double>> last_time(const Log& log);

}  // namespace darrow::merging

/// Common values (access sizes, strides, access shapes) of an aggregate, merged as darshan-util does.
#pragma once

#include <array>
#include <cstdint>

#include "darrow/module.hpp"

namespace darrow::compat {

/// A value of up to 11 numbers (the rest is 0), and how often it occurred.
struct CommonValue {
  std::array<std::int64_t, 11> value{};
  std::int64_t count = 0;
};
using CommonValues = std::array<CommonValue, 4>;

/// Merges the values of a record into those of the aggregate. The result depends on the order of records, and
/// values may get lost.
void merge(CommonValues& aggregate, CommonValues record, Upstream::Common rule);

}  // namespace darrow::compat

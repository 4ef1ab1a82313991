/// Which Lustre targets an access touches.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "darrow/table.hpp"

namespace darrow::util_text {

/// A part of a file with a layout of its own.
struct StripeComponent {
  std::int64_t stripe_size = 0;   ///< bytes
  std::int64_t stripe_count = 0;  ///< targets; 0: none of its own
  std::int64_t begin = 0;         ///< first offset in the file
  std::int64_t end = -1;          ///< offset behind it; −1: end of the file
  std::vector<std::int64_t> targets;
};
using Stripes = std::vector<StripeComponent>;

/// The layouts of a LUSTRE table, by record id; of several with one id the last counts.
class StripeTable {
 public:
  void add(const Table& layouts);
  /// Null: none of that id.
  const Stripes* find(std::uint64_t id) const;

 private:
  std::unordered_map<std::uint64_t, Stripes> layouts_;
};

/// The targets of [offset, offset + length), component by component, each in the order of stripes. `never_reset`: as
/// darshan-util does it (B40), which counts the targets of all components together and stops too early.
void targets_of(const Stripes& stripes, std::int64_t offset, std::int64_t length, bool never_reset,
                std::vector<std::int64_t>& targets);

}  // namespace darrow::util_text

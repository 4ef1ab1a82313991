#include "format/temporary_name.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <random>

namespace darrow {
namespace {

constexpr int free_slot = -1, slot_in_change = -2;

/// A name that a signal handler finds without taking a lock or memory.
struct NameSlot {
  std::atomic<int> folder = free_slot;
  char name[NAME_MAX + 1];
};
static_assert(std::atomic<int>::is_always_lock_free);

// As many files as one process writes at the same time. What finds no slot stays behind if a signal comes.
NameSlot slots[16];

int take_slot(int folder, const std::string& name) {
  for (NameSlot& slot : slots) {
    int expected = free_slot;
    if (!slot.folder.compare_exchange_strong(expected, slot_in_change)) continue;
    slot.name[name.copy(slot.name, NAME_MAX)] = '\0';
    slot.folder = folder;
    return static_cast<int>(&slot - slots);
  }
  return -1;
}

}  // namespace

TemporaryName::TemporaryName(int folder, std::string text)
    : folder_(folder), text_(std::move(text)), slot_(take_slot(folder, text_)) {}

TemporaryName::~TemporaryName() {
  if (text_.empty()) return;
  ::unlinkat(folder_, text_.c_str(), 0);
  if (slot_ >= 0) slots[slot_].folder = free_slot;
}

std::string hidden_name(std::string_view name) {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string suffix = ".";
  std::random_device random;
  for (unsigned value = random(); suffix.size() < 7; value /= digits.size()) suffix += digits[value % digits.size()];
  return fmt::format(".{}{}", name.substr(0, NAME_MAX - 1 - suffix.size()), suffix);
}

void remove_unfinished() {
  for (const NameSlot& slot : slots) {
    int folder = slot.folder;
    if (folder >= 0) ::unlinkat(folder, slot.name, 0);
  }
}

}  // namespace darrow

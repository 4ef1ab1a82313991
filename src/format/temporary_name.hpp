/// Temporary names of files that are not complete.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace darrow {

/// The temporary name of a file. With this object it goes out of the folder.
class TemporaryName {
 public:
  TemporaryName() = default;
  /// Takes over a name that the caller has just made. `folder` is an open folder and outlives this object.
  TemporaryName(int folder, std::string text);
  TemporaryName(TemporaryName&& other) noexcept { swap(other); }
  TemporaryName& operator=(TemporaryName&& other) noexcept {
    swap(other);
    return *this;
  }
  ~TemporaryName();

  explicit operator bool() const { return !text_.empty(); }
  const char* c_str() const { return text_.c_str(); }

 private:
  void swap(TemporaryName& other) noexcept {
    std::swap(folder_, other.folder_);
    std::swap(text_, other.text_);
    std::swap(slot_, other.slot_);
  }
  int folder_ = -1;
  std::string text_;
  int slot_ = -1;  ///< where remove_unfinished() finds it, or −1
};

/// A hidden name beside `name`, most likely a free one: ".NAME.x7k2qa".
std::string hidden_name(std::string_view name);

/// Removes the temporary names of this process. For signal handlers: async-signal-safe.
void remove_unfinished();

}  // namespace darrow

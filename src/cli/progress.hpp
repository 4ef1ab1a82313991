/// What a command that takes long is at.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace darrow::cli {

/// One line on the standard error, if that is a terminal, that comes after half a second and goes with this object.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  /// Tells something else, of one cell a byte.
  void tell(std::string_view line);

 private:
  void wait();
  void show(std::string_view line);

  std::mutex mutex_;
  std::condition_variable ended_;
  std::string line_;
  std::size_t shown_ = 0;  ///< cells
  bool late_ = false, at_end_ = false;
  std::thread waiting_;  ///< only if there is a terminal
};

}  // namespace darrow::cli

/// Where rendered text goes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace darrow::render {

/// Collects text and hands it on in large pieces; without a target it just collects.
class Sink {
 public:
  using Target = std::function<void(std::string_view)>;
  Sink() = default;
  explicit Sink(Target target) : target_(std::move(target)) {}
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  ~Sink() { flush(); }

  void put(std::string_view text) {
    text_.append(text);
    if (target_ && text_.size() >= piece) flush();
  }
  void put(char c) { text_.push_back(c); }
  /// Appends `count` times `c`.
  void fill(std::size_t count, char c = ' ') { text_.append(count, c); }
  /// Hands on what was collected. Does nothing without a target.
  void flush() {
    if (!target_ || text_.empty()) return;
    target_(text_);
    text_.clear();
  }
  /// What was collected and not handed on yet.
  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t piece = 64 * 1024;
  Target target_;
  std::string text_;
};

}  // namespace darrow::render

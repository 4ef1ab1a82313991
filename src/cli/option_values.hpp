/// Values of options that several commands take.
#pragma once

#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/convert_choice.hpp"
#include "darrow/pattern.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace darrow::cli {

/// All of the text as a number.
template <typename T>
std::optional<T> number(std::string_view text) {
  T value{};
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// Thrown for a value that makes no sense.
struct Wrong {
  std::string message;
};
/// An option that may be given again and again. `take` gets each value and throws Wrong if it makes no sense.
CLI::Option* add_each(CLI::App& command, const std::string& name, std::function<void(const std::string&)> take);

// Each throws Wrong.
std::uint64_t record_id(const std::string& text);
/// "3", "-1", "0-7".
RankRange rank_range(const std::string& text);
Pattern pattern(const std::string& text);

}  // namespace darrow::cli
